"""The settings of the table `search`."""

from dataclasses import dataclass
from enum import StrEnum

from tacit.settings.definition import SettingGroup, check_settings, setting


class Fusion(StrEnum):
    """How the sources of a search become one list."""

    SCORE = "score"
    RRF = "rrf"


class LateInteraction(StrEnum):
    """Whether candidates are scored by their tokens, and whose."""

    AUTO = "auto"
    LOCAL = "local"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """What steers a search."""

    max_results: int = setting(
        10,
        "Results",
        "Hits in the answer.",
        SettingGroup.SEARCH,
        low=1,
        high=1_000,
        in_project=True,
    )
    max_results_per_source: int = setting(
        50,
        "Results per Source",
        "Candidates that each source gives.",
        SettingGroup.SEARCH,
        low=1,
        high=1_000,
        in_project=True,
    )
    fusion: Fusion = setting(  # noqa: RUF009
        Fusion.SCORE,
        "Fusion",
        "score: weighted signals; rrf: reciprocal ranks.",
        SettingGroup.SEARCH,
        in_project=True,
    )
    rrf_k: int = setting(
        60,
        "Rank Constant",
        "The constant of reciprocal rank fusion, 1/(k + rank).",
        SettingGroup.SEARCH,
        low=1,
        high=1_000,
        in_project=True,
    )
    min_score: float = setting(
        0.0,
        "Minimum Score",
        "Hits below this final score are left out.",
        SettingGroup.SEARCH,
        low=0,
        high=1,
    )
    graph_depth: int = setting(
        2,
        "Graph Depth",
        "Steps along associations; 0 leaves the graph out.",
        SettingGroup.SEARCH,
        low=0,
        high=5,
        in_project=True,
    )
    graph_seed_threshold: float = setting(
        0.8,
        "Graph Seed Threshold",
        "Share of the query's weight that a memory must match to start from.",
        SettingGroup.SEARCH,
        low=0,
        high=1,
        in_project=True,
    )
    graph_seed_limit: int = setting(
        20,
        "Graph Seeds",
        "Memories to start from.",
        SettingGroup.SEARCH,
        low=1,
        high=100,
        in_project=True,
    )
    late_interaction: LateInteraction = setting(  # noqa: RUF009
        LateInteraction.AUTO,
        "Late Interaction",
        "Candidates are scored token by token: auto where the embedding model gives tokens; local"
        " with those of the local model beside another; off by vectors alone.",
        SettingGroup.SEARCH,
    )
    embedding_timeout_ms: int = setting(
        2_000,
        "Embedding Timeout (ms)",
        "How long a search waits for the query's vector before doing without.",
        SettingGroup.SEARCH,
        low=1,
        high=60_000,
    )

    def __post_init__(self) -> None:
        check_settings(self)
