"""Tacit, told where each text comes from or nothing but the text."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.batches import batches
from benchmarks.indexes import build_indexes
from benchmarks.minilm import minilm
from benchmarks.peers.databases import own_database
from benchmarks.peers.peer import Item, Known
from benchmarks.token_codes import encode_tokens
from tacit import Tacit
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import QueryTokens, TextInContext, TokenRows, to_token_embedder
from tacit.testing.embedder import HashedTokens


class Given(HashedTokens):
    """An embedder that looks vectors up."""

    def __init__(self, known: Known) -> None:
        self.model = EmbeddingModel("given", len(next(iter(known.values()))), "1")
        self._known = known

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text."""
        return [self._known[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        """The vector of a query."""
        return self._known[text]


class GivenByMiniLM(Given):
    """An embedder that looks the vectors of MiniLM up, and has it make those of tokens."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self._real, self.token_model = to_token_embedder(minilm())

    def embed_tokens(self, texts: Sequence[TextInContext]) -> list[TokenRows]:
        """MiniLM's vectors of tokens."""
        return list(self._real.embed_tokens(texts))

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """MiniLM's vectors of a query."""
        return self._real.embed_query_tokens(text)


class TextsOnly:
    """A workspace for each namespace; what is said twice is remembered once."""

    _embedder_type = Given

    def __init__(self, known: Known, folder: Path) -> None:
        self._embedder = self._embedder_type(known)
        self._location = self._place(folder)
        self._opened: dict[str, Tacit] = {}
        self._keys: dict[str, str] = {}

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """Batches of a hundred."""
        tacit = Tacit.open(self._location, namespace, embedder=self._embedder)
        self._opened[namespace] = tacit
        for batch in batches(items):
            written = tacit.memories.remember_all(
                [self._draft(item) for item in batch], by="import"
            )
            for item, each in zip(batch, written, strict=True):
                self._keys.setdefault(each.id, item.key)
        encode_tokens(tacit)

    def search(self, namespace: str, query: str, count: int) -> list[str]:
        """With every default."""
        found = self._opened[namespace].search(query, max_results=count)
        if found.degraded:
            raise RuntimeError(f"{query!r}: {', '.join(found.degraded)}")
        return [self._keys[hit.memory.id] for hit in found.hits]

    def _place(self, folder: Path) -> str:
        return str(folder / f"{type(self).__name__}.db")

    def _draft(self, item: Item) -> Mapping[str, Any]:
        return {"content": item.text}


class WithOrigin(TextsOnly):
    """Tacit as it is meant to be used: it knows who spoke, in which session, and when."""

    def _draft(self, item: Item) -> Mapping[str, Any]:
        return item.draft or super()._draft(item)


class TextsOnlyByMiniLM(TextsOnly):
    """The same with vectors of MiniLM, whose tokens are read as well."""

    _embedder_type = GivenByMiniLM


class WithOriginByMiniLM(WithOrigin):
    """The same with vectors of MiniLM, whose tokens are read as well."""

    _embedder_type = GivenByMiniLM


class OnPostgres(WithOrigin):
    """The same in a database of its own, with indexes where a namespace is large."""

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """Batches of a hundred, then the indexes, which a search would have made beside it."""
        super().add(namespace, items)
        build_indexes(self._opened[namespace]._store, [namespace])

    def _place(self, folder: Path) -> str:
        return own_database(folder)
