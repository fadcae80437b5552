"""The commands `train` and `show`; see the package's docstring."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import tools.authorship
from numpy.typing import NDArray
from rich.console import Console
from tools.authorship.examples import (
    DEVELOPMENT,
    WRITERS,
    LabelledMessage,
    load_own,
    load_written,
    read_messages,
)
from tools.authorship.fitting import ReadMessage, fit_weights

from tacit.embedding.minilm.authorship import Floats, read_states
from tacit.language.extraction.own_sentences import is_doubtful

_FOLDS = 6
"""A sixth of the people's own messages is left out with each writer."""


def main() -> None:
    """Fit the weights, or show how well such weights do on writers whom they were not fitted to."""
    given = _parser().parse_args()
    if given.command == "train":
        save_weights(given.file, train_weights())
    else:
        show_left_out()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tools.authorship",
        description=tools.authorship.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("train", help="fit the weights").add_argument("file", type=Path)
    commands.add_parser("show", help="fit without each writer in turn, and measure on theirs")
    return parser


def train_weights() -> Mapping[str, Floats]:
    """The weights of all messages."""
    messages = [each for name in (*WRITERS, DEVELOPMENT) for each in load_written(name)]
    return fit_weights(read_messages([*messages, *load_own()]))


def save_weights(file: Path, weights: Mapping[str, Floats]) -> None:
    """Write weights as the package has them."""
    with file.open("wb") as target:
        np.savez(target, **{name: each.astype(np.float16) for name, each in weights.items()})


def show_left_out() -> None:
    """Print what is told right of each writer's messages by weights of the others' messages."""
    names, own = (*WRITERS, DEVELOPMENT), load_own()
    written = {name: load_written(name) for name in names}
    read = {name: read_messages(written[name]) for name in names}
    read_own = read_messages(own)
    odds: dict[str, NDArray[np.float64]] = {}
    for fold, name in enumerate(names):
        left = [each for place, each in enumerate(read_own) if place % _FOLDS != fold]
        others = [each for other in names if other != name for each in read[other]]
        weights = fit_weights([*others, *left])
        odds[name] = find_likelihoods(weights, read[name])
        odds[f"own {fold}"] = find_likelihoods(weights, read_own[fold::_FOLDS])
        Console().print(name, summarize(written[name], odds[name]))
        Console().print("  own", summarize(own[fold::_FOLDS], odds[f"own {fold}"]))
    everything = [each for name in WRITERS for each in written[name]]
    Console().print("all", summarize(everything, np.concatenate([odds[each] for each in WRITERS])))


def find_likelihoods(
    weights: Mapping[str, Floats], messages: Sequence[ReadMessage]
) -> NDArray[np.float64]:
    """How likely each message holds somebody else's text."""
    odds = [
        read_states(weights, each.states[None], np.ones((1, len(each.states)), np.float32)).message[
            0
        ]
        for each in messages
    ]
    return 1 / (1 + np.exp(-np.array(odds, np.float64)))


def summarize(
    messages: Sequence[LabelledMessage], likelihoods: NDArray[np.float64]
) -> dict[str, float]:
    """Of others' sentences the share that is in no doubt, of the person's own the share that is.

    By the patterns alone, and with the network.
    """
    found_by_model = likelihoods.tolist()
    by_patterns = [is_doubtful(each.text) for each in messages]
    both = [
        is_doubtful(each.text, lambda _, likely=likely: likely)
        for each, likely in zip(messages, found_by_model, strict=True)
    ]
    found: dict[str, float] = {}
    for name, doubted in (("patterns", by_patterns), ("with the network", both)):
        told = list(zip(messages, doubted, strict=True))
        foreign = [is_in for each, is_in in told for _ in each.foreign]
        own = [is_in for each, is_in in told if each.is_own for _ in each.own or (each.text,)]
        found[f"{name}: taken"] = round(1 - float(np.mean(foreign)), 3) if foreign else 0.0
        found[f"{name}: lost"] = round(float(np.mean(own)), 3)
    return found


if __name__ == "__main__":
    main()
