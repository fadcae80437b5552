"""Strategy: messages, and what each needs beside itself."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.evals.corpus import Progress
from tacit.evals.halves import Half, entries_in, entries_of
from tacit.evals.timing import mean
from tacit.language.strategy import Strategy, StrategyChoice, choose_strategy


def evaluate_strategy(path: Path | None, progress: Progress) -> dict[str, Any]:
    """The share of messages that get the strategy they need.

    For each strategy, `precision` is the share of its choices that are right, and `recall` the
    share of the messages that need it and get it.
    """
    messages = entries_of("strategy", Half.HELD) if path is None else _parsed(path)
    choices: list[StrategyChoice] = []
    for number, message in enumerate(messages, start=1):
        choices.append(choose_strategy(message["text"]))
        progress(number, len(messages))
    needed = [Strategy(message["strategy"]) for message in messages]
    chosen = [choice.strategy for choice in choices]
    pairs = list(zip(needed, chosen, strict=True))
    return {
        "accuracy": mean([float(need is got) for need, got in pairs]),
        "messages": len(messages),
        **{str(strategy): _figures(strategy, pairs) for strategy in Strategy},
        "failures": [
            f"{message['id']} needs {message['strategy']}, "
            f"got {choice.strategy} ({choice.reason}): {message['text']}"
            for message, choice in zip(messages, choices, strict=True)
            if choice.strategy != message["strategy"]
        ],
    }


def _figures(strategy: Strategy, pairs: Sequence[tuple[Strategy, Strategy]]) -> dict[str, float]:
    right = [float(need is got) for need, got in pairs if got is strategy]
    found = [float(need is got) for need, got in pairs if need is strategy]
    return {"precision": mean(right), "recall": mean(found), "messages": len(found)}


def _parsed(path: Path) -> list[Mapping[str, Any]]:
    messages = entries_in(path)
    try:
        for message in messages:
            message["id"], message["text"], Strategy(message["strategy"])
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not a set of messages ({error!r})") from None
    return messages
