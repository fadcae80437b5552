"""What a function costs on a text, and how that grows with it."""

import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import process_time

from benchmarks.hostile.repetitions import Repetition
from tacit.core.errors import TacitError

Read = Callable[[str], object]

FULL = 100_000
"""The size that goals are about, in characters."""

FACTOR = 8
_MOST_GROWTH = 16
_SIZES = (200, 1_600, FULL // FACTOR)
"""Small ones come first, so that what grows too fast is noticed before it takes long."""

_TRIES = 5
_FLOOR_MS = 20.0
"""What takes less says nothing about growth."""

_PATIENCE_MS = 8_000.0
_SHARE = 40


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

    def __str__(self) -> str:
        return (
            f"{self.repetition}: {self.small_ms:.1f} ms for {self.size:,} characters,"
            f" {self.large_ms:.1f} ms for {FACTOR * self.size:,}"
        )


def load(read: Read) -> None:
    """Have a function load its tables before it is measured."""
    _once(read, "Everything is loaded before something is measured.")


def growth(read: Read, repetition: Repetition) -> Growth:
    """How the cost grows up to the full size: the first growth that is not fine, or the last.

    What is not fine is measured once more with twice the text, where chance weighs less.
    """
    for size in _SIZES:
        found = _growth(read, repetition, size)
        if not found.is_fine and found.large_ms <= _PATIENCE_MS:
            found = _growth(read, repetition, 2 * size)
        if not found.is_fine:
            break
    return found


def quick_cost(read: Read, repetition: Repetition, size: int) -> tuple[float, bool]:
    """Milliseconds of CPU for a size, and whether they were measured or estimated.

    A short text comes first: it loads what the function needs, and tells what would take too long.
    """
    part = max(size // _SHARE, 1)
    small = _best(read, repetition, part, 2)
    if small * (size / part) > _PATIENCE_MS:
        return small * (size / part), False
    return _best(read, repetition, size, 1), True


def cost(read: Read, repetition: Repetition, size: int) -> float:
    """Milliseconds of CPU for a size, best of three."""
    return _best(read, repetition, size, 3)


def _growth(read: Read, repetition: Repetition, size: int) -> Growth:
    """Best of five, unless one is enough to see that it is fine or goes on too long."""
    small = _best(read, repetition, size, 2)
    large = _best(read, repetition, FACTOR * size, 1)
    for number in range(2, _TRIES + 1):
        if Growth(repetition, size, small, large).is_fine or large > _PATIENCE_MS:
            break
        small = min(small, _best(read, repetition, size, 1, number))
        large = min(large, _best(read, repetition, FACTOR * size, 1, number))
    return Growth(repetition, size, small, large)


def _best(read: Read, repetition: Repetition, size: int, tries: int, first: int = 1) -> float:
    """The quickest of some calls, no two on the same text, which a cache might know."""
    texts = (repetition.text(size, more) for more in range(first, first + tries))
    return min(_once(read, text) for text in texts)


def _once(read: Read, text: str) -> float:
    """A function may refuse a text with an error of ours; any other error is its failure.

    The garbage collector waits meanwhile: what it does depends on all that the process holds.
    """
    gc.collect(0)
    gc.disable()
    try:
        start = process_time()
        with suppress(TacitError):
            read(text)
        return (process_time() - start) * 1_000
    finally:
        gc.enable()
