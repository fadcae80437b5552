"""Which memories a query means, told without a database."""

from dataclasses import replace
from typing import Any

from tacit.core.memory import Memory
from tacit.store.query import Query


def fits(memory: Memory, query: Query) -> bool:
    """Whether a memory meets every condition but that on its words."""
    return _is_where(memory, query) and _is_such(memory, query)


def _is_where(memory: Memory, query: Query) -> bool:
    return (
        query.state in (None, memory.state(query.now))
        and (query.types is None or memory.type in query.types)
        and query.scope in (None, memory.scope)
        and query.scope_id in (None, memory.scope_id)
        and _is_seen(memory, query)
        and (query.owners is None or memory.owner in query.owners)
        and query.key in (None, memory.key)
        and (not query.keyed or memory.key is not None)
        and (query.tag is None or query.tag in memory.tags)
        and query.pinned in (None, memory.pinned)
    )


def _is_seen(memory: Memory, query: Query) -> bool:
    """Whether who looks may see it; who names all owners names sessions too."""
    viewer = query.viewer
    if query.owners is not None:
        viewer = replace(viewer, session=memory.scope_id)
    return viewer.sees(memory)


def _is_such(memory: Memory, query: Query) -> bool:
    return (
        query.source in (None, memory.source)
        and query.trust in (None, memory.trust)
        and query.explicit in (None, memory.explicit)
        and query.session in (None, memory.origin.session)
        and query.expires in (None, memory.expires_at is not None)
        and memory.confidence >= query.min_confidence
        and _lies(memory.importance, query.min_importance, query.max_importance)
        and _lies(memory.updated_at, query.updated_from)
        and _lies(memory.created_at, query.created_from)
        and (query.created_to is None or memory.created_at < query.created_to)
    )


def _lies(value: Any, least: Any, most: Any = None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)
