"""The commands `gather`, `show` and `train`; see the package's docstring."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import tools.need
from rich.console import Console
from rich.progress import track
from rich.table import Table
from tools.need.examples import (
    Example,
    Floats,
    gather_life,
    gather_store,
    load_examples,
    save_examples,
)
from tools.need.fitting import find_likelihoods, fit_weights, leave_out_groups

from tacit.core.errors import TacitError
from tacit.embedding.minilm.model_files import SEVEN_LANGUAGES
from tacit.embedding.registry import shared_embedder
from tacit.evals.corpus import SetHalf
from tacit.evals.injection import load_stores
from tacit.evals.life import find_own_people
from tacit.evals.lives import read_lives
from tacit.search.need import NeedWeights

_LEAST = (0.4, 0.5, 0.6, 0.7, 0.8)
"""Settings of `least_need` that are shown beside each other."""

_FEWER = (5, 10, 20)
"""So many people are fitted to for the learning curve, besides all."""


def main() -> None:
    """Gather examples, show what is told of who was left out, or fit the weights."""
    given = _parser().parse_args()
    if given.command == "gather":
        save_examples(given.examples, list(gather_examples()))
    elif given.command == "show":
        examples = load_examples(given.examples)
        Console().print(make_table(examples, leave_out_groups(examples)))
        Console().print(make_curve(examples))
    else:
        save_weights(given.weights, fit_weights(load_examples(given.examples)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tools.need",
        description=tools.need.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, told in (
        ("gather", "play people and stores, and keep what was found for each message"),
        ("show", "fit without each person and store in turn, and measure on theirs"),
        ("train", "fit the weights to all"),
    ):
        command = commands.add_parser(name, help=told)
        command.add_argument("examples", type=Path)
        if name == "train":
            command.add_argument("weights", type=Path)
    return parser


def gather_examples() -> Iterator[Example]:
    """The messages of all people and stores."""
    embedder = shared_embedder(SEVEN_LANGUAGES.name)
    if embedder is None:
        raise TacitError("no local model: get it with tacit model pull")
    for life in track(read_lives(find_own_people()), "people"):
        yield from gather_life(life, embedder)
    for store in track(load_stores(SetHalf.DEV), "stores"):
        yield from gather_store(store, embedder)


def make_table(examples: Sequence[Example], likely: Floats) -> Table:
    """Of what needs nothing the share that gets nothing, of the rest the share that may."""
    needed = np.array([each.is_needed for each in examples])
    names = _people(examples)
    people = np.array([each.group in names for each in examples])
    table = Table("least_need", "people: silent", "kept", "stores: silent", "kept")
    for least in _LEAST:
        shares = []
        for group in (people, ~people):
            shares.append(float((likely[group & ~needed] < least).mean()))
            shares.append(float((likely[group & needed] >= least).mean()))
        table.add_row(str(least), *(f"{share:.3f}" for share in shares))
    return table


def make_curve(examples: Sequence[Example]) -> Table:
    """How well people who were left out are told apart, by how many others were fitted to."""
    people = _people(examples)
    table = Table("people fitted to", "area under the curve")
    fewer = [count for count in _FEWER if count < len(people)]
    for count in (*fewer, len(people)):
        table.add_row(str(count), f"{_find_area(examples, people, count):.3f}")
    return table


def _find_area(examples: Sequence[Example], people: Sequence[str], count: int) -> float:
    """The area, with each tenth of the people left out and `count` of the others fitted to."""
    told: list[Floats] = []
    needed: list[bool] = []
    for fold in range(10):
        left = people[fold::10]
        others = [name for name in people if name not in left]
        chosen = np.random.default_rng(fold).permutation(others)[:count]
        fitted = fit_weights([each for each in examples if each.group in chosen])
        tested = [each for each in examples if each.group in left]
        told.append(find_likelihoods(fitted, tested))
        needed += [each.is_needed for each in tested]
    ranks = np.argsort(np.argsort(np.concatenate(told))) + 1.0
    is_needed = np.array(needed)
    yes, no = int(is_needed.sum()), int((~is_needed).sum())
    return float((ranks[is_needed].sum() - yes * (yes + 1) / 2) / (yes * no))


def _people(examples: Sequence[Example]) -> list[str]:
    """The groups that are people and not stores."""
    stores = {store["id"] for store in load_stores(SetHalf.DEV)}
    return [name for name in dict.fromkeys(each.group for each in examples) if name not in stores]


def save_weights(file: Path, weights: NeedWeights) -> None:
    """Write weights as the package has them."""
    with file.open("wb") as target:
        np.savez(
            target,
            vector=weights.vector.astype(np.float16),
            traits=weights.traits,
            fitted_to=weights.fitted_to,
        )


if __name__ == "__main__":
    main()
