"""Two revisions beside each other: medians, ratios, and how far apart the rounds were."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.report import Report, Row

Figures = Mapping[str, float]
NOT_THERE = "not there"
FAILED = "failed"
_COLUMNS = (
    "name",
    "measure",
    "old",
    "new",
    "ratio",
    "fastest",
    "old spread",
    "new spread",
    "verdict",
)
_ENOUGH_ROUNDS = 4
"""With fewer the rounds of two equal revisions lie apart by chance more often than once in 30."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What one revision measured under one name, round by round, or why it has nothing."""

    figures: tuple[Figures, ...] = ()
    absence: str = NOT_THERE
    """What is said where there is no figure: `NOT_THERE` or `FAILED`."""

    def values(self, measure: str) -> tuple[float, ...]:
        """One measure in every round that has it."""
        return tuple(each[measure] for each in self.figures if measure in each)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One measure of both revisions, in milliseconds."""

    name: str
    measure: str
    old: tuple[float, ...]
    new: tuple[float, ...]
    old_absence: str = NOT_THERE
    new_absence: str = NOT_THERE

    @property
    def ratio(self) -> float | None:
        """The new median by the old one; None where a side has none."""
        if not self.old or not self.new or not median(self.old):
            return None
        return median(self.new) / median(self.old)

    @property
    def fastest_ratio(self) -> float | None:
        """The same of the fastest rounds, which other work on the machine slows least."""
        if not self.old or not self.new or not min(self.old):
            return None
        return min(self.new) / min(self.old)

    @property
    def verdict(self) -> str:
        """Which one is faster, if all of its rounds are faster than all of the other's."""
        if not self.old or not self.new:
            absences = {self.old_absence} if not self.old else set()
            absences |= {self.new_absence} if not self.new else set()
            return FAILED if FAILED in absences else NOT_THERE
        if min(len(self.old), len(self.new)) < _ENOUGH_ROUNDS:
            return "too few rounds"
        if max(self.new) < min(self.old):
            return "faster"
        if min(self.new) > max(self.old):
            return "slower"
        return "unclear"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "name": self.name,
            "measure": self.measure,
            "unit": "ms",
            "old": _side(self.old),
            "new": _side(self.new),
            "ratio": self.ratio,
            "fastest_ratio": self.fastest_ratio,
            "verdict": self.verdict,
        }


def spread(values: Sequence[float]) -> float | None:
    """How far the slowest round is from the fastest, as a share of the median."""
    if not values or not median(values):
        return None
    return (max(values) - min(values)) / median(values)


def compare_rounds(name: str, old: Rounds, new: Rounds) -> list[Comparison]:
    """Every measure that either side has; one line that says so where neither has any."""
    known = [measure for side in (old, new) for each in side.figures for measure in each]
    measures = list(dict.fromkeys(known)) or [name]
    return [
        Comparison(
            name=name,
            measure=measure,
            old=old.values(measure),
            new=new.values(measure),
            old_absence=old.absence,
            new_absence=new.absence,
        )
        for measure in measures
    ]


def to_report(comparisons: Sequence[Comparison], old: str, new: str, rounds: int) -> Report:
    """A table of all comparisons."""
    return Report(
        title=f"{new} against {old}, in ms",
        columns=_COLUMNS,
        rows=[_row(each) for each in comparisons],
        notes=(
            f"Medians of {rounds} rounds in turns. The ratio is new by old: below 1 the new one is"
            " faster; the second ratio is that of the fastest rounds. The spread is the slowest"
            " round less the fastest, by the median.",
        ),
    )


def _row(each: Comparison) -> Row:
    return (
        each.name,
        each.measure,
        _middle(each.old) or each.old_absence,
        _middle(each.new) or each.new_absence,
        _number(each.ratio),
        _number(each.fastest_ratio),
        _percent(spread(each.old)),
        _percent(spread(each.new)),
        each.verdict,
    )


def _middle(values: Sequence[float]) -> str:
    if not values:
        return ""
    value = median(values)
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def _number(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.2f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _side(values: Sequence[float]) -> dict[str, Any] | None:
    if not values:
        return None
    return {"median": median(values), "spread": spread(values), "rounds": list(values)}
