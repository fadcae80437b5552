"""A vector, and the identity of the model that made it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tacit.errors import InvalidInput

Vector = Sequence[float]

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
