"""Searches that need no query: the newest, the most important, or those of some types."""

from enum import StrEnum

from tacit.core.errors import InvalidInput
from tacit.core.kinds import Sort
from tacit.search.filter import Filter
from tacit.search.results import Hit, SearchResult
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query


class Mode(StrEnum):
    """How memories are found."""

    HYBRID = "hybrid"
    RECENT = "recent"
    IMPORTANT = "important"
    TYPED = "typed"


def list_by_mode(unit: UnitOfWork, mode: Mode, filter: Filter, most: int) -> SearchResult:
    """Live memories in the order of a mode."""
    if mode is Mode.TYPED and not filter.types:
        raise InvalidInput("types", "the mode typed needs the types to list")
    query = Query(
        now=filter.now,
        types=filter.types,
        scope=filter.scope,
        scope_id=filter.scope_id,
        agent=filter.agent,
        user=filter.user,
        inside=filter.inside,
        project=filter.project,
        min_confidence=filter.min_confidence,
        sort=Sort.IMPORTANCE if mode is Mode.IMPORTANT else Sort.RECENT,
        limit=most,
    )
    memories = unit.memories.find(query)
    return SearchResult(hits=tuple(Hit(memory=each, score=each.importance) for each in memories))
