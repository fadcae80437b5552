"""Queries for lists of memories: a value, a test in Python, and named SQL conditions."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from tacit.core.kinds import STANDING_TYPES, Actor, MemoryType, Owner, Scope, Sort, State, Trust
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.core.times import to_micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Filters that all must hold; None leaves a field free. The workspace is never free.

    `owners` are whose memories may be seen; `agent` and `user` are who looks, `inside` a session
    (see `Viewer`).
    `project` leaves out what belongs to other projects.
    `standing` leaves the trusted memories of the types of standing rules.
    """

    now: datetime
    state: State | None = State.LIVE
    types: tuple[MemoryType, ...] | None = None
    scope: Scope | None = None
    scope_id: str | None = None
    agent: str | None = None
    user: str | None = None
    inside: str | None = None
    project: str | None = None
    owners: tuple[Owner, ...] | None = None
    key: str | None = None
    keyed: bool = False
    standing: bool = False
    tag: str | None = None
    pinned: bool | None = None
    contains: str | None = None
    source: Actor | None = None
    trust: Trust | None = None
    explicit: bool | None = None
    session: str | None = None
    expires: bool | None = None
    min_importance: float | None = None
    max_importance: float | None = None
    min_confidence: float = 0.0
    created_from: datetime | None = None
    created_to: datetime | None = None
    updated_from: datetime | None = None
    sort: Sort = Sort.RECENT
    limit: int = 50
    after: str | None = None

    @property
    def viewer(self) -> Viewer:
        """Who looks: from inside a session, or into the one that is named as the owner."""
        session = self.scope_id if self.scope is Scope.SESSION else None
        session = self.inside if session is None else session
        return Viewer(agent=self.agent, user=self.user, session=session)


def matches_query(memory: Memory, query: Query) -> bool:
    """Whether a memory meets every condition of the query, except `contains`."""
    return _matches_place(memory, query) and _matches_properties(memory, query)


def _matches_place(memory: Memory, query: Query) -> bool:
    return (
        query.state in (None, memory.state(query.now))
        and (query.types is None or memory.type in query.types)
        and query.scope in (None, memory.scope)
        and query.scope_id in (None, memory.scope_id)
        and _is_visible(memory, query)
        and (query.owners is None or memory.owner in query.owners)
        and (query.project in (None, memory.scope_id) or memory.scope is not Scope.PROJECT)
        and query.key in (None, memory.key)
        and (not query.keyed or memory.key is not None)
        and (not query.standing or _may_stand(memory))
        and (query.tag is None or query.tag in memory.tags)
        and query.pinned in (None, memory.pinned)
    )


def _may_stand(memory: Memory) -> bool:
    return memory.type in STANDING_TYPES and memory.trust is Trust.TRUSTED


def _is_visible(memory: Memory, query: Query) -> bool:
    """Whether the viewer may see it; a query that names owners includes their sessions."""
    viewer = query.viewer
    if query.owners is not None:
        viewer = replace(viewer, session=memory.scope_id)
    return viewer.sees(memory)


def _matches_properties(memory: Memory, query: Query) -> bool:
    return (
        query.source in (None, memory.source)
        and query.trust in (None, memory.trust)
        and query.explicit in (None, memory.explicit)
        and query.session in (None, memory.origin.session)
        and query.expires in (None, memory.expires_at is not None)
        and memory.confidence >= query.min_confidence
        and _is_between(memory.importance, query.min_importance, query.max_importance)
        and _is_between(memory.updated_at, query.updated_from)
        and _is_between(memory.created_at, query.created_from)
        and (query.created_to is None or memory.created_at < query.created_to)
    )


def _is_between(value: Any, least: Any, most: Any = None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def query_conditions(query: Query) -> Iterator[tuple[str, Any]]:
    """The names of SQL conditions and their values, where both backends use the same."""
    if query.types is not None and len(query.types) == 1:
        yield "type", str(query.types[0])
    if query.keyed:
        yield "keyed", True
    if query.standing:
        yield "standing", True
    if query.pinned is not None:
        yield "pinned" if query.pinned else "unpinned", True
    if query.min_confidence > 0:
        yield "min_confidence", query.min_confidence
    viewer, session = query.viewer, query.viewer.session
    if query.owners is None and (viewer.is_bound or viewer.is_inside):
        yield ("no_session", True) if session is None else ("own_session", session)
    for name, bound in _BOUND_FIELDS.items():
        value = getattr(query, name)
        if value is not None:
            yield name, bound(value)


_BOUND_FIELDS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "scope": str,
        "scope_id": str,
        "agent": str,
        "user": str,
        "project": str,
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


def case_variants(words: str) -> list[str]:
    """Each character together with its other case, if that is one character."""
    return [character + _other_case(character) for character in words]


def to_regex(words: str) -> str:
    """A case-insensitive regular expression that Python and PostgreSQL both understand."""
    return "".join(
        re.escape(cases) if len(cases) == 1 else f"[{cases}]" for cases in case_variants(words)
    )


def has_words(texts: Iterable[str], words: str) -> bool:
    """Whether any of some texts has these words, ignoring case."""
    sought = re.compile(to_regex(words))
    return any(sought.search(text) for text in texts)


def _other_case(character: str) -> str:
    other = character.lower() if character.lower() != character else character.upper()
    return other if len(other) == 1 and other != character else ""
