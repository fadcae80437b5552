"""Statistics of recent turns: outcomes, tokens, latency, a series over time, and memory growth."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import Annotated, Self, TypeVar

from tacit.core.json_value import Example, JsonValue
from tacit.core.receipt import CandidateSource, Fate, Receipt, SkipReason

# A series over time.


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


class InjectionOutcome(StrEnum):
    """How a turn went: it injected memories, found nothing relevant, or skipped the search."""

    INJECTED = "injected"
    NOTHING = "nothing"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSample:
    """What the statistics need of one turn."""

    at: datetime
    outcome: InjectionOutcome
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityPeriod(JsonValue):
    """Counts of the turns from `start` until the next period begins."""

    start: datetime
    injected: int
    nothing: int
    skipped: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivitySeries(JsonValue):
    """Periods of one length, oldest first and without gaps; about fifty at most."""

    step_seconds: int
    periods: tuple[ActivityPeriod, ...] = ()


def build_series(moments: Sequence[TurnSample]) -> ActivitySeries:
    """Group turns into periods of the shortest length that gives at most 48 of them."""
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
    """The length of the periods for a span of time; several weeks for a very long one."""
    fitting = (step for step in _STEPS if span <= step * _MAX_PERIODS)
    return next(fitting, _WEEK * ceil(span / (_WEEK * _MAX_PERIODS)))


def _summarize_period(start: datetime, moments: Iterable[TurnSample]) -> ActivityPeriod:
    listed = list(moments)
    counts = Counter(each.outcome for each in listed)
    return ActivityPeriod(
        start=start,
        injected=counts[InjectionOutcome.INJECTED],
        nothing=counts[InjectionOutcome.NOTHING],
        skipped=counts[InjectionOutcome.SKIPPED],
        tokens=sum(each.tokens for each in listed),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryGrowth(JsonValue):
    """How many memories existed `before` a range of days, and how many were `created` on each."""

    before: int
    created: Annotated[Mapping[date, int], Example({"2026-03-01": 12})]

    @classmethod
    def until(cls, last: date, days: int, by_day: Mapping[date, int]) -> Self:
        """The growth in the days up to `last`, including days on which no memory was created."""
        span = [last - timedelta(days=ago) for ago in reversed(range(days))]
        return cls(
            before=sum(count for day, count in by_day.items() if day < span[0]),
            created={day: by_day.get(day, 0) for day in span},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenStats(JsonValue):
    """Injected tokens: their sum, and mean and 95th percentile of the turns that injected any."""

    sum: int = 0
    mean: float = 0.0
    p95: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyStats(JsonValue):
    """The median and the 95th percentile of a stage, in milliseconds."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse(JsonValue):
    """How many turns injected a memory."""

    memory: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity(JsonValue):
    """Statistics of the last turns of a workspace: outcomes, cost, and the growth of memory.

    Every turn counts as one of `injected`, `nothing` and `skipped`. Ids are kept, but no texts.
    """

    turns: Annotated[int, "How many it covers."]
    since: Annotated[datetime | None, "When the first of them was."]
    until: Annotated[datetime | None, "When the last of them was."]
    injected: int
    nothing: Annotated[int, "Turns that found nothing relevant."]
    skipped: Annotated[Mapping[SkipReason, int], "Turns that did not look, by reason."]
    degraded: Annotated[int, "Turns in which a part failed."]
    reasons: Annotated[Mapping[str, int], "Problems, and how often they occurred."]
    found: Annotated[Mapping[CandidateSource, int], "Memories that were injected."]
    left_out: Annotated[Mapping[Fate, int], "Memories that were considered and left out."]
    tokens: TokenStats
    latency_ms: Annotated[Mapping[str, LatencyStats], "By stage; `total` is the whole."]
    series: ActivitySeries
    growth: MemoryGrowth
    top: Annotated[tuple[MemoryUse, ...], "The memories that were injected most."] = ()


# How activity is computed from receipts.


_Number = TypeVar("_Number", int, float)

_TOTAL = "total"


def summarize_activity(
    receipts: Sequence[Receipt], top: Iterable[MemoryUse], growth: MemoryGrowth
) -> Activity:
    """Compute the statistics of some turns; `top` are the most used memories."""
    moments = [_sample_of(each) for each in receipts]
    outcomes = Counter(each.outcome for each in moments)
    skips = Counter(
        receipt.skipped
        for receipt, moment in zip(receipts, moments, strict=True)
        if moment.outcome is InjectionOutcome.SKIPPED
    )
    ways = Counter((each.found, each.fate) for receipt in receipts for each in receipt.candidates)
    reasons = Counter(note for receipt in receipts for note in receipt.degraded)
    return Activity(
        turns=len(receipts),
        since=min((each.at for each in moments), default=None),
        until=max((each.at for each in moments), default=None),
        injected=outcomes[InjectionOutcome.INJECTED],
        nothing=outcomes[InjectionOutcome.NOTHING],
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
            [each.tokens for each in moments if each.outcome is InjectionOutcome.INJECTED]
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


def _outcome_of(receipt: Receipt) -> InjectionOutcome:
    """How a turn went; one that skipped only the search may still inject pinned memories."""
    if receipt.injected:
        return InjectionOutcome.INJECTED
    return InjectionOutcome.NOTHING if receipt.skipped is None else InjectionOutcome.SKIPPED


def _token_stats(counts: Sequence[int]) -> TokenStats:
    if not counts:
        return TokenStats()
    total = sum(counts)
    mean = round(total / len(counts), 1)
    return TokenStats(sum=total, mean=mean, p95=_percentile(sorted(counts), 95))


def _latency_by_stage(receipts: Iterable[Receipt]) -> dict[str, LatencyStats]:
    """Statistics by stage, over the turns that had it; the total comes last."""
    taken: dict[str, list[float]] = {}
    for receipt in receipts:
        for stage, milliseconds in receipt.timings_ms.items():
            taken.setdefault(stage, []).append(milliseconds)
    stages = sorted(taken, key=lambda stage: stage == _TOTAL)
    return {stage: _latency_stats(sorted(taken[stage])) for stage in stages}


def _latency_stats(times: Sequence[float]) -> LatencyStats:
    return LatencyStats(p50=_percentile(times, 50), p95=_percentile(times, 95))


def _percentile(ordered: Sequence[_Number], share: int) -> _Number:
    """The smallest value that this percentage of the values does not exceed."""
    return ordered[ceil(len(ordered) * share / 100) - 1]
