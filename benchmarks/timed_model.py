"""MiniLM's time without its meaning."""

from collections.abc import Sequence

from benchmarks.minilm import minilm
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import Vectors


class TimedModel:
    """Embeds as long as MiniLM does, under the name of the model whose vectors are stored."""

    def __init__(self, model: EmbeddingModel) -> None:
        self.model = model
        self._real = minilm()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """MiniLM's vectors."""
        return self._real.embed(texts)

    def embed_query(self, text: str) -> Vector:
        """MiniLM's vector."""
        return self._real.embed_query(text)
