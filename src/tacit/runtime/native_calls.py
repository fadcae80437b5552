"""Calls into C++ and Rust on daemon threads, and the end of the process.

Python ends a daemon thread that wants to go on while the process ends. Inside a native call that
aborts the whole process ("terminate called without an active exception"). So the process waits for
the calls that run, and no daemon thread begins another one. The handler is registered when this
module is imported, before those of programs that use the package, and so it runs after them.
"""

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE_SECONDS = 30.0

_changed = threading.Condition()
_running = 0
_is_ending = False


@contextmanager
def native_call() -> Iterator[None]:
    """A native call; once the process ends, a daemon thread waits here until it is over."""
    global _running
    with _changed:
        if threading.current_thread().daemon:
            _changed.wait_for(lambda: not _is_ending)
        _running += 1
    try:
        yield
    finally:
        with _changed:
            _running -= 1
            _changed.notify_all()


def _forget_calls_of_parent() -> None:
    """A forked child has none of its parent's threads."""
    global _changed, _running
    _changed, _running = threading.Condition(), 0


os.register_at_fork(after_in_child=_forget_calls_of_parent)


@atexit.register
def _await_native_calls() -> None:
    global _is_ending
    with _changed:
        _is_ending = True
        _changed.wait_for(lambda: _running == 0, _PATIENCE_SECONDS)
