"""What came of an event."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacit.language.structure.neutral import neutralised


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
    own_context: str = ""
    """What of it is not a project's."""
    project_files: tuple[str, ...] = ()
    """The files of the project that injected something."""
    results: tuple[StepResult, ...] = ()
    turn: str | None = None
    """The id of the turn that a recall began; somebody has to commit it."""
    learns: bool = False
    """Whether what is said in this turn shall be learned."""


def project_note(outcome: Outcome) -> str:
    """What the receipt of a turn says of what a project's files put beside it."""
    names = ", ".join(map(neutralised, outcome.project_files))
    return f"files of the project injected text of their own: {names}"
