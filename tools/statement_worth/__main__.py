"""The commands `train` and `show`; see the package's docstring."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tools.statement_worth
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from tools.statement_worth.examples import (
    ASIDE,
    StatementExample,
    load_messages,
    load_trained,
    make_bare_examples,
    make_examples,
)
from tools.statement_worth.fitting import FittedWeights, fit_weights

from tacit.embedding.minilm.model_files import PAIR_UPDATES, file_sha256
from tacit.embedding.minilm.pair_reader import MiniLMPairReader
from tacit.language.extraction.worth import MIN_WORTH, MIN_WORTH_UNMATCHED

PENALTY = 200.0
"""Less fits the written messages better and others worse."""


def main() -> None:
    """Fit a table, or show how well one does."""
    given = _parser().parse_args()
    if given.command == "train":
        save_table(given.file, train_table())
    show_table(load_table(given.file))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tools.statement_worth",
        description=tools.statement_worth.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("train", help="fit a table into a file").add_argument("file", type=Path)
    commands.add_parser("show", help="how well a table does").add_argument("file", type=Path)
    return parser


def train_table() -> FittedWeights:
    """The table of all messages that are trained on."""
    examples = [each for message in load_trained() for each in make_examples(message)]
    examples += make_bare_examples()
    return fit_weights(describe(examples), _labels(examples), PENALTY)


def describe(examples: Sequence[StatementExample]) -> NDArray[np.float64]:
    """What the network makes of each example."""
    reader = MiniLMPairReader.open()
    watched = track(examples, "Reading statements")
    rows = [reader.describe_statement(each.message, each.statement) for each in watched]
    return np.array(rows, np.float64)


def show_table(table: FittedWeights) -> None:
    """Print how many statements that were set aside are told right, at the thresholds."""
    examples = [each for message in load_messages(ASIDE) for each in make_examples(message)]
    likelihoods = 1 / (1 + np.exp(-(describe(examples) @ table.weights) - table.bias))
    is_worth, by_rule = _labels(examples), np.array([each.by_rule for each in examples])
    for name, chosen in (("taken by rules", by_rule), ("other clauses", ~by_rule)):
        worth, other = likelihoods[chosen & is_worth], likelihoods[chosen & ~is_worth]
        Console().print(
            f"{name}: of {len(worth)} that are worth it {(worth >= MIN_WORTH).sum()} reach "
            f"{MIN_WORTH} and {(worth >= MIN_WORTH_UNMATCHED).sum()} reach "
            f"{MIN_WORTH_UNMATCHED}; of {len(other)} others "
            f"{(other >= MIN_WORTH).sum()} and {(other >= MIN_WORTH_UNMATCHED).sum()}"
        )


def save_table(file: Path, table: FittedWeights) -> None:
    """Write a table as the package has it."""
    np.savez(
        file,
        weights=table.weights.astype(np.float32),
        bias=np.float32(table.bias),
        fitted_to=file_sha256(PAIR_UPDATES),
    )


def load_table(file: Path) -> FittedWeights:
    """Read a table as the package has it."""
    with np.load(file) as held:
        return FittedWeights(held["weights"].astype(np.float64), float(held["bias"]))


def _labels(examples: Sequence[StatementExample]) -> NDArray[np.bool_]:
    return np.array([each.is_worth for each in examples], np.bool_)


if __name__ == "__main__":
    main()
