"""What a function costs on a text, and how that grows with it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import log
from time import process_time

from benchmarks.hostile.repetitions import Repetition
from tacit.errors import TacitError

Read = Callable[[str], object]

FULL = 100_000
"""The size that goals are about, in characters."""

FACTOR = 8
_MOST_GROWTH = 16
_SIZES = (200, 1_600, FULL // FACTOR)
"""Small ones come first, so that what grows too fast is noticed before it takes long."""

_TRIES = 5
_FLOOR_MS = 8.0
"""What takes less says nothing about growth."""

_PATIENCE_MS = 1_000.0


@dataclass(frozen=True, slots=True)
class Growth:
    """What a repetition costs at a size, and at eight times that size."""

    repetition: Repetition
    size: int
    small_ms: float
    large_ms: float

    @property
    def is_fine(self) -> bool:
        """Whether eight times the text costs at most sixteen times as much."""
        return self.large_ms <= max(_MOST_GROWTH * self.small_ms, _FLOOR_MS)

    @property
    def is_full(self) -> bool:
        """Whether the larger text has the full size."""
        return FACTOR * self.size >= FULL

    @property
    def full_ms(self) -> float:
        """What the full size costs, if the cost goes on to grow so."""
        power = max(log(self.large_ms / max(self.small_ms, 0.001), FACTOR), 1.0)
        return float(self.large_ms * (FULL / (FACTOR * self.size)) ** power)

    def __str__(self) -> str:
        return (
            f"{self.repetition}: {self.small_ms:.1f} ms for {self.size:,} characters,"
            f" {self.large_ms:.1f} ms for {FACTOR * self.size:,}"
        )


def load(read: Read) -> None:
    """Have a function load its tables before it is measured."""
    _once(read, "Everything is loaded before something is measured.")


def growth(read: Read, repetition: Repetition) -> Growth:
    """How the cost grows up to the full size: the first growth that is not fine, or the last."""
    for size in _SIZES:
        found = _growth(read, repetition, size)
        if not found.is_fine:
            break
    return found


def full_cost(read: Read, repetition: Repetition) -> tuple[float, bool]:
    """Milliseconds of CPU for the full size, and whether they were measured or estimated."""
    found = growth(read, repetition)
    if not found.is_full and found.full_ms > _PATIENCE_MS:
        return found.full_ms, False
    return (found.large_ms if found.is_full else _best(read, repetition, FULL, 1)), True


def _growth(read: Read, repetition: Repetition, size: int) -> Growth:
    """Best of five, unless one is enough to see that it is fine or goes on too long."""
    other = size + 3  # no text of the size before, which a cache might know
    small = _best(read, repetition, other, 2)
    large = _best(read, repetition, FACTOR * size, 1)
    for number in range(1, _TRIES):
        if Growth(repetition, size, small, large).is_fine or large > _PATIENCE_MS:
            break
        small = min(small, _best(read, repetition, other + 20 * number, 1))
        large = min(large, _best(read, repetition, FACTOR * size + 30 * number, 1))
    return Growth(repetition, size, small, large)


def _best(read: Read, repetition: Repetition, size: int, tries: int) -> float:
    """The quickest of some calls, no two on the same text, which a cache might know."""
    return min(_once(read, repetition.text(size + 7 * number)) for number in range(tries))


def _once(read: Read, text: str) -> float:
    """A function may refuse a text with an error of ours; any other error is its failure."""
    start = process_time()
    with suppress(TacitError):
        read(text)
    return (process_time() - start) * 1_000
