"""A vector, the model that made it, and how it is stored."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidInput


class Vector(Protocol):
    """A sequence of numbers: a tuple, a list or an array."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...


_HALF_MAX = 65_504


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """An embedding model; vectors of two models are never compared."""

    name: str
    dims: int
    revision: str

    def __str__(self) -> str:
        return f"{self.name} ({self.revision})"


class GenerationState(StrEnum):
    """What becomes of the vectors that one model made of a workspace."""

    SERVING = "serving"
    FILLING = "filling"
    PREVIOUS = "previous"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Generation:
    """All vectors that one model made of a workspace; the one that serves is searched.

    `served` is larger the later it began to serve; 0 if it never did.
    """

    model: EmbeddingModel
    state: GenerationState
    served: int = 0


@dataclass(frozen=True, slots=True)
class TextVectors:
    """The vector of a text by the model that serves, and those of other models beside it."""

    model: EmbeddingModel
    vector: Vector
    beside: tuple[tuple[EmbeddingModel, Vector], ...] = ()


def is_usable_vector(vector: NDArray[np.float32], model: EmbeddingModel) -> bool:
    """Whether the model could have made the vector, and it can be stored."""
    if vector.shape != (model.dims,) or not np.isfinite(vector).all():
        return False
    return bool(np.abs(vector).max(initial=0.0) <= _HALF_MAX)


def pack_vector(vector: Vector, model: EmbeddingModel) -> bytes:
    """The vector as little-endian half-precision floats, checked against the model."""
    row = np.asarray(vector, np.float32)
    if row.shape != (model.dims,):
        raise InvalidInput("vector", f"has {len(vector)} numbers; {model.name} has {model.dims}")
    if not is_usable_vector(row, model):
        raise InvalidInput("vector", f"every number must be finite and at most {_HALF_MAX:,}")
    return row.astype("<f2").tobytes()


def unpack_vector(packed: bytes) -> tuple[float, ...]:
    """The reverse of `pack_vector`."""
    return tuple(np.frombuffer(packed, "<f2").tolist())


def cosine(one: Vector, other: Vector) -> float:
    """The similarity of two unit vectors of one model, from -1 to 1."""
    return float(np.dot(np.asarray(one, np.float32), np.asarray(other, np.float32)))


def compare_vectors(one: TextVectors | None, other: TextVectors | None) -> float:
    """The similarity of two texts; 0 where one has no vector or another model made it."""
    if one is None or other is None or one.model != other.model:
        return 0.0
    return cosine(one.vector, other.vector)
