"""An embedder for tests, deterministic and instant."""

import math
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import QueryTokens, TextInContext, TokenRows
from tacit.embedding.token_codes import unpack_tokens
from tacit.language.terms import extract_terms, find_words

_TOKEN_DIMS = 256
_TEXT_TOKENS = 254


class HashedTokens:
    """Makes a token of every word, with signs by its hash; what was said before does not count.

    An embedder that extends it has token vectors beside its own.
    """

    token_model: EmbeddingModel | None = EmbeddingModel("hashed-words", _TOKEN_DIMS, "1")

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, by the embedder itself."""
        raise NotImplementedError

    def embed_tokens(self, texts: Sequence[TextInContext]) -> list[TokenRows]:
        """The vectors of the first 254 words of each text, as many as MiniLM has tokens."""
        return [_hash_words(_words_of(each.text)[:_TEXT_TOKENS]) for each in texts]

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """The vector of a query, with those of its words."""
        words = _words_of(text)
        return QueryTokens(
            np.asarray(self.embed_query(text), np.float32), _hash_words(words), words
        )


class FakeEmbedder(HashedTokens):
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


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for _, word in find_words(text))


def _hash_words(words: Sequence[str]) -> TokenRows:
    hashes = b"".join(
        blake2b(word.encode(), digest_size=_TOKEN_DIMS // 8).digest() for word in words
    )
    return unpack_tokens(hashes, _TOKEN_DIMS)
