"""The moment after which nobody waits for the current work, known to all that it calls."""

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

Result = TypeVar("Result")

_end: ContextVar[float | None] = ContextVar("tacit-time-limit", default=None)


def run_limited(work: Callable[[], Result], end: float) -> Result:
    """The result of work that is in vain after a moment of the monotonic clock."""
    token = _end.set(end)
    try:
        return work()
    finally:
        _end.reset(token)


def run_unlimited(work: Callable[[], Result]) -> Result:
    """The result of work that others wait for, or nobody: it takes the time it needs."""
    token = _end.set(None)
    try:
        return work()
    finally:
        _end.reset(token)


def earliest(end: float) -> float:
    """The moment, or the one at which the time of the current work is over, if that is before."""
    outer = _end.get()
    return end if outer is None else min(outer, end)


def seconds_left(usual: float) -> float:
    """How long the current work may wait: as long as usual, or less where its time ends before."""
    end = _end.get()
    return usual if end is None else min(usual, max(end - time.monotonic(), 0.0))


def is_over() -> bool:
    """Whether the time of the current work is over."""
    end = _end.get()
    return end is not None and end <= time.monotonic()
