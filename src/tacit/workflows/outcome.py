"""What came of an event."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """One step of a workflow: its result, or why it has none."""

    workflow: str
    action: str
    result: Mapping[str, Any] | None = None
    problem: str | None = None
    skipped: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "workflow": self.workflow,
            "action": self.action,
            "result": None if self.result is None else dict(self.result),
            "problem": self.problem,
            "skipped": self.skipped,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the steps want shown, what each of them did, and the turn that one began."""

    context: str = ""
    """Everything to inject, in order; never more than the client takes."""
    results: tuple[StepResult, ...] = ()
    turn: str | None = None
    """The id of the turn that a recall began; somebody has to commit it."""
    learns: bool = False
    """Whether what is said in this turn shall be learned."""
