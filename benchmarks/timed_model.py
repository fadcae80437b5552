"""MiniLM's time without its meaning."""

from collections.abc import Sequence

from benchmarks.minilm import minilm
from tacit.core.vectors import Vector
from tacit.embedding.embedder import (
    Embedder,
    QueryTokens,
    TextInContext,
    TokenRows,
    Vectors,
    to_token_embedder,
    token_model_of,
)


class TimedModel:
    """Embeds as long as MiniLM does, under the names of the embedder whose vectors are stored."""

    def __init__(self, stored: Embedder) -> None:
        self.model = stored.model
        self.token_model = token_model_of(stored)
        self._real, _ = to_token_embedder(minilm())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """MiniLM's vectors."""
        return self._real.embed(texts)

    def embed_query(self, text: str) -> Vector:
        """MiniLM's vector."""
        return self._real.embed_query(text)

    def embed_tokens(self, texts: Sequence[TextInContext]) -> Sequence[TokenRows]:
        """MiniLM's vectors of tokens."""
        return self._real.embed_tokens(texts)

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """MiniLM's vectors of a query."""
        return self._real.embed_query_tokens(text)
