"""Changes of memories: audit entries of those that were made, reviews of those that wait."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from uuid import UUID

from tacit.core.fields import CheckedValue, Id
from tacit.core.json_value import CheckedAs, JsonValue
from tacit.core.kinds import Action, Actor, Subject
from tacit.core.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(CheckedValue):
    """One change: what, when, by whom, and the fields that differ, before and after.

    The change of an association belongs to its source.
    """

    id: Id
    memory: Annotated[Id, CheckedAs("id")]
    action: Action
    by: Actor
    at: datetime
    subject: Subject = Subject.MEMORY
    old: Mapping[str, Any] | None = None
    new: Mapping[str, Any] | None = None


ChangePlace = tuple[datetime, str]
"""When a change was made, and its id: what the next page of changes goes on before."""


class ChangeKind(StrEnum):
    """What memory did to a memory by itself."""

    REPLACED = "replaced"
    MERGED = "merged"
    HIDDEN = "hidden"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(JsonValue):
    """Something that was done to a memory without a person, and that a person can undo."""

    id: Id
    kind: ChangeKind
    at: datetime
    by: Annotated[Actor, "Who did it: the system, an agent, a tool or an import."]
    memory: Annotated[Memory, "What was replaced, merged, hidden or expired."]
    other: Annotated[Memory | None, "What stands instead, if it is there."] = None
    reason: Annotated[str, "Why, in words."] = ""
    likelihood: Annotated[
        float | None, "How likely the newer statement replaces the older one, if that was read."
    ] = None
    undone: Annotated[bool, "Whether the memory holds again."] = False

    @property
    def place(self) -> ChangePlace:
        """Where it stands among the others."""
        return self.at, self.id


_VERSION = 0x8 << 76
_VARIANT = 0b10 << 62
_FREE = ~(0xF << 76 | 0b11 << 62)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review(CheckedValue):
    """A requested change of a memory that only a person may make; it waits for a decision."""

    id: Id
    memory: Annotated[Id, CheckedAs("id")]
    action: Action
    change: Mapping[str, Any]
    by: Actor
    created_at: datetime

    @property
    def subject(self) -> Subject:
        """What would change: a memory or an association."""
        is_edge = self.action is Action.INSERT and "relation" in self.change
        return Subject.ASSOCIATION if is_edge else Subject.MEMORY

    @property
    def is_proposal(self) -> bool:
        """Whether it proposes a new memory; `change` then holds all fields of it."""
        return self.action is Action.INSERT and self.subject is Subject.MEMORY

    @property
    def other(self) -> str | None:
        """The memory that would replace this one, or be associated with it."""
        if self.action is Action.SUPERSEDE:
            return _text_or_none(self.change.get("superseded_by"))
        ends = (self.change.get("source"), self.change.get("target"))
        is_edge = self.subject is Subject.ASSOCIATION
        return (
            next((_text_or_none(end) for end in ends if end != self.memory), None)
            if is_edge
            else None
        )

    @property
    def fields(self) -> dict[str, Any]:
        """The fields that an update would set.

        `trust` is left out if the content changes: a person accepts it, so it becomes theirs.
        """
        left_out = {"trust"} if "content" in self.change else set()
        return {name: value for name, value in self.change.items() if name not in left_out}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewReport(JsonValue):
    """A review with the memories that it concerns, for the person who decides.

    `memory` is the current memory, if it exists; `other` would replace it or be associated with it.
    """

    COMPUTED: ClassVar[tuple[str, ...]] = ("present", "wished")

    review: Review
    memory: Annotated[Memory | None, "The memory as it is now, if it is there."] = None
    other: Annotated[Memory | None, "The one that would take its place, or be related to it."] = (
        None
    )

    @property
    def present(self) -> Annotated[str | None, "What is said now."]:
        """The current content; None if the memory is forgotten or new."""
        return None if self.memory is None or self.memory.forgotten else self.memory.content

    @property
    def wished(self) -> Annotated[str | None, "What would be said instead."]:
        """The requested content; None if the memory would be forgotten."""
        if self.review.action is Action.FORGET:
            return None
        if self.review.action is Action.SUPERSEDE:
            return None if self.other is None else self.other.content
        content = _text_or_none(self.review.change.get("content"))
        return content if content is not None or self.memory is None else self.memory.content


def _text_or_none(value: Any) -> str | None:
    """A text of a change; an archive may have brought another type."""
    return value if isinstance(value, str) else None


def derive_proposal_id(content_hash: bytes) -> str:
    """The id of a proposed memory: the same id for the same statement (UUIDv8)."""
    number = int.from_bytes(content_hash[:16]) & _FREE
    return str(UUID(int=number | _VERSION | _VARIANT))
