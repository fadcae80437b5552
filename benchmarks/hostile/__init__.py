"""Texts that are made to take long: what the worst of them costs every function that reads text."""

from dataclasses import dataclass

from benchmarks.context import Context
from benchmarks.hostile.cost import FULL, full_cost, load
from benchmarks.hostile.functions import Function, named
from benchmarks.hostile.repetitions import Repetition, repetitions
from benchmarks.report import Report

ON_TURN_MS = 50.0
OFF_TURN_MS = 600.0


@dataclass(frozen=True, slots=True)
class _Worst:
    function: Function
    cost: float
    is_measured: bool
    repetition: Repetition

    @property
    def goal(self) -> float:
        return ON_TURN_MS if self.function.on_turn else OFF_TURN_MS

    def __str__(self) -> str:
        about = "" if self.is_measured else "about "
        return f"{self.function.name}: {about}{self.cost:,.0f} ms with {self.repetition}"


def run(context: Context) -> Report:
    """The worst cost of each function, and the repetition that has it."""
    found = []
    for function in named(context.functions):
        context.say(function.name)
        found.append(_worst(function, context.repetitions))
    return Report(
        title=f"The worst of {context.repetitions} repetitions, ms of CPU for 100 KB",
        columns=("function", "ms", "goal", "repetition"),
        rows=[(each.function.name, each.cost, each.goal, _short(each)) for each in found],
        notes=(
            f"{FULL:,} characters each, of words that the function looks for; where that would"
            " take too long, estimated by how the cost grows before.",
            *(f"Over the goal: {each}" for each in found if each.cost > each.goal),
        ),
    )


def _worst(function: Function, count: int) -> _Worst:
    load(function.read)
    costs = (
        _Worst(function, *full_cost(function.read, each), each)
        for each in repetitions(function.name, function.sources, count)
    )
    return max(costs, key=lambda each: each.cost)


def _short(worst: _Worst) -> str:
    written = str(worst.repetition)
    return written if len(written) <= 24 else f"{written[:23]}…"
