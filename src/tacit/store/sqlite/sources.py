"""Where SQLite looks first for what a query asks; it knows nothing of what is rare."""

from tacit.core.kinds import Sort, State
from tacit.store.query import Query

SIFTED = "find_sifted"
"""Look at every memory in the order of the file; in any other order that takes far longer."""

_SIFTING = (
    "tag",
    "contains",
    "source",
    "trust",
    "explicit",
    "session",
    "expires",
    "min_importance",
    "max_importance",
    "created_from",
    "created_to",
    "updated_from",
)


def source_of(query: Query) -> str:
    """The statement to begin with: at what is rarest, or else in the order of the list."""
    if query.key is not None:
        return "find_by_key"
    if query.keyed and query.scope is not None:
        return "find_keyed"
    if query.pinned:
        return "find_pinned"
    return SIFTED if _may_be_rare(query) else _ordered(query)


def _may_be_rare(query: Query) -> bool:
    """Whether very many memories may have to be looked at for each that is meant."""
    return (
        query.state not in (None, State.LIVE)
        or (query.scope_id is not None and query.scope is None)
        or query.min_confidence > 0
        or any(getattr(query, name) is not None for name in _SIFTING)
    )


def _ordered(query: Query) -> str:
    """An index in the order of the list, if there is one."""
    has_type = query.types is not None and len(query.types) == 1
    if query.sort in (Sort.RECENT, Sort.IMPORTANCE) and has_type:
        return f"find_{query.sort}_of_type"
    return "find" if query.sort in (Sort.RECENT, Sort.CREATED) else SIFTED
