"""Texts that are made to take long: what the worst of them costs every function that reads text."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context

from benchmarks.context import Context
from benchmarks.hostile.cost import FULL, cost, quick_cost
from benchmarks.hostile.functions import Function, named
from benchmarks.hostile.repetitions import Repetition, repetitions
from benchmarks.report import Report

ON_TURN_MS = 50.0
OFF_TURN_MS = 600.0
_AGAIN = 3
"""So many of the worst are measured again."""


@dataclass(frozen=True, slots=True)
class _Worst:
    name: str
    size: int
    goal: float
    ms: float
    is_measured: bool
    repetition: Repetition

    def __str__(self) -> str:
        about = "" if self.is_measured else "about "
        return f"{self.name}: {about}{self.ms:,.0f} ms with {self.repetition}"


def run(context: Context) -> Report:
    """The worst cost of each function, and the repetition that has it."""
    chosen = [each.name for each in named(context.functions)]
    found: dict[str, _Worst] = {}
    for number, worst in enumerate(_measured(chosen, context.repetitions), start=1):
        found[worst.name] = worst
        context.say(f"{number} of {len(chosen)}: {worst}")
    ordered = [found[name] for name in chosen]
    return Report(
        title=f"The worst of {context.repetitions} repetitions, ms of CPU",
        columns=("function", "characters", "ms", "goal", "repetition"),
        rows=[(each.name, each.size, each.ms, each.goal, _short(each)) for each in ordered],
        notes=(
            "Texts of words that the function looks for: 100,000 characters, or as many as a turn"
            " hands over at most; where that would take too long, estimated from a shorter one.",
            *(f"Over the goal: {each}" for each in ordered if each.ms > each.goal),
        ),
    )


def _measured(names: list[str], count: int) -> Iterator[_Worst]:
    """The worst of each function as it is found, in as many processes as there are cores."""
    processes = min(os.cpu_count() or 1, len(names))
    if processes <= 1:
        yield from (_worst(name, count) for name in names)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_worst, name, count) for name in names]):
            yield done.result()


def _worst(name: str, count: int) -> _Worst:
    """Every text once, and the worst of them again."""
    (function,) = (each for each in named((name,)) if each.name == name)
    size = min(FULL, function.most or FULL)
    texts = list(repetitions(function.name, function.sources, count))
    first = {each: quick_cost(function.read, each, size) for each in texts}
    again = sorted(first, key=lambda each: first[each][0], reverse=True)[:_AGAIN]
    return max((_again(function, each, size, first[each]) for each in again), key=_by_cost)


def _again(
    function: Function, repetition: Repetition, size: int, first: tuple[float, bool]
) -> _Worst:
    ms, is_measured = first
    if is_measured:
        ms = min(ms, cost(function.read, repetition, size))
    goal = ON_TURN_MS if function.on_turn else OFF_TURN_MS
    return _Worst(function.name, size, goal, ms, is_measured, repetition)


def _by_cost(worst: _Worst) -> float:
    return worst.ms


def _short(worst: _Worst) -> str:
    written = str(worst.repetition)
    return written if len(written) <= 24 else f"{written[:23]}…"
