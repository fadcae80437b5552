"""What the processes of a load do: call the public API until the time is over."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.figures import seconds
from benchmarks.texts import make_texts
from tacit import Tacit

_POOL = 1_000


@dataclass(slots=True)
class Outcome:
    """What one process did: each call's duration, what was acknowledged, and what failed."""

    durations: list[float] = field(default_factory=list)
    acknowledged: dict[str, str] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    elapsed: float = 0.0


def write(path: Path, number: int, batch: int, limit: float) -> Outcome:
    """Remember new texts, so many in one call; an id counts once the call has returned."""
    outcome = Outcome()
    with Tacit.open(path, embedder="none") as tacit:
        texts = _unique_texts(number)

        def call() -> None:
            written = tacit.memories.remember_all([next(texts) for _ in range(batch)])
            outcome.acknowledged.update((each.id, each.memory.content) for each in written)

        _repeat(call, outcome, limit)
    return outcome


def read(path: Path, number: int, ids: Sequence[str], limit: float) -> Outcome:
    """Get one memory and list a page, in turns."""
    outcome, random = Outcome(), Random(number)
    with Tacit.open(path, embedder="none") as tacit:
        calls: list[Callable[[], object]] = [lambda: tacit.get(random.choice(ids)), tacit.list]
        turns = cycle(calls)
        _repeat(lambda: next(turns)(), outcome, limit)
    return outcome


def _repeat(call: Callable[[], object], outcome: Outcome, limit: float) -> None:
    start = perf_counter()
    while perf_counter() - start < limit:
        try:
            outcome.durations.append(seconds(call))
        except Exception as error:  # whatever it is, it counts
            outcome.errors[type(error).__name__] += 1
    outcome.elapsed = perf_counter() - start


def _unique_texts(number: int) -> Iterator[str]:
    pool = cycle(make_texts(_POOL, seed=number))
    return (f"{text} {number}x{position}" for position, text in zip(count(), pool, strict=False))
