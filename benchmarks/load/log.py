"""What the clients saw."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

import httpx2


class Refused(Exception):
    """An answer that is no success."""


@dataclass(slots=True)
class Log:
    """Counts what falls into the measured time; errors and what was acknowledged count always."""

    is_measuring: bool = False
    durations: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    begun: int = 0
    turns: int = 0
    injected: int = 0
    degraded: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    remembered: dict[str, str] = field(default_factory=dict)
    committed: list[str] = field(default_factory=list)

    @contextmanager
    def call(self, what: str) -> Iterator[None]:
        """Time a call; one that fails is an error and raises."""
        begun, is_measured = perf_counter(), self.is_measuring
        try:
            yield
        except (httpx2.HTTPError, Refused) as error:
            self.errors[f"{what}: {type(error).__name__} {error}"] += 1
            raise Refused from error
        if is_measured and self.is_measuring:
            self.durations[what].append(perf_counter() - begun)

    def turn_begun(self, injected: int, degraded: list[str]) -> None:
        """A turn has brought its memories."""
        if self.is_measuring:
            self.begun += 1
            self.injected += injected
            self.degraded.update(["; ".join(degraded)] if degraded else [])

    def turn_over(self) -> None:
        """A turn is over."""
        self.turns += self.is_measuring
