"""A memory, its associations with other memories, and the filters that select memories."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Self, TypedDict

from tacit.core.errors import InvalidInput
from tacit.core.fields import Origin, check_all_fields, check_field
from tacit.core.kinds import Actor, MemoryType, Owner, Relation, Scope, State, Trust
from tacit.core.times import to_rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One statement, whose it is, where it came from, and when it was true."""

    id: str
    workspace: str
    content: str
    type: MemoryType
    key: str | None = None
    importance: float
    confidence: float
    scope: Scope
    scope_id: str = ""
    agent: str | None = None
    source: Actor
    origin: Origin = Origin()
    trust: Trust
    explicit: bool
    pinned: bool = False
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None = None
    access_count: int = 0
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    expires_at: datetime | None = None
    forgotten: bool = False

    @property
    def content_hash(self) -> bytes:
        """Two memories with one hash are the same memory."""
        return hash_content(**{name: getattr(self, name) for name in IDENTITY_FIELDS})

    @property
    def owner(self) -> Owner:
        """Whose it is."""
        return self.scope, self.scope_id

    def state(self, now: datetime) -> State:
        """Where it stands at a moment."""
        if self.forgotten:
            return State.FORGOTTEN
        ended = (self.valid_to, self.expires_at)
        if self.superseded_by is not None or any(end and end <= now for end in ended):
            return State.PAST
        if self.valid_from is not None and self.valid_from > now:
            return State.FUTURE
        return State.LIVE

    def to_dict(self) -> dict[str, Any]:
        """Every field, ready for JSON."""
        return {each.name: to_json_value(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; everything is checked, because files get edited."""
        known = {each.name for each in fields(cls)}
        return cls(
            **{name: check_field(name, value) for name, value in values.items() if name in known}
        )


IDENTITY_FIELDS = ("content", "type", "key", "scope", "scope_id", "agent")
"""What makes two statements the same; the key counts, since a value means little without it."""


def hash_content(**identity: str | None) -> bytes:
    """The identity of a statement: the same words, of one type, about one key, of one owner."""
    parts = [identity[name] for name in IDENTITY_FIELDS]
    return sha256(json.dumps(parts).encode()).digest()


def to_json_value(value: Any) -> Any:
    """A field's value, ready for JSON."""
    if isinstance(value, datetime):
        return to_rfc3339(value)
    if isinstance(value, Origin):
        return value.to_dict()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return list(value)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """An edge: unique by source, target and relation; a repeat only changes its weight."""

    source: str
    target: str
    relation: Relation = Relation.RELATED_TO
    weight: float = 0.5

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "source": self.source,
            "target": self.target,
            "relation": str(self.relation),
            "weight": self.weight,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read and check what `to_dict` wrote."""
        return cls(
            source=check_field("id", values["source"]),
            target=check_field("id", values["target"]),
            relation=check_field("relation", values["relation"]),
            weight=check_field("weight", values["weight"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Memories, nearest first, and the edges between them."""

    nodes: tuple[Memory, ...]
    edges: tuple[Association, ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "nodes": [each.to_dict() for each in self.nodes],
            "edges": [each.to_dict() for each in self.edges],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            nodes=tuple(map(Memory.from_dict, values["nodes"])),
            edges=tuple(map(Association.from_dict, values["edges"])),
        )


# Filters of lists and counts.


class BaseFilters(TypedDict, total=False):
    """Conditions that all must hold; one that is None or not named is free.

    Of the states, `live` is meant if none is named. `agent` is one that may see the memories.
    `contains` is looked for in the content, the key and the tags, in capitals or not. What has a
    `_from` may be of that moment, what has a `_to` is from before it.
    """

    state: State | str | None
    types: Iterable[MemoryType | str] | None
    scope: Scope | str | None
    scope_id: str | None
    agent: str | None
    key: str | None
    tag: str | None
    pinned: bool | None
    contains: str | None
    source: Actor | str | None
    trust: Trust | str | None
    explicit: bool | None
    session: str | None
    expires: bool | None
    min_importance: float | None
    max_importance: float | None
    min_confidence: float | None
    created_from: datetime | date | str | None
    created_to: datetime | date | str | None
    updated_from: datetime | date | str | None


class Filters(BaseFilters, total=False):
    """The same, and a user who may see the memories."""

    user: str | None


def check_filters(values: Mapping[str, Any]) -> dict[str, Any]:
    """The filters that are not free, checked; and the state, if every one is meant."""
    given = {name: value for name, value in values.items() if value is not None}
    checked = check_all_fields(given, FILTERS)
    return {"state": None, **checked} if values.get("state", State.LIVE) is None else checked


def check_erase_filters(values: Mapping[str, Any]) -> dict[str, Any]:
    """The filters of what is to be erased: at least one, and every state unless one is named."""
    given = {name: value for name, value in values.items() if value is not None}
    for name in ("agent", "user"):
        if name in given:
            problem = f"says what a {name} may see, which is more than their own; name a scope_id"
            raise InvalidInput(name, problem)
    if not given or given == {"state": State.LIVE}:
        problem = "name one that leaves something out, so that not everything is erased"
        raise InvalidInput("filters", problem)
    return check_filters({"state": None, **given})


def check_assign_filters(
    user: str, ids: Iterable[str] | None, from_user: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    """The filters of what is to be given to a user: in every state unless one is named."""
    given = {name: value for name, value in values.items() if value is not None}
    if check_field("scope_id", from_user) == user:
        raise InvalidInput("from_user", f"{user!r} has these memories already; name another user")
    if ids is not None and (from_user or given.keys() - {"agent"}):
        raise InvalidInput("ids", "name memories, or whose they are and filters, not both")
    for name in ("scope", "scope_id"):
        if name in given:
            raise InvalidInput(name, "only memories of users are assigned; from_user says whose")
    return check_filters({"state": None, **given})


FILTERS = frozenset(Filters.__annotations__)
