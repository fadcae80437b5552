"""The network as an ONNX graph: six BERT layers, mean pooling, unit length.

Inputs are `ids` and `mask` (batch, tokens). The output `embedding` is one unit vector per text.
"""

from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from tacit.embedding.minilm.identity import WIDTH
from tacit.embedding.minilm.safetensors import Array, Weights

_LAYERS = 6
_HEADS = 12
_OPSET = 20
_IR_VERSION = 10
_EPSILON = 1e-12
_MASKED = -1e9


def build(weights: Weights) -> ModelProto:
    """The whole graph in single precision."""
    graph = _Graph(weights)
    hidden = _embeddings(graph)
    bias = _attention_bias(graph)
    for layer in range(_LAYERS):
        hidden = _layer(graph, f"encoder.layer.{layer}", hidden, bias)
    _pool(graph, hidden)
    return graph.model()


class _Graph:
    """Collects nodes and constants; every call returns the name of what it made."""

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

    def constant(self, name: str, value: Array) -> str:
        self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def integers(self, *values: int) -> str:
        return self.constant(f"int_{'_'.join(map(str, values))}", np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.constant(f"float_{value}", np.array(value, np.float32))

    def weight(self, name: str) -> Array:
        return self._weights[name]

    def linear(self, name: str, source: str) -> str:
        return self.project(
            name, source, self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        )

    def project(self, name: str, source: str, matrix: Array, bias: Array) -> str:
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
        output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", WIDTH])
        graph = helper.make_graph(
            self._nodes, "minilm", inputs, [output], list(self._constants.values())
        )
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION
        )


def _embeddings(graph: _Graph) -> str:
    words = graph.constant("words", graph.weight("embeddings.word_embeddings.weight"))
    types = graph.weight("embeddings.token_type_embeddings.weight")[0]
    table = graph.weight("embeddings.position_embeddings.weight") + types
    length = graph.node("Gather", graph.node("Shape", "ids"), graph.integers(1), axis=0)
    positions = graph.node(
        "Slice", graph.constant("positions", table), graph.integers(0), length, graph.integers(0)
    )
    found = graph.node("Gather", words, "ids", axis=0)
    return graph.norm("embeddings.LayerNorm", graph.node("Add", found, positions))


def _attention_bias(graph: _Graph) -> str:
    """Zero where there is a token, very negative where there is padding."""
    mask = graph.node("Cast", "mask", to=TensorProto.FLOAT)
    absent = graph.node("Sub", graph.number(1.0), mask)
    bias = graph.node("Mul", absent, graph.number(_MASKED))
    return graph.node("Unsqueeze", bias, graph.integers(1, 2))


def _layer(graph: _Graph, name: str, hidden: str, bias: str) -> str:
    attended = _attention(graph, f"{name}.attention", hidden, bias)
    inner = graph.node("Gelu", graph.linear(f"{name}.intermediate.dense", attended))
    outer = graph.linear(f"{name}.output.dense", inner)
    return graph.norm(f"{name}.output.LayerNorm", graph.node("Add", outer, attended))


def _attention(graph: _Graph, name: str, hidden: str, bias: str) -> str:
    parts = ("query", "key", "value")
    matrix = np.concatenate([graph.weight(f"{name}.self.{part}.weight") for part in parts])
    offset = np.concatenate([graph.weight(f"{name}.self.{part}.bias") for part in parts])
    joined = graph.project(f"{name}.self", hidden, matrix, offset)
    query, key, value = (_heads(graph, part) for part in graph.split(joined, len(parts)))
    scores = graph.node("MatMul", query, graph.node("Transpose", key, perm=[0, 1, 3, 2]))
    scaled = graph.node("Mul", scores, graph.number(1 / np.sqrt(WIDTH / _HEADS)))
    weights = graph.node("Softmax", graph.node("Add", scaled, bias), axis=-1)
    mixed = graph.node("Transpose", graph.node("MatMul", weights, value), perm=[0, 2, 1, 3])
    flat = graph.node("Reshape", mixed, graph.integers(0, 0, WIDTH))
    dense = graph.linear(f"{name}.output.dense", flat)
    return graph.norm(f"{name}.output.LayerNorm", graph.node("Add", dense, hidden))


def _heads(graph: _Graph, source: str) -> str:
    split = graph.node("Reshape", source, graph.integers(0, 0, _HEADS, WIDTH // _HEADS))
    return graph.node("Transpose", split, perm=[0, 2, 1, 3])


def _pool(graph: _Graph, hidden: str) -> None:
    """The mean of the tokens that are there, at unit length."""
    mask = graph.node("Cast", "mask", to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", mask, graph.integers(2))
    total = graph.node(
        "ReduceSum", graph.node("Mul", hidden, column), graph.integers(1), keepdims=0
    )
    length = graph.node("ReduceL2", total, graph.integers(1), keepdims=1)
    graph.node("Div", total, length, output="embedding")
