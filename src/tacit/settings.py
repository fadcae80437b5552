"""Settings: one definition each, immutable; a change is a new value."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from tacit.choice import choice
from tacit.errors import InvalidInput


class Fusion(StrEnum):
    """How the sources of a search become one list."""

    SCORE = "score"
    RRF = "rrf"


def _setting(default: Any, low: float, high: float, help: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "help": help})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """What steers a search."""

    max_results: int = _setting(10, 1, 1_000, "Hits in the answer.")
    max_results_per_source: int = _setting(50, 1, 1_000, "Candidates that each source gives.")
    fusion: Fusion = field(
        default=Fusion.SCORE, metadata={"help": "score: weighted signals; rrf: reciprocal ranks."}
    )
    rrf_k: int = _setting(60, 1, 1_000, "The constant of reciprocal rank fusion, 1/(k + rank).")
    min_score: float = _setting(0.0, 0.0, 1.0, "Hits below this final score are left out.")
    graph_depth: int = _setting(2, 0, 5, "Steps along associations; 0 leaves the graph out.")
    graph_seed_threshold: float = _setting(
        0.8, 0.0, 1.0, "Share of the query's weight that a memory must match to start from."
    )
    graph_seed_limit: int = _setting(20, 1, 100, "Memories to start from.")
    embedding_timeout_ms: int = _setting(
        2_000,
        1,
        60_000,
        "How long a search waits for the query's vector before doing without.",
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            _check(each.name, getattr(self, each.name), each.metadata)
        object.__setattr__(self, "fusion", choice("fusion", Fusion, self.fusion))


def _check(name: str, value: Any, rule: Any) -> None:
    if "low" not in rule:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(name, f"expected a number, not {value!r}")
    if not rule["low"] <= value <= rule["high"]:
        raise InvalidInput(name, f"{value} is out of range; {rule['low']} to {rule['high']}")


def search_settings(values: Mapping[str, Any]) -> SearchSettings:
    """Settings with some values changed; an unknown name is an error."""
    names = [each.name for each in fields(SearchSettings)]
    for name in values:
        if name not in names:
            raise InvalidInput(name, f"no such setting; the settings are {', '.join(names)}")
    return SearchSettings(**values)
