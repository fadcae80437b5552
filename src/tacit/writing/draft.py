"""What a write takes and returns: the draft of a memory, and the memory with what was done."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Self, TypedDict

from tacit.core.changes import Review
from tacit.core.fields import Id, Origin, check_all_fields, check_key_scope, to_search_text
from tacit.core.json_value import JsonValue
from tacit.core.kinds import (
    AGENTS,
    DEFAULT_CONFIDENCE,
    DEFAULT_IMPORTANCE,
    PERSONS,
    Actor,
    MemoryType,
    Scope,
    Trust,
)
from tacit.core.memory import Memory, may_stand_as_rule
from tacit.core.owners import name_owner
from tacit.language.redaction.redact import redact_fields


class DraftFields(TypedDict, total=False):
    """What can be given for a memory besides its content.

    One of `session`, `project`, `user` and `org` says whose it is; `scope` and `scope_id` say the
    same.
    """

    type: MemoryType | str
    key: str | None
    importance: float | None
    confidence: float | None
    scope: Scope | str
    scope_id: str
    session: str | None
    project: str | None
    user: str | None
    org: str | bool | None
    agent: str | None
    origin: Origin | Mapping[str, Any]
    trust: Trust | str | None
    tags: Iterable[str]
    metadata: Mapping[str, Any]
    pinned: bool
    valid_from: datetime | date | str | None
    valid_to: datetime | date | str | None
    expires_at: datetime | date | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraft:
    """A checked draft; fields that stay None take the default of their type or author."""

    content: str
    type: MemoryType = MemoryType.FACT
    key: str | None = None
    importance: float | None = None
    confidence: float | None = None
    scope: Scope = Scope.USER
    scope_id: str = ""
    agent: str | None = None
    origin: Origin = Origin()
    trust: Trust | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    pinned: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    given: frozenset[str] = frozenset()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Check what was given and remove secrets; None means "not given"."""
        given = name_owner({name: it for name, it in values.items() if it is not None})
        checked = check_all_fields({"content": "", **given}, DRAFT_FIELDS)
        draft = cls(**redact_fields(checked), given=frozenset(given))
        check_key_scope(draft.key, draft.scope)
        return draft

    @property
    def search_text(self) -> str:
        """The text by which search will find it."""
        return to_search_text(self.content, self.origin, self.key)

    def waits_for_person(self, by: Actor) -> bool:
        """Whether a person decides about it first: pins and standing rules of an agent."""
        sure = DEFAULT_CONFIDENCE[by] if self.confidence is None else self.confidence
        return by in AGENTS and may_stand_as_rule(self.type, sure, pinned=self.pinned)

    def memory(self, *, id: str, workspace: str, by: Actor, now: datetime) -> Memory:
        """The memory that this becomes when `by` writes it now."""
        given = {name: getattr(self, name) for name in DRAFT_FIELDS}
        usual = {
            "importance": DEFAULT_IMPORTANCE[self.type],
            "confidence": DEFAULT_CONFIDENCE[by],
            "trust": default_trust(by, self.origin),
        }
        missing = {name: value for name, value in usual.items() if given[name] is None}
        return Memory(
            **{**given, **missing},
            id=id,
            workspace=workspace,
            source=by,
            explicit=by in PERSONS,
            created_at=now,
            updated_at=now,
        )


def default_trust(by: Actor, origin: Origin) -> Trust:
    """The highest trust of an author's words: what others took from the web is untrusted."""
    if by in PERSONS:
        return Trust.TRUSTED
    return Trust.UNTRUSTED if origin.url is not None else Trust.UNVERIFIED


def check_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Check what is given for memories besides their content; None means "not given"."""
    given = name_owner({name: it for name, it in values.items() if it is not None})
    return check_all_fields(given, DRAFT_FIELDS - {"content"})


DRAFT_FIELDS = frozenset(each.name for each in fields(MemoryDraft)) - {"given"}


# The result of a write


class Status(StrEnum):
    """How a write ended."""

    CREATED = "created"
    KNOWN = "known"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    SUPERSEDED = "superseded"
    KEPT = "kept"
    QUEUED = "queued"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written(JsonValue):
    """The memory as it is now, and what was done.

    `superseded` are the memories that it replaced; `review` is what waits for a person, if
    anything.
    """

    status: Status
    memory: Memory
    superseded: tuple[Id, ...] = ()
    review: Review | None = None

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id
