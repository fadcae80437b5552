"""Single measurements, and how they are put together."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from benchmarks.report import Row

PER_SECOND = "/s"
MILLISECONDS = "ms"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, what it measures, and in which unit."""

    measure: str
    unit: str
    value: float


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


def rate(measure: str, count: int, duration: float) -> Figure:
    """So many in so many seconds."""
    return Figure(measure, PER_SECOND, count / duration)


def p50_and_p95(values: Sequence[float]) -> tuple[float, float]:
    """The median, and what all but the largest twentieth stay under."""
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return cuts[9], cuts[18]


def latency(measure: str, durations: Sequence[float]) -> list[Figure]:
    """How long a call usually takes, and how long nearly always."""
    p50, p95 = p50_and_p95(durations)
    return [
        Figure(f"{measure}, p50", MILLISECONDS, p50 * 1e3),
        Figure(f"{measure}, p95", MILLISECONDS, p95 * 1e3),
    ]


def medians(rounds: Sequence[Sequence[Figure]]) -> list[Figure]:
    """The figures of several rounds as one."""
    return [
        replace(same[0], value=statistics.median(each.value for each in same))
        for same in zip(*rounds, strict=True)
    ]


def side_by_side(columns: Mapping[str, Sequence[Figure]]) -> list[Row]:
    """A row for each measure, with what each column measured."""
    return [
        (same[0].measure, same[0].unit, *(each.value for each in same))
        for same in zip(*columns.values(), strict=True)
    ]
