"""Worker threads, and deadlines after which nobody waits for their work.

All threads are daemons, so that work that is stuck never holds up the end of the process. Late work
knows that its time is over (`is_time_over`): it waits for no lock and writes nothing.
"""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, TypeVar

# The time limit of the current work, known to everything that it calls.


Result = TypeVar("Result")

_limit: ContextVar[float | None] = ContextVar("tacit-time-limit", default=None)


def run_with_limit(work: Callable[[], Result], end: float) -> Result:
    """Run work that is useless after a moment of the monotonic clock."""
    token = _limit.set(end)
    try:
        return work()
    finally:
        _limit.reset(token)


def run_without_limit(work: Callable[[], Result]) -> Result:
    """Run work without a time limit."""
    token = _limit.set(None)
    try:
        return work()
    finally:
        _limit.reset(token)


def earlier_limit(end: float) -> float:
    """The earlier of a moment and the time limit of the current work."""
    outer = _limit.get()
    return end if outer is None else min(outer, end)


def seconds_left(usual: float) -> float:
    """How long the current work may wait: the usual time, or less if its limit comes earlier."""
    end = _limit.get()
    return usual if end is None else min(usual, max(end - time.monotonic(), 0.0))


def is_time_over() -> bool:
    """Whether the time of the current work is over."""
    end = _limit.get()
    return end is not None and end <= time.monotonic()


_Call = tuple[Future[Any], Callable[[], Any]]


class Worker:
    """Runs calls one after the other on a daemon thread, which starts with the first call."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    @property
    def is_alive(self) -> bool:
        """Whether its thread runs; a forked child has none of its parent's."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """How many calls wait in the queue."""
        return self._calls.qsize()

    def submit(self, call: Callable[[], Result]) -> "Future[Result]":
        """Queue a call; its result or error arrives in the future."""
        future: Future[Result] = Future()
        with self._lock:
            if not self.is_alive:
                self._calls = queue.SimpleQueue()
                self._thread = threading.Thread(
                    target=_run_calls, args=(self._calls,), name=self._name, daemon=True
                )
                self._thread.start()
            self._calls.put((future, partial(copy_context().run, run_without_limit, call)))
        return future

    def close(self, seconds: float | None = 0.0) -> None:
        """Finish the queued calls and end; wait for that up to `seconds`, or without limit if None.

        A call that is submitted later starts a new thread.
        """
        with self._lock:
            thread, self._thread = self._thread, None
            self._calls.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(seconds)


def _run_calls(calls: "queue.SimpleQueue[_Call | None]") -> None:
    while (next_call := calls.get()) is not None:
        future, call = next_call
        if not future.set_running_or_notify_cancel():
            continue
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)
        del future, call, next_call


MAX_LATE = 16
"""How many pieces of abandoned work may still run at the same time."""

MAX_LATE_PER_OWNER = 2
"""The same for one owner, such as a folder, so that others keep their share."""

_MAX_IDLE = 8
_CLOSE_SECONDS = 1.0


class WorkerPool:
    """Runs each piece of work on its own worker, as long as not too much of it is late.

    Every caller waits for one piece of work. So there are as many threads as callers, a few idle
    ones, and those that are stuck with work that nobody waits for any more.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._working: dict[object, Worker] = {}
        self._late: dict[object, str | None] = {}
        """The owner of each piece of late work."""
        self._is_closed = False

    def run(self, work: Callable[[], Result], seconds: float, owner: str | None = None) -> Result:
        """The result of the work, or TimeoutError when it takes longer.

        Late work ends on its daemon thread, which never holds up the end of the process. While
        too much work is late, of all callers or of one owner, new work fails at once.
        """
        return self.start(work, owner)(seconds)

    def start(
        self, work: Callable[[], Result], owner: str | None = None
    ) -> Callable[[float], Result]:
        """Begin work; the function that is returned waits so many seconds for its result."""
        run = object()
        future = self._take(run, owner).submit(partial(self._work, run, work))

        def wait(seconds: float) -> Result:
            try:
                return future.result(seconds)
            except TimeoutError:
                with self._lock:
                    if run in self._working:
                        self._late[run] = owner
                raise

        return wait

    def end_idle(self) -> None:
        """End the idle threads."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close(_CLOSE_SECONDS)

    def close(self) -> None:
        """End the idle threads, and every other thread when its work is done."""
        with self._lock:
            self._is_closed = True
        self.end_idle()

    def _take(self, run: object, owner: str | None) -> Worker:
        with self._lock:
            late = [who for each, who in self._late.items() if self._working[each].is_alive]
            own = 0 if owner is None else late.count(owner)
            if len(late) >= MAX_LATE or own >= MAX_LATE_PER_OWNER:
                raise TimeoutError(f"{own or len(late)} earlier pieces of work are stuck")
            worker = self._idle.pop() if self._idle else Worker(self._name)
            self._working[run] = worker
            return worker

    def _work(self, run: object, work: Callable[[], Result]) -> Result:
        """Do the work; the worker is free again before the caller gets the result."""
        try:
            return work()
        finally:
            self._give_back(run)

    def _give_back(self, run: object) -> None:
        with self._lock:
            worker = self._working.pop(run)
            self._late.pop(run, None)
            is_kept = not self._is_closed and len(self._idle) < _MAX_IDLE
            if is_kept:
                self._idle.append(worker)
        if not is_kept:
            worker.close()


_shared_pool = WorkerPool("tacit-deadline")


class Deadline:
    """A moment after which nobody waits any more."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def seconds(self) -> float:
        """The seconds left, never below zero."""
        return max(self._end - time.monotonic(), 0.0)

    @property
    def has_passed(self) -> bool:
        """Whether no time is left."""
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
        return self.start(work, pool, owner)()

    def start(
        self,
        work: Callable[[], Result],
        pool: WorkerPool | None = None,
        owner: str | None = None,
    ) -> Callable[[], Result]:
        """Begin work as `run` does; the function that is returned waits for its result."""
        if self.has_passed:
            raise TimeoutError
        limited = partial(run_with_limit, work, earlier_limit(self._end))
        wait = (pool or _shared_pool).start(limited, owner)
        return lambda: wait(self.seconds)


def end_idle_threads() -> None:
    """End the idle threads of the shared pool; the next work starts new ones."""
    _shared_pool.end_idle()
