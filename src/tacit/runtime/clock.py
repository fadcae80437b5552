"""The clock, a timer for the stages of a piece of work, and ids that sort by time (UUIDv7)."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


@dataclass(slots=True)
class StageTimer:
    """Milliseconds by stage, in the order they ended; a repeated stage adds up."""

    wall_ms: dict[str, float] = field(default_factory=dict)
    cpu_ms: dict[str, float] = field(default_factory=dict)
    _wall: float = field(default_factory=time.perf_counter)
    _cpu: float = field(default_factory=time.process_time)
    _start: float = field(default_factory=time.perf_counter)

    def end(self, name: str) -> None:
        """End a stage and begin the next."""
        wall, cpu = time.perf_counter(), time.process_time()
        self.wall_ms[name] = self.wall_ms.get(name, 0.0) + (wall - self._wall) * 1_000
        self.cpu_ms[name] = self.cpu_ms.get(name, 0.0) + (cpu - self._cpu) * 1_000
        self._wall, self._cpu = wall, cpu

    @property
    def total_ms(self) -> float:
        """Milliseconds since the start."""
        return (time.perf_counter() - self._start) * 1_000


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


def read_time(id: str) -> datetime | None:
    """When an id was made; None if it is no UUIDv7."""
    made = UUID(id)
    return datetime.fromtimestamp((made.int >> 80) / 1_000, UTC) if made.version == 7 else None
