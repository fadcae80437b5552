"""What a query asks for, as the conditions on memories that SQL files name."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tacit.core.times import to_micros
from tacit.store.query import Query


def conditions(query: Query) -> Iterator[tuple[str, Any]]:
    """The names of conditions and what is bound to them, where backends say both alike."""
    if query.types is not None and len(query.types) == 1:
        yield "type", str(query.types[0])
    if query.keyed:
        yield "keyed", True
    if query.pinned is not None:
        yield "pinned" if query.pinned else "unpinned", True
    if query.min_confidence > 0:
        yield "min_confidence", query.min_confidence
    if query.viewer.is_bound and query.owners is None:
        session = query.viewer.session
        yield ("no_session", True) if session is None else ("own_session", session)
    for name, bound in _BOUND.items():
        value = getattr(query, name)
        if value is not None:
            yield name, bound(value)


_BOUND: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "scope": str,
        "scope_id": str,
        "agent": str,
        "user": str,
        "key": str,
        "tag": str,
        "source": str,
        "trust": str,
        "session": str,
        "explicit": bool,
        "expires": bool,
        "min_importance": float,
        "max_importance": float,
        "created_from": to_micros,
        "created_to": to_micros,
        "updated_from": to_micros,
    }
)
