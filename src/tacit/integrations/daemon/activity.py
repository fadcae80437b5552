"""What a daemon has to do, and when that is no longer worth a process."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Activity:
    """Counts events that are served, and how long there was none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = time.monotonic()
        self._open = 0
        self.served = 0

    @contextmanager
    def event(self) -> Iterator[None]:
        """Serve an event."""
        with self._lock:
            self._open += 1
        try:
            yield
        finally:
            with self._lock:
                self._open -= 1
                self.served += 1
                self._last = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """How long there has been nothing to serve."""
        with self._lock:
            return 0.0 if self._open else time.monotonic() - self._last


def reason_to_stop(
    *, idle_seconds: float, most_seconds: float, jobs: int, is_found: bool
) -> str | None:
    """Why a daemon has to stop, if it has to."""
    if not is_found:
        return "nobody can find it any more"
    if idle_seconds >= most_seconds and not jobs:
        return f"there was nothing to do for {idle_seconds / 60:.0f} minutes"
    return None
