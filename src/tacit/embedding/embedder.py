"""What an embedder is."""

from collections.abc import Sequence
from typing import Protocol

from tacit.vector import Model, Vector


class Embedder(Protocol):
    """Turns texts into unit vectors of one model."""

    @property
    def model(self) -> Model:
        """Whose vectors these are."""

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One vector for each text, in order."""
