"""Waiting for the writer before, and no commit of what nobody waits for any more."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tacit.core.errors import StoreBusy
from tacit.runtime.workers import is_time_over, seconds_left

WAIT_SECONDS = 30.0
"""So long a writer waits for the others of its process, or less where its time ends before."""


@contextmanager
def locked(lock: threading.Lock, seconds: float, place: object) -> Iterator[None]:
    """Hold a lock, if it is free within this time and before nobody waits for the work."""
    if not lock.acquire(timeout=seconds_left(seconds)):
        raise StoreBusy(
            f"{place}: another thread has been writing for too long; nothing was changed, try again"
        )
    try:
        yield
    finally:
        lock.release()


def refuse_late_commit(place: object) -> None:
    """Raise where nobody waits for the work any more: what it wrote is rolled back."""
    if is_time_over():
        raise StoreBusy(f"{place}: the work took longer than its deadline; nothing was changed")
