"""How products of matrices are computed: on one thread, and judged by their values alone."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from threadpoolctl import OpenBLASController, ThreadpoolController


@contextmanager
def matrix_products() -> Iterator[None]:
    """Compute products on one thread; with more, concurrent searches slow each other down.

    The limit is the process's. Who comes first sets it and the last to leave lifts it, so that it
    changes in the middle of nobody's product. A kernel may load numbers beside a matrix and set the
    flag of an invalid operation on what it does not use: numpy's warning of it says nothing.
    """
    _limit.begin()
    try:
        with np.errstate(invalid="ignore"):
            yield
    finally:
        _limit.end()


class _OneThread:
    """The limit of one thread while anybody holds it."""

    def __init__(self) -> None:
        self._holders = 0
        self._lock = threading.Lock()

    def begin(self) -> None:
        with self._lock:
            if not self._holders:
                _release_control()
                self._limiter = _controller().limit(limits=1)
            self._holders += 1

    def end(self) -> None:
        with self._lock:
            self._holders -= 1
            if not self._holders:
                _release_control()
                self._limiter.restore_original_limits()
                _release_control()


def _release_control() -> None:
    """Let this thread set the limit: OpenBLAS obeys only the thread that set it first."""
    for library in _controller().lib_controllers:
        if isinstance(library, OpenBLASController):
            library.clear_controlling_thread(force=True)


@functools.cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


_limit = _OneThread()
