"""The event streams that are open."""

import threading
from collections.abc import Callable

from tacit.runtime.limits import ConcurrencyLimiter


class Streams:
    """How many listen, and that they end when the server does."""

    def __init__(self, noted: Callable[[int], None] = lambda _: None) -> None:
        self._noted = noted
        self._seats = ConcurrencyLimiter()
        self._ended = threading.Event()

    @property
    def count(self) -> int:
        """How many listen."""
        return self._seats.count

    def open(self, caller: str, most: int) -> bool:
        """Let a caller listen once more; tells whether there was room."""
        is_seated = self._seats.take(caller, most)
        self._noted(self.count)
        return is_seated

    def close(self, caller: str) -> None:
        """A caller listens once less."""
        self._seats.give_back(caller)
        self._noted(self.count)

    @property
    def have_ended(self) -> bool:
        """Whether nobody is to go on listening."""
        return self._ended.is_set()

    def end(self) -> None:
        """Let nobody go on listening."""
        self._ended.set()
