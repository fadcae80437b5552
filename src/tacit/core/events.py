"""Events of a workspace, for those who watch it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from tacit.core.json_value import UNWRITTEN, JsonValue, Named


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
class Event(JsonValue):
    """An event; the events of a workspace are numbered from 1.

    `data` is plain JSON, and names memories only by their ids.
    """

    number: int
    at: datetime
    kind: EventKind
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage(JsonValue):
    """A page of events; `first` and `last` are the numbers of the oldest and newest event kept.

    `seen` is the last number that was looked at; events in between may be hidden from the caller.
    """

    events: Annotated[tuple[Event, ...], Named("items")]
    first: Annotated[int, "The oldest that is kept; 0 if none is."]
    last: Annotated[int, "The newest that there ever was; 0 if none."]
    seen: Annotated[int, UNWRITTEN] = 0
