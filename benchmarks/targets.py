"""What the figures should reach, and whether they do."""

from collections.abc import Mapping
from dataclasses import dataclass

Key = tuple[int, bool, str]
"""How many memories, whether they are spread, and what is measured."""


@dataclass(frozen=True, slots=True)
class Target:
    """A bound; `at_least` turns it round."""

    size: int
    spread: bool
    measure: str
    bound: float
    at_least: bool = False

    def verdict(self, value: float) -> str:
        """The bound beside what was measured."""
        met = value >= self.bound if self.at_least else value <= self.bound
        where = "1,000 workspaces" if self.spread else "one workspace"
        sign = "≥" if self.at_least else "≤"
        outcome = "met" if met else "MISSED"
        return (
            f"{outcome}: {self.measure}, {self.size:,} in {where}:"
            f" {value:,.3g}, target {sign} {self.bound:,g}"
        )


_TARGETS = (
    *(
        Target(size, spread, f"search, {kind}, p95", bound)
        for size, spread, bound in ((10_000, False, 8), (100_000, False, 25), (100_000, True, 8))
        for kind in ("natural", "content")
    ),
    *(Target(size, False, "kept by pruning", 0.95, True) for size in (10_000, 100_000)),
    Target(100_000, False, "open + first search", 1_500),
)


def verdicts(values: Mapping[Key, float]) -> list[str]:
    """A sentence for every target that was measured."""
    keys = {(each.size, each.spread, each.measure): each for each in _TARGETS}
    return [target.verdict(values[key]) for key, target in keys.items() if key in values]
