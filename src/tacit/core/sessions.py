"""A session: one conversation that memory serves, its participants and its variables."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Self

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.times import to_rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session: how many turns were committed in it, and who spoke."""

    id: str
    turns: int = 0
    speakers: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    cleared_at: datetime | None = None
    """When its history last started over: cleared, reset, or compacted by its host."""
    clears: int = 0
    """How often it was cleared; a turn that began before a clearing is not recorded after it."""

    @property
    def cursor(self) -> str:
        """Its position in the list by last activity, for the next page."""
        return f"{to_rfc3339(self.updated_at)} {self.id}"

    @property
    def is_shared(self) -> bool:
        """Whether several people speak in it."""
        return len(self.speakers) > 1

    def after(self, speaker: str | None, now: datetime) -> Self:
        """The session once a turn of this speaker is committed."""
        spoken = dict.fromkeys(self.speakers)
        if speaker is not None:
            spoken[speaker] = None
        return replace(self, turns=self.turns + 1, speakers=tuple(spoken), updated_at=now)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "turns": self.turns,
            "speakers": list(self.speakers),
            "created_at": to_rfc3339(self.created_at),
            "updated_at": to_rfc3339(self.updated_at),
            "cleared_at": None if self.cleared_at is None else to_rfc3339(self.cleared_at),
            "clears": self.clears,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        cleared = values.get("cleared_at")
        return cls(
            id=values["id"],
            turns=values["turns"],
            speakers=tuple(values["speakers"]),
            created_at=check_field("created_at", values["created_at"]),
            updated_at=check_field("updated_at", values["updated_at"]),
            cleared_at=None if cleared is None else check_field("at", cleared),
            clears=values["clears"],
        )


def parse_session_cursor(cursor: str) -> tuple[datetime, str]:
    """The time and the id in a cursor of a session."""
    at, space, id = cursor.partition(" ")
    try:
        if space:
            return check_field("at", at), check_field("workspace", id)
    except InvalidInput:
        pass
    raise InvalidInput("after", f"{cursor!r} is no cursor of a session; start from the top")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSession(Session):
    """A session, and whether it is paused."""

    is_paused: bool

    @classmethod
    def of(cls, session: Session, *, is_paused: bool) -> Self:
        """A session with its pause state."""
        kept = {each.name: getattr(session, each.name) for each in fields(Session)}
        return cls(**kept, is_paused=is_paused)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**Session.to_dict(self), "paused": self.is_paused}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls.of(Session.from_dict(values), is_paused=values["paused"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """An agent and a user, as far as they are known, that take part in a session.

    `took_turn` is false as long as they only claimed its name: a turn of theirs has begun, or they
    set a variable. A context of grounded prompts has participants too, under its key.
    """

    session: str
    agent: str | None = None
    user: str | None = None
    took_turn: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "session": self.session,
            "agent": self.agent,
            "user": self.user,
            "took_turn": self.took_turn,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionVariable:
    """A variable that a workflow set in a session; its value is plain JSON."""

    session: str
    name: str
    value: Any
    at: datetime

    @property
    def texts(self) -> list[str]:
        """All texts in its value, however deep."""
        return _texts(self.value)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "session": self.session,
            "name": self.name,
            "value": self.value,
            "at": to_rfc3339(self.at),
        }

    @property
    def value_json(self) -> str:
        """The value as JSON, as a column stores it."""
        return json.dumps(self.value, ensure_ascii=True, allow_nan=False)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in _texts(each)]
    return []
