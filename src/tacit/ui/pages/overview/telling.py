"""Events in words."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tacit.core.conversation.event import Event, EventKind
from tacit.ui.fates import SKIPS


def told(event: Event) -> str:
    """What happened, in a sentence."""
    return _WORDS[event.kind](event.data)


def _many(count: int, thing: str) -> str:
    plural = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}"


def _in_session(data: Mapping[str, Any]) -> str:
    return f" in session {data['session']}" if data.get("session") else ""


def _injected(data: Mapping[str, Any]) -> str:
    return f"{_many(len(data['memories']), 'memory')} injected{_in_session(data)}"


def _nothing(data: Mapping[str, Any]) -> str:
    why = f" ({_skip(str(data['skipped']))})" if data.get("skipped") else ""
    return f"Nothing injected{_in_session(data)}{why}"


def _skip(word: str) -> str:
    """Why a turn was skipped; a newer server may know reasons that these pages do not."""
    return _SKIPS.get(word, word.replace("_", " "))


def _changed(data: Mapping[str, Any]) -> str:
    done = Counter(_ACTIONS.get(each["action"], "changed") for each in data["changes"])
    shown = ", ".join(f"{_many(count, 'memory')} {action}" for action, count in done.items())
    more = data["count"] - len(data["changes"])
    rest = f" and {more:,} more" if more > 0 else ""
    return f"{shown}{rest} by {data['by']}"


def _settings(data: Mapping[str, Any]) -> str:
    return "Settings changed" if data.get("valid", True) else "The settings file is invalid"


def _reset(data: Mapping[str, Any]) -> str:
    return f"Session {data.get('session', '')} may be shown everything again"


def _review(data: Mapping[str, Any]) -> str:
    return f"A change was {data.get('decision', 'decided')}"


_SKIPS = {str(skip): skipped.label for skip, skipped in SKIPS.items()}
_ACTIONS = {
    "insert": "kept",
    "supersede": "superseded",
    "forget": "forgotten",
    "restore": "brought back",
    "erase": "erased",
    "link": "linked",
    "unlink": "unlinked",
}
_WORDS: Mapping[EventKind, Callable[[Mapping[str, Any]], str]] = {
    EventKind.MEMORY_INJECTED: _injected,
    EventKind.NOTHING_INJECTED: _nothing,
    EventKind.MEMORIES_CHANGED: _changed,
    EventKind.CONFLICT_DETECTED: lambda data: f"Memories contradict each other{_in_session(data)}",
    EventKind.COMPACTION: lambda data: f"A history was compacted{_in_session(data)}",
    EventKind.SESSION_RESET: _reset,
    EventKind.SETTINGS_CHANGED: _settings,
    EventKind.REVIEW_DECIDED: _review,
}
