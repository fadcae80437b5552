"""A memory: one statement worth knowing later."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.kinds import Actor, MemoryType, Owner, Scope, State, Trust
from tacit.core.memory.origin import Origin
from tacit.core.memory.times import rfc3339


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
        return content_hash(**{name: getattr(self, name) for name in IDENTITY})

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
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; everything is checked, because files get edited."""
        known = {each.name for each in fields(cls)}
        return cls(**{name: check(name, value) for name, value in values.items() if name in known})


IDENTITY = ("content", "type", "key", "scope", "scope_id", "agent")
"""What makes two statements the same; the key counts, since a value means little without it."""


def content_hash(**identity: str | None) -> bytes:
    """The identity of a statement: the same words, of one type, about one key, of one owner."""
    parts = [identity[name] for name in IDENTITY]
    return sha256(json.dumps(parts).encode()).digest()


def plain(value: Any) -> Any:
    """A field's value, ready for JSON."""
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, Origin):
        return value.to_dict()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return list(value)
    return value
