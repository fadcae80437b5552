"""The network as an ONNX graph: six BERT layers, mean pooling, unit length.

Inputs are `ids` and `mask` (batch, tokens). The output `embedding` is one unit vector per text,
`token_states` (batch, tokens, width) is what the last layer makes of every token. The same network
with trained updates of its matrices reads two texts together, and its first layers read messages.
The first runs in eight bits, the others in single precision.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper, save_model
from onnxruntime.quantization import QuantType, quantize_dynamic

from tacit.embedding.minilm.model_files import WIDTH

WeightArray = NDArray[Any]
Weights = Mapping[str, WeightArray]

_LAYERS = 6

MESSAGE_LAYERS = 3
"""Whose text a message holds is read after this layer, where words and their order still show."""

_PREPARED = {"onnx.quant.pre_process": "onnxruntime.quant"}
"""Marks the graph as prepared; else the quantiser would warn that it is not."""


def build_quantised_graph(weights: Weights, target: Path) -> None:
    """Write the graph with eight-bit matrices, each column with its own scale."""
    model = build_graph(weights)
    helper.set_model_props(model, _PREPARED)
    with _keep_logging_unconfigured():
        quantize_dynamic(
            model,
            target,
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"],
        )


def build_pair_graph(weights: Weights, updates: Path, target: Path) -> None:
    """Write the graph that reads two texts together, in single precision."""
    save_model(build_graph(apply_updates(weights, updates)), target)


def build_message_graph(weights: Weights, target: Path) -> None:
    """Write the graph of the first three layers, in single precision, for whole messages."""
    save_model(build_graph(weights, layers=MESSAGE_LAYERS, table_type=np.float16), target)


@contextmanager
def _keep_logging_unconfigured() -> Iterator[None]:
    """Keep the quantiser, which logs to the root logger, from configuring logging."""
    root, placeholder = logging.getLogger(), logging.NullHandler()
    root.addHandler(placeholder)
    try:
        yield
    finally:
        root.removeHandler(placeholder)


_TYPES = {"F32": "<f4", "I64": "<i8"}


def read_safetensors(path: Path) -> Weights:
    """Every tensor of the file by its name."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    return {
        name: _read_tensor(memoryview(content)[start:], entry) for name, entry in header.items()
    }


def _read_tensor(data: memoryview, entry: dict[str, Any]) -> WeightArray:
    first, end = entry["data_offsets"]
    return np.frombuffer(data[first:end], _TYPES[entry["dtype"]]).reshape(entry["shape"])


def apply_updates(weights: Weights, updates: Path) -> Weights:
    """The weights with trained changes: products `b` `a` are added to matrices, norms replaced."""
    changed = dict(weights)
    with np.load(updates) as trained:
        for name in trained.files:
            matrix, _, part = name.rpartition(".")
            if part == "a":
                product = trained[f"{matrix}.b"].astype(np.float32) @ trained[name].astype(
                    np.float32
                )
                changed[f"{matrix}.weight"] = weights[f"{matrix}.weight"] + product
            elif name in weights:
                changed[name] = trained[name]
    return changed


_HEADS = 12
_OPSET = 20
_IR_VERSION = 10
_EPSILON = 1e-12
_MASKED = -1e9


def build_graph(
    weights: Weights, *, layers: int = _LAYERS, table_type: type[np.floating[Any]] = np.float32
) -> ModelProto:
    """The graph in single precision, or its first layers; the table of words may be smaller."""
    graph = _GraphBuilder(weights)
    hidden = _add_embeddings(graph, table_type)
    bias = _add_attention_bias(graph)
    for layer in range(layers):
        hidden = _add_layer(graph, f"encoder.layer.{layer}", hidden, bias)
    graph.node("Identity", hidden, output="token_states")
    _add_pooling(graph, hidden)
    return graph.model()


class _GraphBuilder:
    """Collects nodes and constants; every call returns the name of what it added."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def node(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        name = output or f"{kind.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def split(self, whole: str, parts: int) -> list[str]:
        names = [f"{whole}_part{part}" for part in range(parts)]
        self._nodes.append(
            helper.make_node(
                "Split", [whole], names, name=f"{whole}_split", axis=-1, num_outputs=parts
            )
        )
        return names

    def constant(self, name: str, value: WeightArray) -> str:
        self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def integers(self, *values: int) -> str:
        return self.constant(f"int_{'_'.join(map(str, values))}", np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.constant(f"float_{value}", np.array(value, np.float32))

    def weight(self, name: str) -> WeightArray:
        return self._weights[name]

    def linear(self, name: str, source: str) -> str:
        return self.project(
            name, source, self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        )

    def project(self, name: str, source: str, matrix: WeightArray, bias: WeightArray) -> str:
        product = self.node("MatMul", source, self.constant(f"{name}.matrix", matrix.T))
        return self.node("Add", product, self.constant(f"{name}.bias", bias))

    def norm(self, name: str, source: str) -> str:
        scale = self.constant(f"{name}.weight", self.weight(f"{name}.weight"))
        bias = self.constant(f"{name}.bias", self.weight(f"{name}.bias"))
        return self.node("LayerNormalization", source, scale, bias, axis=-1, epsilon=_EPSILON)

    def model(self) -> ModelProto:
        shape = ["batch", "tokens"]
        inputs = [
            helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("ids", "mask")
        ]
        outputs = [
            helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", WIDTH]),
            helper.make_tensor_value_info("token_states", TensorProto.FLOAT, [*shape, WIDTH]),
        ]
        graph = helper.make_graph(
            self._nodes, "minilm", inputs, outputs, list(self._constants.values())
        )
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION
        )


def _add_embeddings(graph: _GraphBuilder, table_type: type[np.floating[Any]]) -> str:
    table = graph.weight("embeddings.word_embeddings.weight")
    words = graph.constant("words", table.astype(table_type))
    types = graph.weight("embeddings.token_type_embeddings.weight")[0]
    places = graph.weight("embeddings.position_embeddings.weight") + types
    length = graph.node("Gather", graph.node("Shape", "ids"), graph.integers(1), axis=0)
    positions = graph.node(
        "Slice", graph.constant("positions", places), graph.integers(0), length, graph.integers(0)
    )
    rows = graph.node("Gather", words, "ids", axis=0)
    found = graph.node("Cast", rows, to=TensorProto.FLOAT) if table_type is not np.float32 else rows
    return graph.norm("embeddings.LayerNorm", graph.node("Add", found, positions))


def _add_attention_bias(graph: _GraphBuilder) -> str:
    """Zero for a token, very negative for padding."""
    mask = graph.node("Cast", "mask", to=TensorProto.FLOAT)
    absent = graph.node("Sub", graph.number(1.0), mask)
    bias = graph.node("Mul", absent, graph.number(_MASKED))
    return graph.node("Unsqueeze", bias, graph.integers(1, 2))


def _add_layer(graph: _GraphBuilder, name: str, hidden: str, bias: str) -> str:
    attended = _add_attention(graph, f"{name}.attention", hidden, bias)
    inner = graph.node("Gelu", graph.linear(f"{name}.intermediate.dense", attended))
    outer = graph.linear(f"{name}.output.dense", inner)
    return graph.norm(f"{name}.output.LayerNorm", graph.node("Add", outer, attended))


def _add_attention(graph: _GraphBuilder, name: str, hidden: str, bias: str) -> str:
    parts = ("query", "key", "value")
    matrix = np.concatenate([graph.weight(f"{name}.self.{part}.weight") for part in parts])
    offset = np.concatenate([graph.weight(f"{name}.self.{part}.bias") for part in parts])
    joined = graph.project(f"{name}.self", hidden, matrix, offset)
    query, key, value = (_split_heads(graph, part) for part in graph.split(joined, len(parts)))
    scores = graph.node("MatMul", query, graph.node("Transpose", key, perm=[0, 1, 3, 2]))
    scaled = graph.node("Mul", scores, graph.number(1 / np.sqrt(WIDTH / _HEADS)))
    weights = graph.node("Softmax", graph.node("Add", scaled, bias), axis=-1)
    mixed = graph.node("Transpose", graph.node("MatMul", weights, value), perm=[0, 2, 1, 3])
    flat = graph.node("Reshape", mixed, graph.integers(0, 0, WIDTH))
    dense = graph.linear(f"{name}.output.dense", flat)
    return graph.norm(f"{name}.output.LayerNorm", graph.node("Add", dense, hidden))


def _split_heads(graph: _GraphBuilder, source: str) -> str:
    split = graph.node("Reshape", source, graph.integers(0, 0, _HEADS, WIDTH // _HEADS))
    return graph.node("Transpose", split, perm=[0, 2, 1, 3])


def _add_pooling(graph: _GraphBuilder, hidden: str) -> None:
    """The mean of the tokens, at unit length."""
    mask = graph.node("Cast", "mask", to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", mask, graph.integers(2))
    total = graph.node(
        "ReduceSum", graph.node("Mul", hidden, column), graph.integers(1), keepdims=0
    )
    length = graph.node("ReduceL2", total, graph.integers(1), keepdims=1)
    graph.node("Div", total, length, output="embedding")
