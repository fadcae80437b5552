"""Calls into the runtime's own threads: a process that ends in the middle of one is aborted."""

import atexit
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 10.0
_idle = threading.Condition()
_running = 0


@contextmanager
def native_call() -> Iterator[None]:
    """Something that must come to its end before the process does; such calls are short."""
    global _running
    with _idle:
        _running += 1
    try:
        yield
    finally:
        with _idle:
            _running -= 1
            _idle.notify_all()


@atexit.register
def _wait() -> None:
    """Let calls on daemon threads end; whatever stalls elsewhere is not waited for."""
    with _idle:
        _idle.wait_for(lambda: _running == 0, _PATIENCE)
