"""The stages of a turn: their time, their deadline, and what went wrong in them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from tacit.runtime.clock import StageTimer
from tacit.runtime.workers import Deadline, WorkerPool

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class TurnStages:
    """Runs the stages of one turn; one that fails or is late is left out and named."""

    deadline: Deadline
    pool: WorkerPool
    timer: StageTimer = field(default_factory=StageTimer)
    degraded: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def end(self, stage: str) -> None:
        """Note how long a stage took."""
        self.timer.end(stage)

    def run(self, what: str, work: Callable[[], Result], otherwise: Result) -> Result:
        """Run work within the deadline; if it fails or is late, note that and go on without it."""
        return self.note_problems(what, lambda: self.deadline.run(work, self.pool), otherwise)

    def note_problems(self, what: str, work: Callable[[], Result], otherwise: Result) -> Result:
        """Run work that keeps the deadline itself."""
        try:
            return work()
        except TimeoutError as error:
            self.degraded.append(f"{what}: late" + (f" ({error})" if str(error) else ""))
        except Exception as error:
            self.degraded.append(f"{what}: failed ({error})")
        return otherwise
