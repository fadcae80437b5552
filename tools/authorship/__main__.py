"""The commands `train`, `exchange` and `show`; see the package's docstring."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import tools.authorship
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from tools.authorship.examples import (
    DEVELOPMENT,
    WRITERS,
    LabelledMessage,
    load_in_a_row,
    load_own,
    load_two_messages,
    load_written,
    read_messages,
)
from tools.authorship.fitting import ReadMessage, fit_weights

from tacit.embedding.minilm.authorship import Floats, read_states
from tacit.embedding.minilm.model_files import LANGUAGES
from tacit.language.extraction.authorship import MAX_OWN, MIN_FOREIGN, is_in_doubt
from tacit.language.extraction.own_sentences import is_doubtful
from tacit.language.extraction.third_party_text import find_adopted_text

_LEAST_FOREIGN, _MOST_OWN = (0.6, 0.7, 0.8, 0.9), (0.0, 0.014, 0.016, 0.02, 0.03)
"""Thresholds that are shown beside each other, for `MIN_FOREIGN` and `MAX_OWN`."""

_FOLDS = 9
"""A ninth of the people's own messages is left out with each writer."""


def main() -> None:
    """Fit the weights, or show how well such weights do on writers whom they were not fitted to."""
    given = _parser().parse_args()
    if given.command == "train":
        save_weights(given.file, train_weights())
    elif given.command == "exchange":
        save_weights(given.file, train_exchange_weights())
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
    exchange = commands.add_parser("exchange", help="fit the weights for two messages")
    exchange.add_argument("file", type=Path)
    commands.add_parser("show", help="fit without each writer in turn, and measure on theirs")
    return parser


def train_weights() -> Mapping[str, Floats]:
    """The weights of all messages."""
    return fit_weights(read_messages([*_load_all_written(), *load_own()]))


def train_exchange_weights() -> Mapping[str, Floats]:
    """The weights of all messages and of such as follow each other."""
    together = [*load_two_messages(), *load_in_a_row()]
    return fit_weights(read_messages([*_load_all_written(), *together]))


def _load_all_written() -> list[LabelledMessage]:
    return [each for name in (*WRITERS, DEVELOPMENT) for each in load_written(name)]


def save_weights(file: Path, weights: Mapping[str, Floats]) -> None:
    """Write weights as the package has them."""
    with file.open("wb") as target:
        packed = {name: each.astype(np.float16) for name, each in weights.items()}
        np.savez(target, fitted_to=LANGUAGES.sha256, **packed)


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
    likelihoods = np.concatenate([odds[each] for each in WRITERS])
    Console().print("all", summarize(everything, likelihoods))
    Console().print(make_threshold_table(everything, likelihoods))


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
    found: dict[str, float] = {}
    by_patterns = [is_doubtful(each.text) for each in messages]
    with_network = _find_doubt(messages, by_patterns, likelihoods, (MIN_FOREIGN, MAX_OWN))
    for name, doubted in (("patterns", by_patterns), ("with the network", with_network)):
        found[f"{name}: taken"], found[f"{name}: lost"] = _find_shares(messages, doubted)
    return found


def make_threshold_table(
    messages: Sequence[LabelledMessage], likelihoods: NDArray[np.float64]
) -> Table:
    """The same shares for other thresholds: what is taken / what is lost."""
    table = Table("from this on in doubt", *(f"own below {most}" for most in _MOST_OWN))
    by_patterns = [is_doubtful(each.text) for each in messages]
    for least in _LEAST_FOREIGN:
        shares = [
            _find_shares(messages, _find_doubt(messages, by_patterns, likelihoods, (least, most)))
            for most in _MOST_OWN
        ]
        table.add_row(str(least), *(f"{taken} / {lost}" for taken, lost in shares))
    return table


def _find_doubt(
    messages: Sequence[LabelledMessage],
    by_patterns: Sequence[bool],
    likelihoods: NDArray[np.float64],
    thresholds: tuple[float, float],
) -> list[bool]:
    """Which messages are in doubt; what a person adopts always is."""
    read = zip(messages, by_patterns, likelihoods.tolist(), strict=True)
    return [
        bool(find_adopted_text(each.text))
        or is_in_doubt(each.text, suspected, lambda _, likely=likely: likely, *thresholds)
        for each, suspected, likely in read
    ]


def _find_shares(
    messages: Sequence[LabelledMessage], doubted: Sequence[bool]
) -> tuple[float, float]:
    told = list(zip(messages, doubted, strict=True))
    foreign = [is_in for each, is_in in told for _ in each.foreign]
    own = [is_in for each, is_in in told if each.is_own for _ in each.own or (each.text,)]
    return round(1 - float(np.mean(foreign or [1])), 3), round(float(np.mean(own or [0])), 3)


if __name__ == "__main__":
    main()
