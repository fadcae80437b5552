"""UUIDv7: ids that sort by the time they were made."""

import os
import threading
import time
from collections.abc import Callable
from uuid import UUID

NewId = Callable[[], str]

_COUNTER_BITS = 12


class IdGenerator:
    """Makes UUIDv7s that never go backwards within a process, even when its clock does."""

    def __init__(self, milliseconds: Callable[[], int] = lambda: time.time_ns() // 1_000_000):
        self._milliseconds = milliseconds
        self._lock = threading.Lock()
        self._tick = 0

    def __call__(self) -> str:
        """Make one."""
        with self._lock:
            now = self._milliseconds() << _COUNTER_BITS
            self._tick = max(now, self._tick + 1)
            tick = self._tick
        return str(UUID(int=_layout(tick, int.from_bytes(os.urandom(8)))))


def _layout(tick: int, random: int) -> int:
    """48 bits of time, version 7, 12 bits that count within a millisecond, variant, 62 random."""
    timestamp = tick >> _COUNTER_BITS
    counter = tick & ((1 << _COUNTER_BITS) - 1)
    return timestamp << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | random >> 2


new_id: NewId = IdGenerator()
