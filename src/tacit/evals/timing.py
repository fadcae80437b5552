"""How long searches take."""

import time
from collections.abc import Sequence

from tacit.api.tacit import Tacit
from tacit.search.results import SearchResult


class Stopwatch:
    """Makes searches and keeps their times."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def search(self, tacit: Tacit, text: str, **settings: object) -> SearchResult:
        """A search, timed as its caller sees it, the query's embedding included."""
        start = time.perf_counter()
        result = tacit.search(text, **settings)  # type: ignore[arg-type]
        self._times.append((time.perf_counter() - start) * 1_000)
        return result

    def summary(self) -> dict[str, float]:
        """The median and the 95th percentile, in milliseconds."""
        return {"p50": quantile(self._times, 0.5), "p95": quantile(self._times, 0.95)}


def quantile(values: Sequence[float], share: float) -> float:
    """The value that a share of all values does not exceed."""
    ordered = sorted(values)
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 3) if ordered else 0.0


def mean(values: Sequence[float]) -> float:
    """The average, rounded for people."""
    return round(sum(values) / len(values), 4) if values else 0.0
