"""What leaving out common terms costs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tacit import Tacit
from tacit.search import lexical

_DEPTH = 20


def kept_by_pruning(opened: Sequence[Tacit], queries: Sequence[str]) -> float:
    """The share of the first twenty hits without pruning that are still there with it."""
    with _everything_affordable():
        whole = _found(opened, queries)
    pruned = _found(opened, queries)
    pairs = zip(whole, pruned, strict=True)
    kept = [len(before & after) / len(before) for before, after in pairs if before]
    return sum(kept) / len(kept)


def _found(opened: Sequence[Tacit], queries: Sequence[str]) -> list[set[str]]:
    return [
        {
            hit.memory.id
            for hit in opened[number % len(opened)].search(query, max_results=_DEPTH).hits
        }
        for number, query in enumerate(queries)
    ]


@contextmanager
def _everything_affordable() -> Iterator[None]:
    usual = lexical.MOST_POSTINGS
    lexical.MOST_POSTINGS = 1 << 60
    try:
        yield
    finally:
        lexical.MOST_POSTINGS = usual
