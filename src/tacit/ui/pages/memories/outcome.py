"""An outcome: what became of many memories, with nothing left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Done:
    """A memory that was changed: the values that it had, and those that it was given."""

    id: str
    before: Mapping[str, Any] = field(default_factory=dict, hash=False)
    after: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How many were changed, were so already, wait for a person, failed, or were not tried."""

    done: tuple[Done, ...] = ()
    unchanged: int = 0
    queued: int = 0
    failures: tuple[str, ...] = ()
    untried: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            done=self.done + other.done,
            unchanged=self.unchanged + other.unchanged,
            queued=self.queued + other.queued,
            failures=self.failures + other.failures,
            untried=self.untried + other.untried,
        )

    @property
    def tried(self) -> int:
        """How many were dealt with."""
        return len(self.done) + self.unchanged + self.queued + len(self.failures)

    @property
    def is_whole(self) -> bool:
        """Whether nothing failed and nothing is left."""
        return not self.failures and not self.untried

    def told(self, past: str) -> str:
        """The outcome in a sentence or two."""
        parts = [f"{counted(len(self.done))} {past}"]
        if self.unchanged:
            parts.append(f"{self.unchanged:,} as wished already")
        if self.queued:
            parts.append(f"{self.queued:,} waiting for a person at Review")
        if self.untried:
            parts.append(f"{self.untried:,} not tried")
        sentence = ", ".join(parts) + "."
        if not self.failures:
            return sentence
        reasons = "; ".join(dict.fromkeys(self.failures))
        return f"{sentence} {len(self.failures):,} failed: {reasons}"


def counted(number: int) -> str:
    """So many memories, in words."""
    return "1 memory" if number == 1 else f"{number:,} memories"
