"""Statements of labelled messages, and whether they are worth remembering."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tacit.evals.corpus import SetHalf, load_entries
from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.sentences import find_clauses

DATA = Path(__file__).with_name("data")
PAIRS = DATA.parents[1] / "pair_reading" / "data"
TRAINED = ("en", "de", "fr", "es")
ASIDE = "aside_en"

_NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
_NOTED = ("notes_en", "notes_de_fr_es")
_SHORT = 12
_TELLING = 3
"""A shorter word of a note says nothing by itself."""


class StatementExample(NamedTuple):
    """A statement in a message, and whether it is worth remembering."""

    message: str
    statement: str
    is_worth: bool
    by_rule: bool
    """Whether the rules take it."""


def load_messages(name: str) -> list[Mapping[str, Any]]:
    """The messages of a file."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]


def load_trained() -> list[Mapping[str, Any]]:
    """All messages that are trained on."""
    own = [message for name in TRAINED for message in load_messages(name)]
    return [*own, *(each for name in ("messages", "chat") for each in load_dev(name))]


def load_dev(name: str) -> Sequence[Mapping[str, Any]]:
    """The development half of a set of `tacit eval`."""
    return load_entries(name, SetHalf.DEV)


def make_bare_examples(each_kind: int = 800) -> list[StatementExample]:
    """Statements that are a message by themselves, of the pairs that train the network.

    What was noted, what replaced it and what holds of one person is worth it; what was said where
    the subject of a note only comes up is not.
    """
    pairs = [pair for name in _NOTED for pair in _load_pairs(name)]
    replacing = [pair["new"] for pair in pairs if pair["relation"] == "replaces"]
    held = [said for life in _load_pairs("lives") for said in life["statements"]]
    passing = [pair["new"] for pair in _load_pairs("mentions") if pair["relation"] == "unrelated"]
    short = [said for said in passing if len(said.split()) <= _SHORT]
    return [
        StatementExample(said, said.strip(" .!"), is_worth, by_rule=False)
        for kind, is_worth in ((replacing, True), (held, True), (short, False))
        for said in Random(7).sample(sorted(set(kind)), each_kind)
    ]


def _load_pairs(name: str) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in (PAIRS / f"{name}.jsonl").read_text().splitlines()]


def make_examples(message: Mapping[str, Any]) -> Iterator[StatementExample]:
    """What the rules take of a message, and its clauses, as far as the notes tell their worth."""
    text, seen = message["text"], set()
    taken = [(each.content, True) for each in extract_findings(text, _NOW).findings]
    for statement, by_rule in (*taken, *((each, False) for each in find_clauses(text))):
        worth = find_worth(statement, message["memories"])
        if worth is not None and statement.casefold() not in seen:
            seen.add(statement.casefold())
            yield StatementExample(text, statement, worth, by_rule)


def find_worth(statement: str, notes: Sequence[Mapping[str, Any]]) -> bool | None:
    """Whether a statement says what a note says; None if it says a part of it."""
    said = _fold(statement)
    if any(all(_fold(word) in said for word in note["says"]) for note in notes):
        return True
    words = [_fold(word) for note in notes for word in note["says"]]
    return None if any(len(word) > _TELLING and word in said for word in words) else False


def _fold(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())
