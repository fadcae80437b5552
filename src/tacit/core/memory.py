"""A memory, its associations with other memories, and the filters that select memories."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from typing import Annotated, Any, TypedDict

from tacit.core.errors import InvalidInput
from tacit.core.fields import (
    CheckedValue,
    Fraction,
    Id,
    Origin,
    check_all_fields,
    check_field,
    to_search_text,
)
from tacit.core.json_value import OPEN, CheckedAs, Example, JsonValue
from tacit.core.kinds import (
    RULE_CONFIDENCE,
    STANDING_TYPES,
    Actor,
    MemoryType,
    Owner,
    Relation,
    Scope,
    State,
    Trust,
)
from tacit.core.owners import parse_owner


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(CheckedValue):
    """A statement with its owner, its origin, and the time in which it is true."""

    id: Id
    workspace: str
    content: Annotated[str, Example("We chose JWT over session tokens for the API")]
    type: MemoryType
    key: Annotated[str | None, Example("editor.indent")] = None
    importance: Fraction
    confidence: Fraction
    scope: Scope
    scope_id: str = ""
    agent: Annotated[str | None, "Visible to this agent only."] = None
    source: Actor
    origin: Annotated[Origin, OPEN] = Origin()
    trust: Trust
    explicit: bool
    pinned: bool = False
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None = None
    access_count: int = 0
    valid_from: Annotated[datetime | None, Example("2026-12-31")] = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    expires_at: datetime | None = None
    forgotten: bool = False

    @property
    def content_hash(self) -> bytes:
        """The hash of what identifies a statement; two memories with one hash are the same."""
        return hash_content(**{name: getattr(self, name) for name in IDENTITY_FIELDS})

    @property
    def search_text(self) -> str:
        """The text by which search finds it."""
        return to_search_text(self.content, self.origin, self.key)

    @property
    def owner(self) -> Owner:
        """The scope and the id of its owner."""
        return self.scope, self.scope_id

    @property
    def said_at(self) -> datetime:
        """When it was said, or else when it was written."""
        return self.origin.time or self.created_at

    def state(self, now: datetime) -> State:
        """Its state at a given time."""
        if self.forgotten:
            return State.FORGOTTEN
        ended = (self.valid_to, self.expires_at)
        if self.superseded_by is not None or any(end and end <= now for end in ended):
            return State.PAST
        if self.valid_from is not None and self.valid_from > now:
            return State.FUTURE
        return State.LIVE


def may_stand_as_rule(type: MemoryType, confidence: float, *, pinned: bool) -> bool:
    """Whether a memory acts whatever is asked: as a pin, or as a standing rule."""
    return pinned or (type in STANDING_TYPES and confidence >= RULE_CONFIDENCE)


def is_org_rule(scope: Scope, type: MemoryType, *, pinned: bool) -> bool:
    """Whether a memory tells everybody in an organisation what to do: a rule, or a pin."""
    return scope is Scope.ORG and (pinned or type in STANDING_TYPES)


IDENTITY_FIELDS = ("content", "type", "key", "scope", "scope_id", "agent")
"""The fields that identify a statement; the key counts, since a value means little without it."""


def hash_content(**identity: str | None) -> bytes:
    """The hash of what identifies a statement: content, type, key and owner."""
    parts = [identity[name] for name in IDENTITY_FIELDS]
    return sha256(json.dumps(parts).encode()).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Association(CheckedValue):
    """A relation between two memories; the weight is not part of its identity."""

    source: Annotated[Id, CheckedAs("id")]
    target: Annotated[Id, CheckedAs("id")]
    relation: Relation = Relation.RELATED_TO
    weight: Fraction = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementComparison:
    """How the later of two statements, memories or episodes, stands to the earlier one."""

    earlier: str
    later: str
    score: float
    """How likely the later one replaces the earlier one."""
    likeness: float
    """How near their vectors are."""
    by_model: bool = True
    """Whether a model has read them; else only their structure was compared."""

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of the earlier and the later one."""
        return self.earlier, self.later


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph(JsonValue):
    """Memories, nearest first, and the edges between them."""

    nodes: tuple[Memory, ...]
    edges: tuple[Association, ...]


# Filters of lists and counts.


class BaseFilters(TypedDict, total=False):
    """Conditions that must all hold; None or a missing name means any value.

    The default state is `live`. `agent` selects memories that this agent can see. `contains` is
    searched in the content, the key and the tags, ignoring case. `owner` is a scope and its id in
    one: `user:ann`. `_from` includes the given time,
    `_to` excludes it.
    """

    state: State | str | None
    types: Iterable[MemoryType | str] | None
    scope: Scope | str | None
    scope_id: str | None
    owner: str | None
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
    """The same, and a user who can see the memories, and the project they are looked at from.

    `project` leaves out what belongs to other projects.
    """

    user: str | None
    project: str | None


def check_filters(values: Mapping[str, Any]) -> dict[str, Any]:
    """The given filters, checked; `state` is None if every state is meant."""
    given = _split_owner({name: value for name, value in values.items() if value is not None})
    checked = check_all_fields(given, FILTERS)
    return {"state": None, **checked} if values.get("state", State.LIVE) is None else checked


def _split_owner(given: dict[str, Any]) -> dict[str, Any]:
    """The filters with `scope` and `scope_id` in place of `owner`."""
    if "owner" not in given:
        return given
    if both := [name for name in ("scope", "scope_id") if name in given]:
        raise InvalidInput("owner", f"give owner or {both[0]}: both say whose memories are meant")
    scope, id = parse_owner(given.pop("owner"))
    return {**given, "scope": scope, "scope_id": id}


def check_erase_filters(values: Mapping[str, Any]) -> dict[str, Any]:
    """The filters of a bulk erasure: at least one, and every state unless one is named."""
    given = {name: value for name, value in values.items() if value is not None}
    for name in ("agent", "user"):
        if name in given:
            problem = f"says what a {name} may see, which is more than their own; name a scope_id"
            raise InvalidInput(name, problem)
    if "project" in given:
        problem = "leaves out other projects only, and is no owner; name owner='project:NAME'"
        raise InvalidInput("project", problem)
    if not given or given == {"state": State.LIVE}:
        problem = "name one that leaves something out, so that not everything is erased"
        raise InvalidInput("filters", problem)
    return check_filters({"state": None, **given})


def check_assign_filters(
    user: str, ids: Iterable[str] | None, from_user: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    """The filters of memories to assign to a user: every state unless one is named."""
    given = {name: value for name, value in values.items() if value is not None}
    if check_field("scope_id", from_user) == user:
        raise InvalidInput("from_user", f"{user!r} has these memories already; name another user")
    if ids is not None and (from_user or given.keys() - {"agent"}):
        raise InvalidInput("ids", "name memories, or whose they are and filters, not both")
    for name in ("scope", "scope_id", "owner"):
        if name in given:
            raise InvalidInput(name, "only memories of users are assigned; from_user says whose")
    return check_filters({"state": None, **given})


FILTERS = frozenset(Filters.__annotations__)
