"""Finding memories: full text, vectors and graph, fused into one list."""

from tacit.search.filter import Filter
from tacit.search.hit import Hit, SearchResult, Standing
from tacit.search.modes import Mode, listed
from tacit.search.searcher import NO_EMBEDDER, Searcher

__all__ = [
    "NO_EMBEDDER",
    "Filter",
    "Hit",
    "Mode",
    "SearchResult",
    "Searcher",
    "Standing",
    "listed",
]
