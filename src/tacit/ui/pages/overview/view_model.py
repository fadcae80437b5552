"""Activity of a workspace as chart columns and counts, and events as sentences."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from tacit.core.activity import Activity
from tacit.core.events import Event, EventKind
from tacit.core.receipt import CandidateSource, Fate
from tacit.ui.kit.display import ChartColumn
from tacit.ui.turn_labels import SKIP_LABELS, disposition_label

OUTCOME_TONES = {"injected": "accent", "nothing relevant": "neutral", "skipped": "warn"}
CREATED_TONES = {"created": "accent"}
_FOUND_NAMES = {
    CandidateSource.CONTEXTUAL: "found for the message",
    CandidateSource.PINNED: "pinned",
    CandidateSource.FACT: "current facts",
    CandidateSource.STANDING: "standing rules",
    CandidateSource.EPISODE: "said earlier",
}


def turn_columns(activity: Activity) -> list[ChartColumn]:
    """The turns per period, by result."""
    return [
        ChartColumn(
            _period_name(period.start, activity.series.step_seconds),
            {
                "injected": period.injected,
                "nothing relevant": period.nothing,
                "skipped": period.skipped,
            },
        )
        for period in activity.series.periods
    ]


def growth_columns(activity: Activity) -> list[ChartColumn]:
    """The new memories per day."""
    return [
        ChartColumn(day.isoformat(), {"created": count})
        for day, count in activity.growth.created.items()
    ]


def source_counts(activity: Activity) -> dict[str, int]:
    """How many injected memories each source found."""
    return {_FOUND_NAMES[found]: count for found, count in activity.found.items()}


def skip_counts(activity: Activity) -> dict[str, int]:
    """How many turns were skipped for each reason."""
    return {SKIP_LABELS[skip].label: count for skip, count in activity.skipped.items() if count}


def omission_counts(left_out: Mapping[Fate, int], most: int = 8) -> list[tuple[str, int]]:
    """How many candidates were left out for each reason, the most frequent first."""
    ordered = sorted(left_out.items(), key=lambda each: each[1], reverse=True)
    return [(disposition_label(fate), count) for fate, count in ordered if count][:most]


def stage_latencies(activity: Activity) -> list[tuple[str, float, float]]:
    """Each stage with its p50 and p95: the total first, then the slowest."""
    latencies = [(name, each.p50, each.p95) for name, each in activity.latency_ms.items()]
    return sorted(latencies, key=lambda each: (each[0] != "total", -each[2]))


def share_of_largest(count: int, counts: Sequence[int]) -> float:
    """A count as a share of the largest count."""
    most = max(counts, default=0)
    return count / most if most else 0.0


def _period_name(start: datetime, step_seconds: int) -> str:
    day = start.strftime("%d %b")
    return day if step_seconds >= 86_400 else f"{day} {start:%H:%M} UTC"


# Events as sentences.


def event_text(event: Event) -> str:
    """An event as a sentence."""
    return _EVENT_TEXTS[event.kind](event.data)


def _plural(count: int, thing: str) -> str:
    plural = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}"


def _in_session(data: Mapping[str, Any]) -> str:
    return f" in session {data['session']}" if data.get("session") else ""


def _injected_text(data: Mapping[str, Any]) -> str:
    return f"{_plural(len(data['memories']), 'memory')} injected{_in_session(data)}"


def _nothing_text(data: Mapping[str, Any]) -> str:
    why = f" ({_skip_text(str(data['skipped']))})" if data.get("skipped") else ""
    return f"Nothing injected{_in_session(data)}{why}"


def _skip_text(word: str) -> str:
    """Why a turn was skipped; a newer server may send reasons that are unknown here."""
    return _SKIP_NAMES.get(word, word.replace("_", " "))


def _changed_text(data: Mapping[str, Any]) -> str:
    done = Counter(_ACTIONS.get(each["action"], "changed") for each in data["changes"])
    shown = ", ".join(f"{_plural(count, 'memory')} {action}" for action, count in done.items())
    more = data["count"] - len(data["changes"])
    rest = f" and {more:,} more" if more > 0 else ""
    return f"{shown}{rest} by {data['by']}"


def _settings_text(data: Mapping[str, Any]) -> str:
    return "Settings changed" if data.get("valid", True) else "The settings file is invalid"


def _reset_text(data: Mapping[str, Any]) -> str:
    return f"Session {data.get('session', '')} may be shown everything again"


def _review_text(data: Mapping[str, Any]) -> str:
    return f"A change was {data.get('decision', 'decided')}"


_SKIP_NAMES = {str(skip): skipped.label for skip, skipped in SKIP_LABELS.items()}
_ACTIONS = {
    "insert": "kept",
    "supersede": "superseded",
    "forget": "forgotten",
    "restore": "brought back",
    "erase": "erased",
    "link": "linked",
    "unlink": "unlinked",
}
_EVENT_TEXTS: Mapping[EventKind, Callable[[Mapping[str, Any]], str]] = {
    EventKind.MEMORY_INJECTED: _injected_text,
    EventKind.NOTHING_INJECTED: _nothing_text,
    EventKind.MEMORIES_CHANGED: _changed_text,
    EventKind.CONFLICT_DETECTED: lambda data: f"Memories contradict each other{_in_session(data)}",
    EventKind.COMPACTION: lambda data: f"A history was compacted{_in_session(data)}",
    EventKind.SESSION_RESET: _reset_text,
    EventKind.SETTINGS_CHANGED: _settings_text,
    EventKind.REVIEW_DECIDED: _review_text,
}
