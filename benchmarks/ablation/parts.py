"""What each part of the ranking brings: one is left out or alone on, everything else stays."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.context import Say
from benchmarks.report import Report, Row
from tacit.evals.benchmarks import evaluate_locomo_search, evaluate_longmemeval
from tacit.search import ranking, searcher
from tacit.search.ranking import Floats, Signals, Weighing

_TURN_MEASURES = ("recall@5", "recall@10", "recall@20")
_SESSION_MEASURES = ("any@5", "all@5", "all@10")
_NO_NEIGHBOURS = {"near": 0.0, "far": 0.0}

_VARIANTS: Mapping[str, tuple[Mapping[str, float], Mapping[str, Any]]] = {
    "everything (default)": ({}, {}),
    "without tokens": ({}, {"late_interaction": "off"}),
    "without words": ({"lexical": 0.0}, {}),
    "without what was said around": (_NO_NEIGHBOURS, {}),
    "without two places away": ({"far": 0.0}, {}),
    "without the session": ({"session": 0.0}, {}),
    "without the speaker": ({"speaker": 0.0}, {}),
    "without boosts": ({"boost": 0.0}, {}),
    "words and meaning only": (
        {**_NO_NEIGHBOURS, "session": 0.0, "speaker": 0.0},
        {},
    ),
    "reciprocal ranks": ({}, {"fusion": "rrf"}),
    "20 candidates a source": ({}, {"max_results_per_source": 20}),
    "200 candidates a source": ({}, {"max_results_per_source": 200}),
}


def run(locomo: Path, longmemeval: Path | None, say: Say) -> Report:
    """Recall of turns in LoCoMo, and of sessions in LongMemEval where its file is given."""
    rows: list[Row] = []
    for name, (weights, settings) in _VARIANTS.items():
        say(name)
        with _weighted(weights):
            turns = evaluate_locomo_search(locomo, _silent, **settings)
            figures = [turns[measure] for measure in _TURN_MEASURES]
            if longmemeval:
                sessions = evaluate_longmemeval(longmemeval, _silent, **settings)
                figures += [sessions[measure] for measure in _SESSION_MEASURES]
        rows.append((name, *(f"{figure:.3f}" for figure in figures)))
    return Report(
        title="What each part of the ranking brings",
        columns=("variant", *_TURN_MEASURES, *(_SESSION_MEASURES if longmemeval else ())),
        rows=rows,
    )


@contextmanager
def _weighted(weights: Mapping[str, float]) -> Iterator[None]:
    """The ranking with other weights, of candidates with tokens and without."""
    boost = weights.get("boost", ranking.BOOST)
    own = {name: weight for name, weight in weights.items() if name != "boost"}
    usual = ranking.FOR_CONVERSATIONS
    changed = Weighing(replace(usual.by_tokens, **own), replace(usual.by_vectors, **own))

    def score(signals: Signals, _: Weighing) -> Mapping[str, Floats]:
        return ranking.score_parts(signals, changed)

    with patch.object(searcher, "score_parts", score), patch.object(ranking, "BOOST", boost):
        yield


def _silent(done: int, total: int) -> None:
    """Nobody watches."""
