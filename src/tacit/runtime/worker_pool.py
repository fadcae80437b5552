"""Threads for work that may be given up: reused, daemons, and bounded in number."""

import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tacit.runtime.worker import Worker

Result = TypeVar("Result")

MOST_LATE = 16
"""So many pieces of work may go on at once after they were given up."""

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
        self._late: set[object] = set()
        self._is_closed = False

    def run(self, work: Callable[[], Result], seconds: float) -> Result:
        """The result of the work, or TimeoutError when it takes longer.

        Late work ends on its daemon thread, which never holds up the end of the process. While as
        much is late as may be, everything else is late at once.
        """
        run = object()
        future = self._take(run).submit(partial(self._work, run, work))
        try:
            return future.result(seconds)
        except TimeoutError:
            with self._lock:
                if run in self._working:
                    self._late.add(run)
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

    def _take(self, run: object) -> Worker:
        with self._lock:
            late = sum(self._working[each].is_alive for each in self._late)
            if late >= MOST_LATE:
                raise TimeoutError(f"{late} earlier pieces of work are stuck")
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
            self._late.discard(run)
            is_kept = not self._is_closed and len(self._idle) < _MOST_IDLE
            if is_kept:
                self._idle.append(worker)
        if not is_kept:
            worker.close()
