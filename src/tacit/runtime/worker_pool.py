"""Threads for work that may be given up: reused, daemons, and bounded in number."""

import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tacit.runtime.worker import Worker

Result = TypeVar("Result")

MOST_LATE = 16
"""So many pieces of work may go on at once after they were given up."""

MOST_LATE_OF_OWNER = 2
"""And so many of one owner, such as a folder, so that others have theirs."""

_MOST_IDLE = 8
_CLOSE_SECONDS = 1.0


class WorkerPool:
    """Runs work on a worker of its own, as long as not too much of it is late.

    Every caller waits for one piece of work, so that there are as many threads as callers, a few
    that are idle, and those that are stuck with what nobody waits for any more.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._working: dict[object, Worker] = {}
        self._late: dict[object, str | None] = {}
        """Whose work is late."""
        self._is_closed = False

    def run(self, work: Callable[[], Result], seconds: float, owner: str | None = None) -> Result:
        """The result of the work, or TimeoutError when it takes longer.

        Late work ends on its daemon thread, which never holds up the end of the process. While as
        much is late as may be, of all work or of one owner's, everything else is late at once.
        """
        run = object()
        future = self._take(run, owner).submit(partial(self._work, run, work))
        try:
            return future.result(seconds)
        except TimeoutError:
            with self._lock:
                if run in self._working:
                    self._late[run] = owner
            raise

    def end_idle(self) -> None:
        """End the threads that do nothing now."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close(_CLOSE_SECONDS)

    def close(self) -> None:
        """End the threads that do nothing now, and every other when its work is done."""
        with self._lock:
            self._is_closed = True
        self.end_idle()

    def _take(self, run: object, owner: str | None) -> Worker:
        with self._lock:
            late = [who for each, who in self._late.items() if self._working[each].is_alive]
            own = 0 if owner is None else late.count(owner)
            if len(late) >= MOST_LATE or own >= MOST_LATE_OF_OWNER:
                raise TimeoutError(f"{own or len(late)} earlier pieces of work are stuck")
            worker = self._idle.pop() if self._idle else Worker(self._name)
            self._working[run] = worker
            return worker

    def _work(self, run: object, work: Callable[[], Result]) -> Result:
        """Do the work; its worker is free before the caller has the result, and asks for more."""
        try:
            return work()
        finally:
            self._give_back(run)

    def _give_back(self, run: object) -> None:
        with self._lock:
            worker = self._working.pop(run)
            self._late.pop(run, None)
            is_kept = not self._is_closed and len(self._idle) < _MOST_IDLE
            if is_kept:
                self._idle.append(worker)
        if not is_kept:
            worker.close()
