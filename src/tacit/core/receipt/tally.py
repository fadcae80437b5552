"""Counting what turns did, by their receipts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import TypeVar

from tacit.core.memory.growth import Growth
from tacit.core.receipt.activity import Activity, Latency, Tokens, Use
from tacit.core.receipt.candidate import Fate, Found
from tacit.core.receipt.receipt import Receipt, Skip
from tacit.core.receipt.series import Moment, Outcome, series_of

Number = TypeVar("Number", int, float)

_WHOLE = "total"


def activity_of(receipts: Sequence[Receipt], top: Iterable[Use], growth: Growth) -> Activity:
    """What came of some turns, with the memories that are worth naming, and how memory grew."""
    moments = [_moment(each) for each in receipts]
    outcomes = Counter(each.outcome for each in moments)
    skips = Counter(
        receipt.skipped
        for receipt, moment in zip(receipts, moments, strict=True)
        if moment.outcome is Outcome.SKIPPED
    )
    ways = Counter((each.found, each.fate) for receipt in receipts for each in receipt.candidates)
    reasons = Counter(note for receipt in receipts for note in receipt.degraded)
    return Activity(
        turns=len(receipts),
        since=min((each.at for each in moments), default=None),
        until=max((each.at for each in moments), default=None),
        injected=outcomes[Outcome.INJECTED],
        nothing=outcomes[Outcome.NOTHING],
        skipped={skip: skips[skip] for skip in Skip},
        degraded=sum(bool(each.degraded) for each in receipts),
        reasons=dict(reasons.most_common()),
        found={found: ways[found, Fate.INJECTED] for found in Found},
        left_out={
            fate: sum(ways[found, fate] for found in Found)
            for fate in Fate
            if fate is not Fate.INJECTED
        },
        tokens=_tokens([each.tokens for each in moments if each.outcome is Outcome.INJECTED]),
        latency_ms=_latencies(receipts),
        series=series_of(moments),
        growth=growth,
        top=tuple(top),
    )


def uses_of(receipts: Iterable[Receipt]) -> list[Use]:
    """How many turns injected each memory, the most used first."""
    counts = Counter(each.memory for receipt in receipts for each in receipt.injected)
    uses = (Use(memory=memory, count=count) for memory, count in counts.items())
    return sorted(uses, key=lambda use: (-use.count, use.memory))


def _moment(receipt: Receipt) -> Moment:
    return Moment(at=receipt.at, outcome=_outcome(receipt), tokens=receipt.tokens)


def _outcome(receipt: Receipt) -> Outcome:
    """How a turn went; one that only left out the search may inject what is pinned."""
    if receipt.injected:
        return Outcome.INJECTED
    return Outcome.NOTHING if receipt.skipped is None else Outcome.SKIPPED


def _tokens(counts: Sequence[int]) -> Tokens:
    if not counts:
        return Tokens()
    total = sum(counts)
    mean = round(total / len(counts), 1)
    return Tokens(sum=total, mean=mean, p95=_percentile(sorted(counts), 95))


def _latencies(receipts: Iterable[Receipt]) -> dict[str, Latency]:
    """By stage, over the turns that had it; the whole comes last."""
    taken: dict[str, list[float]] = {}
    for receipt in receipts:
        for stage, milliseconds in receipt.timings_ms.items():
            taken.setdefault(stage, []).append(milliseconds)
    stages = sorted(taken, key=lambda stage: stage == _WHOLE)
    return {stage: _latency(sorted(taken[stage])) for stage in stages}


def _latency(times: Sequence[float]) -> Latency:
    return Latency(p50=_percentile(times, 50), p95=_percentile(times, 95))


def _percentile(ordered: Sequence[Number], share: int) -> Number:
    """The least of some values that this many of a hundred do not exceed."""
    return ordered[ceil(len(ordered) * share / 100) - 1]
