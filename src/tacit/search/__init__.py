"""Finding memories: full text, vectors and graph, fused into one list."""

from tacit.search.filter import Filter
from tacit.search.hit import Hit, SearchResult, Standing
from tacit.search.modes import Mode, listed
from tacit.search.searcher import Searcher

__all__ = ["Filter", "Hit", "Mode", "SearchResult", "Searcher", "Standing", "listed"]
