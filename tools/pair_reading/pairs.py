"""The values that a model is trained on, and the files that they are read from."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.statements.pair_reading import PairRelation

DATA = Path(__file__).with_name("data")
WRITTEN = (
    "mixed",
    "talk_en",
    "talk_de_fr_es",
    "notes_en",
    "facts_en",
    "notes_de_fr_es",
    "neighbours_en",
    "mixed_de_fr_es",
    "mentions",
    "changes_en",
    "changes_de_fr_es",
    "near_en",
    "near_de_fr_es",
    "world_en",
    "contrasts",
)

RELATIONS = {
    "replaces": PairRelation.REPLACES,
    "same": PairRelation.SAME,
    "refines": PairRelation.ADDS,
    "addition": PairRelation.ADDS,
    "unrelated": PairRelation.UNRELATED,
    "past_or_unreal": PairRelation.UNREAL,
}
"""The relations as the data names them, and as the model does."""

_COMMON_WORD_LETTERS = 4


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """An earlier text, a later one, and how the later relates to the earlier."""

    old: str
    new: str
    relation: PairRelation | None
    """None where nobody labelled the pair: only what teachers say of it is learned."""
    language: str


@dataclass(frozen=True, slots=True)
class Life:
    """What one person or team said over a year; all of it holds at the same time."""

    statements: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that subjects have a value of, with ways to say so; `{S}` and `{V}` are filled."""

    subjects: tuple[str, ...]
    values: tuple[str, ...]
    states: tuple[str, ...]
    changes: tuple[str, ...]
    ends: tuple[str, ...]
    not_now: tuple[str, ...]
    """The past, a wish, a plan or an exception."""
    near: tuple[str, ...]
    """Something else about the same subject, with the same kind of value."""
    single: bool
    """Whether only one value can hold at a time."""


def read_written_pairs() -> list[TrainingPair]:
    """Every pair that somebody wrote."""
    return [
        TrainingPair(row["old"], row["new"], RELATIONS[row["relation"]], row["lang"])
        for name in WRITTEN
        for row in _read_rows(f"{name}.jsonl")
    ]


def read_attributes() -> list[Attribute]:
    """The attributes that pairs are made of."""
    return [_to_attribute(row) for row in _read_rows("attributes_en.jsonl")]


def _to_attribute(row: dict[str, Any]) -> Attribute:
    lists = ("subjects", "values", "states", "changes", "ends", "not_now", "near")
    return Attribute(single=row["single"], **{name: tuple(row[name]) for name in lists})


def read_lives() -> list[Life]:
    """Statements that have much in common and never replace each other."""
    return [Life(tuple(row["statements"]), row["lang"]) for row in _read_rows("lives.jsonl")]


def read_misread_lives() -> list[TrainingPair]:
    """Two statements of one life each, of which a table took the later one for a change."""
    return [
        TrainingPair(row["old"], row["new"], PairRelation.UNRELATED, row["lang"])
        for row in _read_rows("misread_lives.jsonl")
    ]


def read_chatter() -> list[str]:
    """What people say around what they state."""
    return (DATA / "chatter_en.txt").read_text(encoding="utf-8").splitlines()


def _read_rows(name: str) -> Iterator[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def is_test_pair(pair: TrainingPair) -> bool:
    """Whether a pair is in the twelfth that is set aside; all pairs of a statement are."""
    return _is_set_aside(pair.old)


def is_test_life(life: Life) -> bool:
    """Whether a life is in the twelfth that is set aside."""
    return _is_set_aside(life.statements[0])


def _is_set_aside(text: str) -> bool:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 12 == 0


def double_repetitions(pairs: Sequence[TrainingPair]) -> list[TrainingPair]:
    """The pairs, and those that say the same once more, since there are few."""
    return [*pairs, *(pair for pair in pairs if pair.relation is PairRelation.SAME)]


def long_words(text: str) -> set[str]:
    """The words by which two texts can seem to be about the same."""
    words = (word.strip(".,:;?!'\"()`").casefold() for word in text.split())
    return {word for word in words if len(word) >= _COMMON_WORD_LETTERS}
