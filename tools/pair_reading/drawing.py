"""The pairs of a training, drawn without end from all that there is."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Self

from tools.pair_reading.attributes import generate_pair, make_two_of_one
from tools.pair_reading.names import Names, name_anew, read_names, rename_common
from tools.pair_reading.pairs import (
    Attribute,
    Life,
    TrainingPair,
    double_repetitions,
    is_test_life,
    is_test_pair,
    long_words,
    read_attributes,
    read_chatter,
    read_lives,
    read_misread_lives,
    read_written_pairs,
)
from tools.pair_reading.switches import SwitchWays, make_switch, read_switches
from tools.pair_reading.variation import vary_pair

from tacit.statements.pair_reading import PairRelation

_TRIES = 20
_CROSSED_WITH_NEWER = 0.6
"""How often a text is crossed with the later text of another pair, and not with the earlier."""


@dataclass(frozen=True, slots=True)
class PairShares:
    """How many of all pairs come from where; the rest is made of attributes."""

    written: float
    life: float
    """Two statements of one life."""
    unlike: float
    """Texts of two pairs that have nothing to do with each other."""
    crossed: float = 0.0
    """Texts of two pairs that have a word in common, without a label."""
    misread: float = 0.0
    """Two statements of one life that a table misread."""
    two_of_one: float = 0.0
    """Two attributes of one subject."""
    switches: float = 0.0
    """A switch from one thing to another."""
    renamed: float = 0.25
    """How many of the written pairs get invented words for the names in both texts."""
    named: float = 0.53
    """How many of the made pairs get invented names."""

    @property
    def made(self) -> float:
        """What is left for pairs about one attribute."""
        chosen = self.written + self.life + self.unlike + self.crossed + self.misread
        return 1 - chosen - self.two_of_one - self.switches


@dataclass(frozen=True, slots=True)
class PairSources:
    """What pairs are drawn from."""

    written: Sequence[TrainingPair]
    lives: Sequence[Life]
    misread_lives: Sequence[TrainingPair]
    attributes: Sequence[Attribute]
    switches: Mapping[str, SwitchWays]
    chatter: Sequence[str]
    names: Names

    @classmethod
    def read(cls, tokenizer: Path) -> Self:
        """All data, without the pairs and lives that are set aside; repetitions count twice."""
        written = read_written_pairs()
        return cls(
            double_repetitions([pair for pair in written if not is_test_pair(pair)]),
            [life for life in read_lives() if not is_test_life(life)],
            read_misread_lives(),
            read_attributes(),
            read_switches(),
            read_chatter(),
            read_names(tokenizer, written),
        )


@dataclass(frozen=True, slots=True)
class _Kind:
    """Pairs of one kind, and how many of all pairs are of it."""

    share: float
    draw: Callable[[], TrainingPair]
    left_bare: float = 1.0
    """How many are left without chatter around them, as written pairs are, which have their own."""


class PairStream:
    """Draws pairs without end; the same random numbers give the same pairs."""

    def __init__(self, sources: PairSources, shares: PairShares, random: Random) -> None:
        self._sources = sources
        self._shares = shares
        self._random = random
        self._crossing = Crossing(sources.written if shares.crossed else ())
        self._kinds = self._list_kinds()
        self._kind_shares = [kind.share for kind in self._kinds]

    def _list_kinds(self) -> list[_Kind]:
        sources, shares, random = self._sources, self._shares, self._random
        attributes, names = sources.attributes, sources.names
        return [
            _Kind(shares.written, self._choose_written),
            _Kind(shares.life, lambda: choose_from_life(sources.lives, random)),
            _Kind(shares.unlike, lambda: choose_unlike(sources.written, random)),
            _Kind(shares.crossed, lambda: self._crossing.choose(random)),
            _Kind(shares.misread, lambda: random.choice(sources.misread_lives)),
            _Kind(shares.two_of_one, lambda: make_two_of_one(attributes, names, random), 0.5),
            _Kind(
                shares.switches,
                lambda: make_switch(sources.switches, attributes, names, random),
                0.4,
            ),
            _Kind(shares.made, self._make, 0.0),
        ]

    def draw(self) -> TrainingPair:
        """The next pair."""
        [kind] = self._random.choices(self._kinds, self._kind_shares)
        is_left_bare = self._random.random() < kind.left_bare
        return vary_pair(kind.draw(), self._sources.chatter, self._random, is_written=is_left_bare)

    def _choose_written(self) -> TrainingPair:
        pair = self._random.choice(self._sources.written)
        if self._random.random() < self._shares.renamed:
            pair = rename_common(pair, self._sources.names, self._random)
        return pair

    def _make(self) -> TrainingPair:
        about, other = self._random.choices(self._sources.attributes, k=2)
        if self._random.random() < self._shares.named:
            about = name_anew(about, self._sources.names, self._random)
        return generate_pair(about, other, self._random)


def choose_from_life(lives: Sequence[Life], random: Random) -> TrainingPair:
    """Two statements of one life, mostly with a word in common; neither replaces the other."""
    life = random.choice(lives)
    for _ in range(_TRIES):
        old, new = random.sample(life.statements, 2)
        if not long_words(old).isdisjoint(long_words(new)):
            break
    return TrainingPair(old, new, PairRelation.UNRELATED, life.language)


def choose_unlike(written: Sequence[TrainingPair], random: Random) -> TrainingPair:
    """The texts of two pairs: written pairs are all alike, and most that are compared are not."""
    while True:
        one, other = random.choices(written, k=2)
        if one.old != other.old:
            return TrainingPair(one.old, other.new, PairRelation.UNRELATED, one.language)


class Crossing:
    """Pairs an earlier text with any that has a word in common, as memories are compared.

    What such texts have to do with each other nobody wrote down; teachers say it.
    """

    def __init__(self, written: Sequence[TrainingPair]) -> None:
        self._written = written
        self._by_word: dict[str, list[TrainingPair]] = defaultdict(list)
        for pair in written:
            for word in long_words(pair.old) | long_words(pair.new):
                self._by_word[word].append(pair)

    def choose(self, random: Random) -> TrainingPair:
        """An earlier text, and a text of a pair that has one of its words."""
        while True:
            one = random.choice(self._written)
            words = sorted(long_words(one.old))
            if not words:
                continue
            other = random.choice(self._by_word[random.choice(words)])
            text = other.new if random.random() < _CROSSED_WITH_NEWER else other.old
            if text not in (one.old, one.new):
                return TrainingPair(one.old, text, None, one.language)
