"""What an embedder is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tacit.core.vectors import EmbeddingModel, Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Vectors: TypeAlias = "Sequence[Vector] | NDArray[np.float32]"


class Embedder(Protocol):
    """Turns texts into unit vectors of one model."""

    @property
    def model(self) -> EmbeddingModel:
        """Whose vectors these are."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text, in order."""

    def embed_query(self, text: str) -> Vector:
        """The vector of what somebody asks, which may be long and must be quick."""
