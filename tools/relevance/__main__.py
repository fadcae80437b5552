"""The commands `gather`, `show` and `fit`; see the package's docstring."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import tools.relevance
from rich.console import Console
from rich.progress import track
from rich.table import Table
from tools.relevance.examples import (
    Example,
    gather_life,
    gather_store,
    load_examples,
    save_examples,
)
from tools.relevance.fitting import (
    SHIPPED,
    estimate,
    find_floor,
    find_shares,
    fit_weights,
    leave_out_groups,
)

from tacit.core.errors import TacitError
from tacit.embedding.minilm.model_files import MODELS
from tacit.embedding.registry import shared_embedder
from tacit.evals.corpus import SetHalf
from tacit.evals.injection import load_stores
from tacit.evals.life import find_own_people
from tacit.evals.lives import read_lives
from tacit.search.ranking import TokenOdds

_FALSE = (0.05, 0.1, 0.2, 0.3)
"""Shares of messages that need nothing, at which the rest is compared."""


def main() -> None:
    """Gather examples, compare weights on who was left out, or fit them to all."""
    given = _parser().parse_args()
    if given.command == "gather":
        found = list(gather_examples(given.model, with_people=given.people))
        save_examples(given.examples, found)
    elif given.command == "show":
        Console().print(make_table(load_examples(given.examples)))
    else:
        weights = fit_weights(load_examples(given.examples))
        named = zip(fields(TokenOdds), weights, strict=True)
        Console().print(f"TokenOdds({', '.join(f'{each.name}={w:.2f}' for each, w in named)})")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tools.relevance",
        description=tools.relevance.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, told in (
        ("gather", "ask stores and people, and keep what was found for each message"),
        ("show", "compare the weights of the package with others, on who was left out"),
        ("fit", "print weights that are fitted to all"),
    ):
        command = commands.add_parser(name, help=told)
        command.add_argument("examples", type=Path)
        if name == "gather":
            command.add_argument("--people", action="store_true")
            command.add_argument(
                "--model", choices=[each.name for each in MODELS], default="minilm"
            )
    return parser


def gather_examples(model: str, *, with_people: bool) -> Iterator[Example]:
    """What is found for the messages of all stores, and of people."""
    embedder = shared_embedder(model)
    if embedder is None:
        raise TacitError("no local model: get it with tacit model pull")
    for store in track(load_stores(SetHalf.DEV), "stores"):
        yield from gather_store(store, embedder)
    for life in track(read_lives(find_own_people()), "people") if with_people else ():
        yield from gather_life(life, embedder)


def make_table(examples: Sequence[Example]) -> Table:
    """Weights beside each other, at floors that as many messages pass that need nothing."""
    told = {
        "package": [estimate(each, SHIPPED) for each in examples],
        "fitted to the others": leave_out_groups(examples),
    }
    table = Table("weights", "false", "floor", "right", "lines")
    for false in _FALSE:
        for name, relevance in told.items():
            floor = find_floor(examples, relevance, false)
            shares = find_shares(examples, relevance, floor)
            table.add_row(name, *(f"{each:.3f}" for each in (shares.false, floor, *shares[1:])))
    return table


if __name__ == "__main__":
    main()
