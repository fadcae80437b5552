"""The event streams that are open."""

import threading
from collections.abc import Callable


class Streams:
    """How many listen, and that they end when the server does."""

    def __init__(self, noted: Callable[[int], None] = lambda _: None) -> None:
        self._noted = noted
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.count = 0

    def open(self, most: int) -> bool:
        """Let one more listen; tells whether there was room."""
        with self._lock:
            if self.count >= most:
                return False
            self.count += 1
            self._noted(self.count)
            return True

    def close(self) -> None:
        """One listens no more."""
        with self._lock:
            self.count -= 1
            self._noted(self.count)

    @property
    def have_ended(self) -> bool:
        """Whether nobody is to go on listening."""
        return self._ended.is_set()

    def end(self) -> None:
        """Let nobody go on listening."""
        self._ended.set()
