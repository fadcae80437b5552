"""The funnel: how many candidates each rule let pass, in the order of the rules."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tacit.core.receipt.candidate import Candidate, Fate


@dataclass(frozen=True, slots=True)
class Rule:
    """What is asked of a candidate, and the fates of those that fail."""

    name: str
    fates: tuple[Fate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A rule as a turn went through it: how many were left after it, and what fell, by fate."""

    name: str
    left: int
    fell: tuple[tuple[Fate, int], ...] = ()

    @property
    def lost(self) -> int:
        """How many fell."""
        return sum(count for _, count in self.fell)


RULES = (
    Rule("Trusted", (Fate.UNTRUSTED,)),
    Rule("Sure enough", (Fate.LOW_CONFIDENCE,)),
    Rule("Important enough", (Fate.BELOW_IMPORTANCE,)),
    Rule("Of a fitting type", (Fate.IRRELEVANT_TYPE,)),
    Rule("Relevant enough", (Fate.BELOW_FLOOR,)),
    Rule("Current", (Fate.SHADOWED, Fate.SUPERSEDED, Fate.CONFLICT_OMITTED)),
    Rule(
        "Not in view yet",
        (Fate.SEEN_IN_WINDOW, Fate.SAME_BATCH, Fate.SAME_CONTENT, Fate.NEAR_DUPLICATE),
    ),
    Rule("Within the budget", (Fate.OVER_SLOTS, Fate.OVER_TOKENS, Fate.OVER_CHARS)),
)
"""The rules of a turn, in the order in which it applies them."""


def funnel(candidates: Iterable[Candidate]) -> tuple[Stage, ...]:
    """The way of all candidates through the rules."""
    counts = Counter(each.fate for each in candidates)
    left = counts.total()
    stages = []
    for rule in RULES:
        fell = tuple((fate, counts[fate]) for fate in rule.fates if counts[fate])
        left -= sum(count for _, count in fell)
        stages.append(Stage(name=rule.name, left=left, fell=fell))
    return tuple(stages)
