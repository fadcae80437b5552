"""MiniLM with trainable changes and a head for the relations of two texts, in PyTorch."""

import math
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
import torch
from tools.pair_reading.averaging import Array, Updates, find_factors
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from tacit.embedding.minilm.model_files import WIDTH
from tacit.embedding.minilm.network import read_safetensors
from tacit.statements.pair_reading import PAIR_RELATIONS

_Part = TypeVar("_Part", bound=nn.Module)


class PairNetwork(nn.Module):
    """The published network, of which the matrices and norms of its layers change."""

    def __init__(self, weights: Path, rank: int, *, has_whole_matrices: bool = False) -> None:
        super().__init__()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._bert = load_bert(weights)
        self._head = nn.Linear(WIDTH, len(PAIR_RELATIONS))
        self._norms = _layer_parts(self._bert, nn.LayerNorm)
        self._matrices = {
            name: WholeMatrix(each, rank) if has_whole_matrices else LowRankMatrix(each, rank)
            for name, each in _layer_parts(self._bert, nn.Linear).items()
        }
        for norm in self._norms.values():
            norm.requires_grad_(True)
        for name, matrix in self._matrices.items():
            self._bert.set_submodule(name, matrix)
        self.to(self.device)

    @classmethod
    def with_updates(cls, weights: Path, updates: Updates) -> Self:
        """The network as it was trained before; its updates keep their rank."""
        rank = next(len(each) for name, each in updates.items() if name.endswith(".a"))
        network = cls(weights, rank)
        network._load_updates(updates)
        return network

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """A score of every relation for each row of tokens; in half precision on a GPU."""
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda"):
            states = self._bert(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state
            scores: torch.Tensor = self._head(states[:, 0])
        return scores.float()

    def _load_updates(self, updates: Updates) -> None:
        trained = self._plain_parameters()
        for name, matrix in self._matrices.items():
            if isinstance(matrix, LowRankMatrix):
                trained |= {f"{name}.a": matrix.a, f"{name}.b": matrix.b}
        with torch.no_grad():
            for name, each in trained.items():
                each.copy_(_tensor(updates[name]))

    def to_updates(self) -> Updates:
        """What was trained, by the names of the published weights."""
        found: dict[str, Array] = {}
        for name, matrix in self._matrices.items():
            found[f"{name}.a"], found[f"{name}.b"] = matrix.to_factors()
        return found | {name: _array(each) for name, each in self._plain_parameters().items()}

    def _plain_parameters(self) -> dict[str, torch.Tensor]:
        """What is trained as it is: the norms of the layers, and the head."""
        parts: dict[str, nn.LayerNorm | nn.Linear] = {**self._norms, "head": self._head}
        return {
            f"{name}.{kind}": each
            for name, part in parts.items()
            for kind, each in (("weight", part.weight), ("bias", part.bias))
        }


class LowRankMatrix(nn.Module):
    """A matrix that stays as it is, and the product of two small ones that is added to it."""

    def __init__(self, matrix: nn.Linear, rank: int) -> None:
        super().__init__()
        self._matrix = matrix
        width = matrix.in_features
        self.a = nn.Parameter(torch.randn(rank, width) / math.sqrt(width))
        self.b = nn.Parameter(torch.zeros(matrix.out_features, rank))

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """What both make of the states."""
        added = functional.linear(functional.linear(states, self.a), self.b)
        whole: torch.Tensor = self._matrix(states) + added
        return whole

    def to_factors(self) -> tuple[Array, Array]:
        """The two small matrices."""
        return _array(self.a), _array(self.b)


class WholeMatrix(nn.Module):
    """A matrix that changes freely, which learns more than a low rank could hold of it."""

    def __init__(self, matrix: nn.Linear, rank: int) -> None:
        super().__init__()
        self._rank = rank
        self._published = matrix.weight.detach().clone()
        self._matrix = matrix
        self._matrix.weight.requires_grad_(True)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """What it makes of the states."""
        whole: torch.Tensor = self._matrix(states)
        return whole

    def to_factors(self) -> tuple[Array, Array]:
        """What changed, as nearly as factors of the rank can tell it."""
        return find_factors(_array(self._matrix.weight) - _array(self._published), self._rank)


def load_bert(weights: Path) -> BertModel:
    """The published network, of which nothing is trained yet."""
    config = BertConfig(
        hidden_size=WIDTH,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=4 * WIDTH,
        layer_norm_eps=1e-12,
    )
    bert = BertModel(config, add_pooling_layer=False)
    published = {
        name: _tensor(tensor)
        for name, tensor in read_safetensors(weights).items()
        if not name.startswith("pooler") and name != "embeddings.position_ids"
    }
    bert.load_state_dict(published)
    bert.requires_grad_(False)
    return bert


def _layer_parts(bert: BertModel, kind: type[_Part]) -> dict[str, _Part]:
    return {
        name: each
        for name, each in bert.named_modules()
        if name.startswith("encoder.layer.") and isinstance(each, kind)
    }


def _tensor(array: Array) -> torch.Tensor:
    return torch.from_numpy(np.array(array, np.float32))


def _array(tensor: torch.Tensor) -> Array:
    array: Array = tensor.detach().cpu().numpy()
    return array
