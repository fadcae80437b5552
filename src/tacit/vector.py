"""A vector, and the identity of the model that made it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from tacit.errors import InvalidInput


class Vector(Protocol):
    """Numbers in a row: a tuple, a list or an array."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...


_HALF_MAX = 65_504


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model; vectors of two models are never compared."""

    name: str
    dims: int
    revision: str


def checked(vector: Vector, model: Model) -> Vector:
    """The vector, if half precision can hold it and the model could have made it."""
    if len(vector) != model.dims:
        raise InvalidInput("vector", f"has {len(vector)} numbers; {model.name} has {model.dims}")
    if not all(math.isfinite(part) and abs(part) <= _HALF_MAX for part in vector):
        raise InvalidInput("vector", f"every number must be finite and at most {_HALF_MAX:,}")
    return vector
