"""Making the graph that is run out of the weights that are published."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onnx import helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from tacit.embedding.minilm import safetensors
from tacit.embedding.minilm.graph import build

_PREPARED = {"onnx.quant.pre_process": "onnxruntime.quant"}
"""Says that the graph needs no preparation, which the quantiser would else advise in a warning."""


def quantise(weights: Path, target: Path) -> None:
    """Write the graph with the matrices in eight bits, each column with a scale of its own."""
    model = build(safetensors.read(weights))
    helper.set_model_props(model, _PREPARED)
    with _logging_as_it_is():
        quantize_dynamic(
            model,
            target,
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"],
        )


@contextmanager
def _logging_as_it_is() -> Iterator[None]:
    """Keep the quantiser, which logs to the root, from setting up logging for the whole process."""
    root, placeholder = logging.getLogger(), logging.NullHandler()
    root.addHandler(placeholder)
    try:
        yield
    finally:
        root.removeHandler(placeholder)
