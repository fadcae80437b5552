"""What a coding CLI says and what it takes, as one description for each."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tacit.integrations.workflows.trigger import Trigger

Raw = Mapping[str, Any]
"""An event as the client writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One moment of a session, read out of what a client wrote."""

    trigger: Trigger
    data: Mapping[str, Any] = field(default_factory=dict)
    session: str = ""
    once: str | None = None
    """The name of what happened, where it may be read again: it counts once in its session."""


Reader = Callable[[Raw], tuple[Reading, ...]]
"""Reads one kind of event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A coding CLI: its events, what they mean, and how long and how much it takes."""

    name: str
    events: tuple[str, ...]
    """The events that are asked for when it is installed."""
    readers: Mapping[str, Reader]
    """Every event that means something, and how it is read."""
    takes_context: frozenset[str]
    """The events whose answer reaches the model."""
    seconds: Mapping[str, float] = field(default_factory=lambda: {"SessionEnd": 1.0})
    """Where we give up earlier than usual, since the client does."""
    room: int = 9_000
    """How many characters reach the model whole."""
    confirms_compaction: bool = True
    """Whether it can be known afterwards that a history was compacted."""

    @property
    def tool_events(self) -> tuple[str, ...]:
        """The events around tools, which are asked for only where somebody wants them."""
        return tuple(event for event in self.readers if event not in self.events)

    def read(self, raw: Raw) -> tuple[Reading, ...]:
        """The moments in an event; none where it is a subagent's, unknown or malformed."""
        reader = self.readers.get(text_of(raw, "hook_event_name"))
        session = text_of(raw, "session_id")
        if reader is None or not session or raw.get("agent_id"):
            return ()
        known = {"client": self.name, "confirms_compaction": self.confirms_compaction}
        return tuple(
            Reading(
                trigger=each.trigger, session=session, data={**known, **each.data}, once=each.once
            )
            for each in reader(raw)
        )

    def answer(self, raw: Raw, text: str, *, notice: str = "") -> str:
        """What to print so that the model gets a text, and the person who uses it a notice."""
        event = text_of(raw, "hook_event_name")
        if event not in self.takes_context:
            return ""
        answer: dict[str, Any] = {"systemMessage": f"Tacit: {notice}"} if notice else {}
        if text:
            answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
        return json.dumps(answer, ensure_ascii=False) if answer else ""

    def time_for(self, event: str) -> float:
        """How many seconds an event may take us."""
        return self.seconds.get(event, USUAL_SECONDS)


USUAL_SECONDS = 5.0


def text_of(raw: Raw, name: str) -> str:
    """A field that is a text; empty where it is anything else."""
    value = raw.get(name)
    return value if isinstance(value, str) else ""
