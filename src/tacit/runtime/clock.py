"""The clock, as a value that is passed in, and a timer for the stages of a piece of work."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

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
