"""Turns over time: how many there were in each period, and how they went."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.times import rfc3339

_MOST = 48
_WEEK = timedelta(weeks=1)
_STEPS = (
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(days=1),
    _WEEK,
)
_A_MONDAY = datetime(1970, 1, 5, tzinfo=UTC)


class Outcome(StrEnum):
    """How a turn went: something was injected, nothing was worth it, or nothing was looked for."""

    INJECTED = "injected"
    NOTHING = "nothing"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What counts of a turn where many are counted."""

    at: datetime
    outcome: Outcome
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The turns from a moment on, until the next period begins."""

    start: datetime
    injected: int
    nothing: int
    skipped: int
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "start": rfc3339(self.start)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(**{**values, "start": check("at", values["start"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Periods of one length, oldest first and without a gap; at most some fifty."""

    step_seconds: int
    periods: tuple[Period, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "step_seconds": self.step_seconds,
            "periods": [each.to_dict() for each in self.periods],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        periods = tuple(map(Period.from_dict, values["periods"]))
        return cls(step_seconds=values["step_seconds"], periods=periods)


def series_of(moments: Sequence[Moment]) -> Series:
    """Turns in periods of the shortest length that makes few of them."""
    times = [each.at for each in moments]
    step = _step(max(times) - min(times)) if times else _STEPS[0]
    seconds = int(step.total_seconds())
    if not times:
        return Series(step_seconds=seconds)
    members: dict[int, list[Moment]] = {}
    for each in moments:
        members.setdefault((each.at - _A_MONDAY) // step, []).append(each)
    places = range(min(members), max(members) + 1)
    periods = (_period(_A_MONDAY + place * step, members.get(place, ())) for place in places)
    return Series(step_seconds=seconds, periods=tuple(periods))


def _step(span: timedelta) -> timedelta:
    """How long the periods of a span are; those of a very long one are some weeks."""
    fitting = (step for step in _STEPS if span <= step * _MOST)
    return next(fitting, _WEEK * ceil(span / (_WEEK * _MOST)))


def _period(start: datetime, moments: Iterable[Moment]) -> Period:
    listed = list(moments)
    counts = Counter(each.outcome for each in listed)
    return Period(
        start=start,
        injected=counts[Outcome.INJECTED],
        nothing=counts[Outcome.NOTHING],
        skipped=counts[Outcome.SKIPPED],
        tokens=sum(each.tokens for each in listed),
    )
