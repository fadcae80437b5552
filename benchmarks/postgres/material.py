"""What both backends are filled with, and what they are asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.clustered import ClusteredEmbedder
from benchmarks.layout import Layout
from benchmarks.sentences import content_queries, natural_queries
from tacit import Embedder

_QUERIES = 200
_NEAREST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Texts by workspace, queries by kind, and an embedder that has the vectors of all at hand."""

    name: str
    shares: Mapping[str, Sequence[str]]
    queries: Mapping[str, Sequence[str]]
    embedder: Embedder
    resident: int
    """Up to so many memories PostgreSQL's clients search a workspace in memory."""
    nearest: int
    """How many of the nearest should be found."""

    @property
    def size(self) -> int:
        """How many texts there are."""
        return sum(map(len, self.shares.values()))

    @property
    def workspaces(self) -> list[str]:
        """Their names."""
        return list(self.shares)

    def workspace(self, number: int) -> str:
        """The one that a query or a session is put to; they take turns."""
        return self.workspaces[number % len(self.shares)]

    @property
    def telling(self) -> list[str]:
        """The queries that recall is measured by: those of the first kind."""
        return list(next(iter(self.queries.values())))


def synthetic(layout: Layout, resident: int) -> Material:
    """Sentences of Zipf's law, with clustered vectors."""
    queries = {
        "natural": natural_queries(layout.texts, _QUERIES),
        "content": content_queries(_QUERIES),
    }
    embedder = ClusteredEmbedder()
    for asked in queries.values():
        embedder.prepare(asked)
    return Material(
        name=layout.name,
        shares=layout.shares,
        queries=queries,
        embedder=embedder,
        resident=resident,
        nearest=_NEAREST,
    )
