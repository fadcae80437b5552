"""Time that is left, and work that is given up when there is none."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from typing import TypeVar

Result = TypeVar("Result")


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

    def run(self, work: Callable[[], Result]) -> Result:
        """The result of the work, or TimeoutError; late work ends on its own daemon thread.

        Its thread never holds up the end of the process, and nobody waits for its result.
        """
        return begun(work, "tacit-turn").result(self.seconds)


def begun(work: Callable[[], Result], name: str) -> "Future[Result]":
    """Work on a daemon thread of its own, which never holds up the end of the process."""
    future: Future[Result] = Future()
    within = partial(copy_context().run, work)
    threading.Thread(target=_fill, args=(future, within), name=name, daemon=True).start()
    return future


def _fill(future: "Future[Result]", work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)
