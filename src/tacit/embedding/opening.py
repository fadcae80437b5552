"""Opening what is costly: when it is first needed, once, and not again right after a failure."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from tacit.core.errors import TacitError

_RETRY_SECONDS = 60.0

Opened = TypeVar("Opened")


class OpenedOnce(Generic[Opened]):
    """What `open` gives, opened by the first call; a failure is told again for a minute."""

    def __init__(self, open: Callable[[], Opened]) -> None:
        self._open = open
        self._lock = threading.Lock()
        self._opened: Opened | None = None
        self._failure: tuple[float, TacitError] | None = None

    @property
    def if_open(self) -> Opened | None:
        """What is open already; nothing is opened."""
        return self._opened

    def get(self) -> Opened:
        """What is open, or is opened now."""
        with self._lock:
            if self._opened is None:
                self._refuse_again()
                try:
                    self._opened = self._open()
                except TacitError as error:
                    self._failure = (time.monotonic(), error)
                    raise
            return self._opened

    def _refuse_again(self) -> None:
        if self._failure is not None:
            failed_at, error = self._failure
            if time.monotonic() - failed_at < _RETRY_SECONDS:
                raise error
