"""An embedder for tests, deterministic and instant."""

import math
from collections.abc import Sequence
from hashlib import blake2b

from tacit.core.vectors import EmbeddingModel, Vector
from tacit.language.terms import extract_terms


class FakeEmbedder:
    """Adds up one pseudo-random direction per term, so that texts that share words are similar."""

    def __init__(self, dims: int = 32, revision: str = "1") -> None:
        self.model = EmbeddingModel("fake", dims, revision)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector for each text."""
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        """The vector of a query."""
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        total = [0.0] * self.model.dims
        for term in extract_terms(text) or [text]:
            for index, part in enumerate(self._direction(term)):
                total[index] += part
        length = math.hypot(*total) or 1.0
        return tuple(part / length for part in total)

    def _direction(self, term: str) -> list[float]:
        stream = b"".join(
            blake2b(f"{self.model.revision}/{block}/{term}".encode()).digest()
            for block in range(math.ceil(self.model.dims / 64))
        )
        return [byte / 127.5 - 1 for byte in stream[: self.model.dims]]
