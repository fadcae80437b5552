"""Events of a workspace, for those who watch it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from tacit.core.fields import check_field
from tacit.core.kinds import check_choice
from tacit.core.times import to_rfc3339


class EventKind(StrEnum):
    """The kinds of events."""

    MEMORY_INJECTED = "memory_injected"
    NOTHING_INJECTED = "nothing_injected"
    MEMORIES_CHANGED = "memories_changed"
    CONFLICT_DETECTED = "conflict_detected"
    COMPACTION = "compaction"
    SESSION_RESET = "session_reset"
    SETTINGS_CHANGED = "settings_changed"
    REVIEW_DECIDED = "review_decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event; the events of a workspace are numbered from 1.

    `data` is plain JSON, and names memories only by their ids.
    """

    number: int
    at: datetime
    kind: EventKind
    data: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "number": self.number,
            "at": to_rfc3339(self.at),
            "kind": str(self.kind),
            "data": dict(self.data),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The reverse of `to_dict`."""
        return cls(
            number=int(values["number"]),
            at=check_field("at", values["at"]),
            kind=check_choice("kind", EventKind, values["kind"]),
            data=dict(values["data"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """A page of events; `first` and `last` are the numbers of the oldest and newest event kept.

    `seen` is the last number that was looked at; events in between may be hidden from the caller.
    """

    events: tuple[Event, ...]
    first: int
    last: int
    seen: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "items": [each.to_dict() for each in self.events],
            "first": self.first,
            "last": self.last,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            events=tuple(map(Event.from_dict, values["items"])),
            first=values["first"],
            last=values["last"],
        )
