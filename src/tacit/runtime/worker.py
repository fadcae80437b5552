"""A thread that works beside the caller and never holds up the end of the process."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

from tacit.runtime.time_limit import run_unlimited

Result = TypeVar("Result")
_Call = tuple[Future[Any], Callable[[], Any]]


class Worker:
    """Runs one call after the other on a daemon thread, which starts with the first."""

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
        """How many calls wait for those before them."""
        return self._calls.qsize()

    def submit(self, call: Callable[[], Result]) -> "Future[Result]":
        """Have a call made, however late; its result or error is in the future."""
        future: Future[Result] = Future()
        with self._lock:
            if not self.is_alive:
                self._calls = queue.SimpleQueue()
                self._thread = threading.Thread(
                    target=_work, args=(self._calls,), name=self._name, daemon=True
                )
                self._thread.start()
            self._calls.put((future, partial(copy_context().run, run_unlimited, call)))
        return future

    def close(self, seconds: float | None = 0.0) -> None:
        """Make the calls that wait, then no more; so long that is waited for, or to the end.

        A call that is submitted later starts a new thread.
        """
        with self._lock:
            thread, self._thread = self._thread, None
            self._calls.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(seconds)


def _work(calls: "queue.SimpleQueue[_Call | None]") -> None:
    while (next_call := calls.get()) is not None:
        future, call = next_call
        if not future.set_running_or_notify_cancel():
            continue
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)
        del future, call, next_call
