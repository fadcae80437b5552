"""Statistics of recent turns: outcomes, tokens, latency, a series over time, and memory growth."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import Any, Self, TypeVar

from tacit.core.fields import check_field
from tacit.core.receipt import CandidateSource, Fate, Receipt, SkipReason
from tacit.core.times import to_rfc3339

# Turns over time: how many there were in each period, and how they went.


_MAX_PERIODS = 48
_WEEK = timedelta(weeks=1)
_STEPS = (
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(days=1),
    _WEEK,
)
_FIRST_MONDAY = datetime(1970, 1, 5, tzinfo=UTC)


class TurnOutcome(StrEnum):
    """How a turn went: something was injected, nothing was worth it, or nothing was looked for."""

    INJECTED = "injected"
    NOTHING = "nothing"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSample:
    """What counts of a turn where many are counted."""

    at: datetime
    outcome: TurnOutcome
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityPeriod:
    """The turns from a moment on, until the next period begins."""

    start: datetime
    injected: int
    nothing: int
    skipped: int
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "start": to_rfc3339(self.start)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(**{**values, "start": check_field("at", values["start"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivitySeries:
    """Periods of one length, oldest first and without a gap; at most some fifty."""

    step_seconds: int
    periods: tuple[ActivityPeriod, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "step_seconds": self.step_seconds,
            "periods": [each.to_dict() for each in self.periods],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        periods = tuple(map(ActivityPeriod.from_dict, values["periods"]))
        return cls(step_seconds=values["step_seconds"], periods=periods)


def build_series(moments: Sequence[TurnSample]) -> ActivitySeries:
    """Turns in periods of the shortest length that makes few of them."""
    times = [each.at for each in moments]
    step = _choose_step(max(times) - min(times)) if times else _STEPS[0]
    seconds = int(step.total_seconds())
    if not times:
        return ActivitySeries(step_seconds=seconds)
    members: dict[int, list[TurnSample]] = {}
    for each in moments:
        members.setdefault((each.at - _FIRST_MONDAY) // step, []).append(each)
    places = range(min(members), max(members) + 1)
    periods = (
        _summarize_period(_FIRST_MONDAY + place * step, members.get(place, ())) for place in places
    )
    return ActivitySeries(step_seconds=seconds, periods=tuple(periods))


def _choose_step(span: timedelta) -> timedelta:
    """How long the periods of a span are; those of a very long one are some weeks."""
    fitting = (step for step in _STEPS if span <= step * _MAX_PERIODS)
    return next(fitting, _WEEK * ceil(span / (_WEEK * _MAX_PERIODS)))


def _summarize_period(start: datetime, moments: Iterable[TurnSample]) -> ActivityPeriod:
    listed = list(moments)
    counts = Counter(each.outcome for each in listed)
    return ActivityPeriod(
        start=start,
        injected=counts[TurnOutcome.INJECTED],
        nothing=counts[TurnOutcome.NOTHING],
        skipped=counts[TurnOutcome.SKIPPED],
        tokens=sum(each.tokens for each in listed),
    )


# How many memories came, day by day.


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryGrowth:
    """How many memories there were `before` some days, and how many were `created` on each."""

    before: int
    created: Mapping[date, int]

    @classmethod
    def until(cls, last: date, days: int, by_day: Mapping[date, int]) -> Self:
        """The days up to the last one, those on which nothing came too, out of all that came."""
        spoken = [last - timedelta(days=ago) for ago in reversed(range(days))]
        return cls(
            before=sum(count for day, count in by_day.items() if day < spoken[0]),
            created={day: by_day.get(day, 0) for day in spoken},
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        created = {day.isoformat(): count for day, count in self.created.items()}
        return {"before": self.before, "created": created}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        created = {date.fromisoformat(day): count for day, count in values["created"].items()}
        return cls(before=values["before"], created=created)


# What memory did lately, in figures.


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenStats:
    """What was injected, all together and by turn that injected something."""

    sum: int = 0
    mean: float = 0.0
    p95: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyStats:
    """Milliseconds that half of the turns, and 95 of 100, did not exceed."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse:
    """How many turns injected a memory."""

    memory: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The last turns of a workspace: what came of them, what they cost; and how memory grew.

    Every turn is one of `injected`, `nothing` and `skipped`. It holds ids, and no words.
    """

    turns: int
    since: datetime | None
    until: datetime | None
    injected: int
    nothing: int
    skipped: Mapping[SkipReason, int]
    degraded: int
    reasons: Mapping[str, int]
    found: Mapping[CandidateSource, int]
    left_out: Mapping[Fate, int]
    tokens: TokenStats
    latency_ms: Mapping[str, LatencyStats]
    series: ActivitySeries
    growth: MemoryGrowth
    top: tuple[MemoryUse, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self) | {
            "since": None if self.since is None else to_rfc3339(self.since),
            "until": None if self.until is None else to_rfc3339(self.until),
            "series": self.series.to_dict(),
            "growth": self.growth.to_dict(),
            "top": [asdict(each) for each in self.top],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            **{
                **values,
                "since": None if values["since"] is None else check_field("at", values["since"]),
                "until": None if values["until"] is None else check_field("at", values["until"]),
                "skipped": {SkipReason(name): count for name, count in values["skipped"].items()},
                "found": {CandidateSource(name): count for name, count in values["found"].items()},
                "left_out": {Fate(name): count for name, count in values["left_out"].items()},
                "tokens": TokenStats(**values["tokens"]),
                "latency_ms": {
                    stage: LatencyStats(**each) for stage, each in values["latency_ms"].items()
                },
                "series": ActivitySeries.from_dict(values["series"]),
                "growth": MemoryGrowth.from_dict(values["growth"]),
                "top": tuple(MemoryUse(**each) for each in values["top"]),
            }
        )


# Counting what turns did, by their receipts.


_Number = TypeVar("_Number", int, float)

_TOTAL = "total"


def summarize_activity(
    receipts: Sequence[Receipt], top: Iterable[MemoryUse], growth: MemoryGrowth
) -> Activity:
    """What came of some turns, with the memories that are worth naming, and how memory grew."""
    moments = [_sample_of(each) for each in receipts]
    outcomes = Counter(each.outcome for each in moments)
    skips = Counter(
        receipt.skipped
        for receipt, moment in zip(receipts, moments, strict=True)
        if moment.outcome is TurnOutcome.SKIPPED
    )
    ways = Counter((each.found, each.fate) for receipt in receipts for each in receipt.candidates)
    reasons = Counter(note for receipt in receipts for note in receipt.degraded)
    return Activity(
        turns=len(receipts),
        since=min((each.at for each in moments), default=None),
        until=max((each.at for each in moments), default=None),
        injected=outcomes[TurnOutcome.INJECTED],
        nothing=outcomes[TurnOutcome.NOTHING],
        skipped={skip: skips[skip] for skip in SkipReason},
        degraded=sum(bool(each.degraded) for each in receipts),
        reasons=dict(reasons.most_common()),
        found={found: ways[found, Fate.INJECTED] for found in CandidateSource},
        left_out={
            fate: sum(ways[found, fate] for found in CandidateSource)
            for fate in Fate
            if fate is not Fate.INJECTED
        },
        tokens=_token_stats(
            [each.tokens for each in moments if each.outcome is TurnOutcome.INJECTED]
        ),
        latency_ms=_latency_by_stage(receipts),
        series=build_series(moments),
        growth=growth,
        top=tuple(top),
    )


def count_memory_uses(receipts: Iterable[Receipt]) -> list[MemoryUse]:
    """How many turns injected each memory, the most used first."""
    counts = Counter(each.memory for receipt in receipts for each in receipt.injected)
    uses = (MemoryUse(memory=memory, count=count) for memory, count in counts.items())
    return sorted(uses, key=lambda use: (-use.count, use.memory))


def _sample_of(receipt: Receipt) -> TurnSample:
    return TurnSample(at=receipt.at, outcome=_outcome_of(receipt), tokens=receipt.tokens)


def _outcome_of(receipt: Receipt) -> TurnOutcome:
    """How a turn went; one that only left out the search may inject what is pinned."""
    if receipt.injected:
        return TurnOutcome.INJECTED
    return TurnOutcome.NOTHING if receipt.skipped is None else TurnOutcome.SKIPPED


def _token_stats(counts: Sequence[int]) -> TokenStats:
    if not counts:
        return TokenStats()
    total = sum(counts)
    mean = round(total / len(counts), 1)
    return TokenStats(sum=total, mean=mean, p95=_percentile(sorted(counts), 95))


def _latency_by_stage(receipts: Iterable[Receipt]) -> dict[str, LatencyStats]:
    """By stage, over the turns that had it; the whole comes last."""
    taken: dict[str, list[float]] = {}
    for receipt in receipts:
        for stage, milliseconds in receipt.timings_ms.items():
            taken.setdefault(stage, []).append(milliseconds)
    stages = sorted(taken, key=lambda stage: stage == _TOTAL)
    return {stage: _latency_stats(sorted(taken[stage])) for stage in stages}


def _latency_stats(times: Sequence[float]) -> LatencyStats:
    return LatencyStats(p50=_percentile(times, 50), p95=_percentile(times, 95))


def _percentile(ordered: Sequence[_Number], share: int) -> _Number:
    """The least of some values that this many of a hundred do not exceed."""
    return ordered[ceil(len(ordered) * share / 100) - 1]
