"""What the figures of the overview are called, and what they look like."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from tacit.core.receipt.activity import Activity
from tacit.core.receipt.candidate import Fate, Found
from tacit.ui.fates import SKIPS, label_of
from tacit.ui.kit.chart import Column

OUTCOMES = {"injected": "accent", "nothing worth it": "neutral", "skipped": "warn"}
CREATED = {"created": "accent"}
_FOUND = {
    Found.CONTEXTUAL: "found for the message",
    Found.PINNED: "pinned",
    Found.FACT: "current facts",
}


def outcomes(activity: Activity) -> list[Column]:
    """The turns period by period, by how they went."""
    return [
        Column(
            _told(period.start, activity.series.step_seconds),
            {
                "injected": period.injected,
                "nothing worth it": period.nothing,
                "skipped": period.skipped,
            },
        )
        for period in activity.series.periods
    ]


def growth(activity: Activity) -> list[Column]:
    """The memories that came, day by day."""
    return [
        Column(day.isoformat(), {"created": count})
        for day, count in activity.growth.created.items()
    ]


def sources(activity: Activity) -> dict[str, int]:
    """How what was injected was found, in words."""
    return {_FOUND[found]: count for found, count in activity.found.items()}


def skips(activity: Activity) -> dict[str, int]:
    """Why turns were skipped, in words."""
    return {SKIPS[skip].label: count for skip, count in activity.skipped.items() if count}


def losses(left_out: Mapping[Fate, int], most: int = 8) -> list[tuple[str, int]]:
    """Why candidates were left out, the most frequent reason first."""
    ordered = sorted(left_out.items(), key=lambda each: each[1], reverse=True)
    return [(label_of(fate), count) for fate, count in ordered if count][:most]


def stages(activity: Activity) -> list[tuple[str, float, float]]:
    """Each stage with its p50 and p95, the slowest first and all together before them."""
    told = [(name, each.p50, each.p95) for name, each in activity.latency_ms.items()]
    return sorted(told, key=lambda each: (each[0] != "total", -each[2]))


def share(count: int, counts: Sequence[int]) -> float:
    """How much of the largest a count is."""
    most = max(counts, default=0)
    return count / most if most else 0.0


def _told(start: datetime, step_seconds: int) -> str:
    day = start.strftime("%d %b")
    return day if step_seconds >= 86_400 else f"{day} {start:%H:%M} UTC"
