"""Time that is left, and work that is given up when there is none."""

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tacit.runtime.time_limit import earliest, run_limited
from tacit.runtime.worker_pool import WorkerPool

Result = TypeVar("Result")

_shared = WorkerPool("tacit-deadline")


class Deadline:
    """A moment after which nothing is waited for."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def seconds(self) -> float:
        """How much is left, never below zero."""
        return max(self._end - time.monotonic(), 0.0)

    @property
    def has_passed(self) -> bool:
        """Whether nothing is left."""
        return self.seconds == 0.0

    def run(
        self,
        work: Callable[[], Result],
        pool: WorkerPool | None = None,
        owner: str | None = None,
    ) -> Result:
        """The result of the work, or TimeoutError; late work waits for no lock and writes nothing.

        Without a pool of its own it runs on one that the process shares. Of one owner's work only
        some may be late at once.
        """
        if self.has_passed:
            raise TimeoutError
        limited = partial(run_limited, work, earliest(self._end))
        return (pool or _shared).run(limited, self.seconds, owner)


def end_idle_threads() -> None:
    """End those threads of the shared pool that do nothing; the next work starts others."""
    _shared.end_idle()
