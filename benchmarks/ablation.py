"""`python -m benchmarks.ablation --locomo FILE --longmemeval FILE`: what each part brings.

Each row leaves one part of the ranking out, or turns it alone on; everything else stays.
"""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tacit.evals.benchmarks import evaluate_locomo, evaluate_longmemeval
from tacit.search import ranking as fusion

_VARIANTS: Mapping[str, tuple[Mapping[str, float], Mapping[str, Any]]] = {
    "everything (default)": ({}, {}),
    "without words": ({"LEXICAL": 0.0}, {}),
    "without what was said around": ({"NEAR": 0.0, "FAR": 0.0}, {}),
    "without two places away": ({"FAR": 0.0}, {}),
    "without the session": ({"SESSION": 0.0}, {}),
    "without the speaker": ({"SPEAKER": 0.0}, {}),
    "without boosts": ({"BOOST": 0.0}, {}),
    "words and meaning only": ({"NEAR": 0.0, "FAR": 0.0, "SESSION": 0.0, "SPEAKER": 0.0}, {}),
    "reciprocal ranks": ({}, {"fusion": "rrf"}),
    "20 candidates a source": ({}, {"max_results_per_source": 20}),
    "200 candidates a source": ({}, {"max_results_per_source": 200}),
}


def main() -> None:
    """Run every variant and print one table."""
    arguments = _arguments()
    drawn = Table("variant", "R@5", "R@10", "R@20", "any@5", "all@5", "all@10", box=None)
    for name, (weights, settings) in _VARIANTS.items():
        Console(stderr=True).print(name, style="bright_black")
        with _set(weights):
            turns = evaluate_locomo(arguments.locomo, _silent, **settings)
            sessions = evaluate_longmemeval(arguments.longmemeval, _silent, **settings)
        figures = [turns[f"recall@{depth}"] for depth in (5, 10, 20)]
        figures += [sessions[measure] for measure in ("any@5", "all@5", "all@10")]
        drawn.add_row(name, *(f"{figure:.3f}" for figure in figures))
    Console().print(drawn)


@contextmanager
def _set(weights: Mapping[str, float]) -> Iterator[None]:
    before = {name: getattr(fusion, name) for name in weights}
    for name, weight in weights.items():
        setattr(fusion, name, weight)
    try:
        yield
    finally:
        for name, weight in before.items():
            setattr(fusion, name, weight)


def _silent(done: int, total: int) -> None:
    """Nobody watches."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("--locomo", type=Path, required=True, metavar="FILE")
    parser.add_argument("--longmemeval", type=Path, required=True, metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
