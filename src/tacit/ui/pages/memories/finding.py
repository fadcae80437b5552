"""Finding: a page of memories as a wish asks for it, by words or by meaning."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import NotFound
from tacit.core.memory.filters import Filters, check_filters
from tacit.core.memory.record import Memory
from tacit.store.fitting import fits
from tacit.store.query import Query
from tacit.ui.pages.memories.wish import Wish

PAGE = 50
_MOST_HITS = 100
_KNOWN_TO_SEARCH = ("types", "scope", "scope_id", "agent", "min_confidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Memories in order; how relevant each is, if a search found them; and whether more follow."""

    memories: tuple[Memory, ...] = ()
    relevance: dict[str, float] = field(default_factory=dict)
    has_more: bool = False
    skipped: int = 0
    degraded: tuple[str, ...] = ()

    @property
    def total(self) -> int | None:
        """How many there are in all, where that can be seen."""
        return None if self.has_more else self.skipped + len(self.memories)


def find(tacit: RemoteTacit, wish: Wish, filters: Filters, now: datetime) -> Found:
    """What a wish asks for."""
    if wish.is_by_meaning:
        return _searched(tacit, wish, filters, now)
    try:
        return _listed(tacit, wish, filters, wish.after)
    except NotFound:  # the memory that the page began after is gone for good
        return _listed(tacit, wish, filters, None)


def _listed(tacit: RemoteTacit, wish: Wish, filters: Filters, after: str | None) -> Found:
    found = tacit.list(sort=wish.sort, limit=PAGE + 1, after=after, **filters)
    return Found(
        memories=tuple(found[:PAGE]),
        has_more=len(found) > PAGE,
        skipped=0 if after is None else wish.skipped,
    )


def _searched(tacit: RemoteTacit, wish: Wish, filters: Filters, now: datetime) -> Found:
    """What is meant; of the conditions, the search itself knows only some."""
    named: dict[str, Any] = {name: filters[name] for name in _KNOWN_TO_SEARCH if name in filters}  # type: ignore[literal-required]
    result = tacit.search(wish.text.strip(), max_results=_MOST_HITS, **named)
    query = Query(**check_filters(filters), now=now)
    hits = [hit for hit in result.hits if fits(hit.memory, query)]
    return Found(
        memories=tuple(hit.memory for hit in hits),
        relevance={hit.memory.id: hit.relevance for hit in hits},
        degraded=result.degraded,
    )
