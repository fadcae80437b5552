"""The pairs that a model is trained on: read, made of attributes, and varied."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from tacit.embedding.pair_reading import PairRelation

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


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """An earlier text, a later one, and how the later relates to the earlier."""

    old: str
    new: str
    relation: PairRelation
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


# Reading


def read_written_pairs() -> list[LabelledPair]:
    """Every pair that somebody wrote."""
    return [
        LabelledPair(row["old"], row["new"], RELATIONS[row["relation"]], row["lang"])
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


def read_chatter() -> list[str]:
    """What people say around what they state."""
    return (DATA / "chatter_en.txt").read_text(encoding="utf-8").splitlines()


def _read_rows(name: str) -> Iterator[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def is_test_pair(pair: LabelledPair) -> bool:
    """Whether a pair is in the twelfth that can be set aside; all pairs of a statement are."""
    return int(hashlib.sha256(pair.old.encode()).hexdigest(), 16) % 12 == 0


# Making


_REVIVED_SHARE = 0.08
"""How many made pairs begin with the end of something."""

_COMMON_WORD_LETTERS = 4
_TRIES = 20


@dataclass(frozen=True, slots=True)
class _Scene:
    """What a pair speaks of, and what else it could speak of."""

    about: Attribute
    subject: str
    other_subject: str | None
    value: str
    other_value: str

    def any_value(self, random: Random) -> str:
        return random.choice((self.value, self.other_value))


def generate_pair(attributes: Sequence[Attribute], random: Random) -> LabelledPair:
    """A pair of statements about one attribute, or sometimes about two."""
    while True:
        made = _try_pair(attributes, random)
        if made is not None and made.old != made.new:
            return made


def _try_pair(attributes: Sequence[Attribute], random: Random) -> LabelledPair | None:
    about = random.choice(attributes)
    subject, *rest = random.sample(about.subjects, min(2, len(about.subjects)))
    scene = _Scene(about, subject, rest[0] if rest else None, *random.sample(about.values, 2))
    if random.random() < _REVIVED_SHARE:
        return _say_after_an_end(scene, random)
    case = random.random()
    old = _fill(
        random.choice(about.states if random.random() < 0.8 else about.changes),
        scene.subject,
        scene.value,
    )
    if case < 0.6:
        new, relation = _say_of_the_same(scene, case, random)
        return LabelledPair(old, new, relation, "en")
    unrelated = _say_of_something_else(scene, case, attributes, random)
    return LabelledPair(old, unrelated, PairRelation.UNRELATED, "en") if unrelated else None


def _say_after_an_end(scene: _Scene, random: Random) -> LabelledPair:
    """What ended holds again, or something else holds, which leaves the end as it is."""
    about, subject = scene.about, scene.subject
    old = _fill(random.choice(about.ends), subject, scene.value)
    ways = about.states + about.changes
    if random.random() < 0.6:
        new, relation = _fill(random.choice(ways), subject, scene.value), PairRelation.REPLACES
    else:
        new, relation = _fill(random.choice(ways), subject, scene.other_value), PairRelation.ADDS
    return LabelledPair(old, new, relation, "en")


def _say_of_the_same(scene: _Scene, case: float, random: Random) -> tuple[str, PairRelation]:
    """Another value or an end in 42 of 100 pairs, a repetition in 8, what ends nothing in 10."""
    about, subject = scene.about, scene.subject
    if case < 0.42 and about.single and random.random() < 0.7:
        ways = about.states + about.changes + about.changes
        return _fill(random.choice(ways), subject, scene.other_value), PairRelation.REPLACES
    if case < 0.42:
        return _fill(random.choice(about.ends), subject, scene.value), PairRelation.REPLACES
    if case < 0.5:
        return _fill(random.choice(about.states), subject, scene.value), PairRelation.SAME
    if about.single:
        unreal = random.choice(about.not_now)
        return _fill(unreal, subject, scene.any_value(random)), PairRelation.UNREAL
    ways = about.states + about.changes
    return _fill(random.choice(ways), subject, scene.other_value), PairRelation.ADDS


def _say_of_something_else(
    scene: _Scene, case: float, attributes: Sequence[Attribute], random: Random
) -> str | None:
    """Something near in 12 of 100 pairs, another value's end in 6, else another thing."""
    about = scene.about
    if case < 0.72 and about.near:
        return _fill(random.choice(about.near), scene.subject, scene.any_value(random))
    if case < 0.78:
        return _fill(random.choice(about.ends), scene.subject, scene.other_value)
    if case < 0.95 and scene.other_subject:
        ways = about.states + about.changes + about.ends
        return _fill(random.choice(ways), scene.other_subject, scene.any_value(random))
    other = random.choice(attributes)
    new = _fill(
        random.choice(other.states + other.changes),
        random.choice(other.subjects),
        random.choice(other.values),
    )
    return None if other is about else new


def choose_from_life(lives: Sequence[Life], random: Random) -> LabelledPair:
    """Two statements of one life, mostly with a word in common; neither replaces the other."""
    life = random.choice(lives)
    for _ in range(_TRIES):
        old, new = random.sample(life.statements, 2)
        if not _long_words(old).isdisjoint(_long_words(new)):
            break
    return LabelledPair(old, new, PairRelation.UNRELATED, life.language)


def _long_words(text: str) -> set[str]:
    words = (word.strip(".,:;?!'\"()`").casefold() for word in text.split())
    return {word for word in words if len(word) >= _COMMON_WORD_LETTERS}


def _fill(way: str, subject: str, value: str) -> str:
    return way.replace("{S}", subject).replace("{V}", value)


# Varying


def vary_pair(
    pair: LabelledPair, chatter: Sequence[str], random: Random, *, is_written: bool
) -> LabelledPair:
    """The pair with chatter around the later text and other capitals, or as it is.

    Written pairs have chatter of their own and rarely get more.
    """
    old, new = pair.old, pair.new
    if not is_written or random.random() < 0.15:
        new = _add_chatter(new, chatter, random)
    if random.random() < 0.5:
        old, new = _capitalize(old), _capitalize(new)
    if random.random() < 0.2:
        new = new.lower()
    if random.random() < 0.2:
        old = old.lower()
    return replace(pair, old=old, new=new)


def _add_chatter(text: str, chatter: Sequence[str], random: Random) -> str:
    case = random.random()
    if case < 0.2:
        return f"{random.choice(chatter)} {text}"
    if case < 0.4:
        mark = "," if random.random() < 0.4 else "."
        return f"{text}{mark} {random.choice(chatter)}"
    if case < 0.45:
        return f"{random.choice(chatter)} {text}. {random.choice(chatter)}"
    return text


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


class TrainingPairs:
    """Draws pairs without end: written, of lives, or made; the same random numbers, the same."""

    def __init__(
        self,
        written: Sequence[LabelledPair],
        written_share: float,
        random: Random,
        life_share: float = 0.0,
    ) -> None:
        self._written = written
        self._share = written_share
        self._life_share = life_share
        self._random = random
        self._lives = read_lives()
        self._attributes = read_attributes()
        self._chatter = read_chatter()

    def draw(self) -> LabelledPair:
        """The next pair."""
        case = self._random.random()
        is_written = case < self._share + self._life_share
        if case < self._share:
            pair = self._random.choice(self._written)
        elif is_written:
            pair = choose_from_life(self._lives, self._random)
        else:
            pair = generate_pair(self._attributes, self._random)
        return vary_pair(pair, self._chatter, self._random, is_written=is_written)


def double_repetitions(pairs: Sequence[LabelledPair]) -> list[LabelledPair]:
    """The pairs, and those that say the same once more, since there are few."""
    return [*pairs, *(pair for pair in pairs if pair.relation is PairRelation.SAME)]
