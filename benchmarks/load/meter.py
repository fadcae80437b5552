"""Watches a server while it is measured."""

import threading
from dataclasses import dataclass, field
from statistics import linear_regression
from time import monotonic

from benchmarks.load.process import Server

_EVERY_SECONDS = 5.0
_MINUTE = 60.0


@dataclass
class Meter:
    """Its memory every five seconds, and its CPU time from the start to the end."""

    server: Server
    _samples: list[tuple[float, float]] = field(default_factory=list)
    _cpu: list[float] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._note_cpu()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look for the last time."""
        self._note_cpu()
        self._stop.set()
        if self._thread:
            self._thread.join()

    @property
    def cpu_seconds(self) -> float | None:
        """CPU time in between."""
        return self._cpu[-1] - self._cpu[0] if len(self._cpu) > 1 else None

    @property
    def memory_mb(self) -> tuple[float, float] | None:
        """First and last."""
        return (self._samples[0][1], self._samples[-1][1]) if self._samples else None

    @property
    def growth_mb(self) -> float | None:
        """Megabytes a minute, by a line through all samples."""
        if len(self._samples) < 2:
            return None
        times, sizes = zip(*self._samples, strict=True)
        return linear_regression(times, sizes).slope * _MINUTE

    def _watch(self) -> None:
        self._note_memory()
        while not self._stop.wait(_EVERY_SECONDS):
            self._note_memory()
        self._note_memory()

    def _note_memory(self) -> None:
        memory = self.server.memory_mb()
        if memory is not None:
            self._samples.append((monotonic(), memory))

    def _note_cpu(self) -> None:
        cpu = self.server.cpu_seconds()
        if cpu is not None:
            self._cpu.append(cpu)
