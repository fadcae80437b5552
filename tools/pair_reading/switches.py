"""Pairs about switching from one thing to another, which names what is given up.

"I switched from X back to Y" ends "we ditched Y and picked X", though both name both: what is given
up decides, and a model that looks for a value in the place of another misses it.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random

from tools.pair_reading.names import Names
from tools.pair_reading.pairs import DATA, Attribute, TrainingPair

from tacit.statements.pair_reading import PairRelation

_LANGUAGE_WEIGHTS = {"en": 7, "de": 1, "fr": 1, "es": 1}
_INVENTED_SHARE = 0.5
"""How many pairs have invented things, and not the values of an attribute."""

_NAMED_SHARE = 0.6
"""How many invented things have a name, and not a word without a capital."""


@dataclass(frozen=True, slots=True)
class SwitchWays:
    """How one language says what is used and what it is given up for, with things to fill in."""

    uses: tuple[str, ...]
    moves: tuple[str, ...]
    others: tuple[str, ...]
    """What somebody else uses."""
    mentions: tuple[str, ...]
    """The past, a plan, or something else about it: nothing is given up."""


@dataclass(frozen=True, slots=True)
class _Things:
    """What a pair speaks of, all of one kind."""

    used: str
    next: str
    before: str
    other: str
    further: str

    def fill(self, way: str) -> str:
        return way.format(**asdict(self))


def read_switches() -> dict[str, SwitchWays]:
    """The ways to speak of a switch, by language."""
    languages = tomllib.loads((DATA / "switches.toml").read_text(encoding="utf-8"))
    return {
        language: SwitchWays(**{name: tuple(some) for name, some in ways.items()})
        for language, ways in languages.items()
    }


def make_switch(
    switches: Mapping[str, SwitchWays],
    attributes: Sequence[Attribute],
    names: Names,
    random: Random,
) -> TrainingPair:
    """Something that is used or comes up, and in most pairs a switch from it or something else."""
    [language] = random.choices(list(switches), [_LANGUAGE_WEIGHTS[each] for each in switches])
    things = _Things(*_choose_things(attributes, names, random))
    old, new, relation = _say_switch(switches[language], things, random)
    return TrainingPair(old, new, relation, language)


def _choose_things(attributes: Sequence[Attribute], names: Names, random: Random) -> list[str]:
    """Five different things."""
    if random.random() >= _INVENTED_SHARE:
        return random.sample(random.choice(attributes).values, 5)
    things: list[str] = []
    while len(things) < 5:
        thing = _invent_thing(names, random)
        if thing not in things:
            things.append(thing)
    return things


def _invent_thing(names: Names, random: Random) -> str:
    if random.random() < _NAMED_SHARE:
        return names.invent_name(random)
    return names.invent_word(random).lower()


def _say_switch(ways: SwitchWays, things: _Things, random: Random) -> tuple[str, str, PairRelation]:
    """What is used is given up in 60 of 100 pairs; others use it in 12, or it is not that in 16."""
    case = random.random()
    use, move = random.choice(ways.uses), things.fill(random.choice(ways.moves))
    if case < 0.5:
        return things.fill(use), move, PairRelation.REPLACES
    if case < 0.6:
        return _say_earlier_switch(ways, things, random), move, PairRelation.REPLACES
    if case < 0.72:
        return things.fill(random.choice(ways.others)), move, PairRelation.UNRELATED
    if case < 0.88:
        return use.format(used=things.other, before=things.further), move, PairRelation.UNRELATED
    mention = things.fill(random.choice(ways.mentions))
    relation = random.choice((PairRelation.UNREAL, PairRelation.UNRELATED))
    return use.format(used=things.used, before=things.further), mention, relation


def _say_earlier_switch(ways: SwitchWays, things: _Things, random: Random) -> str:
    """The switch by which the thing came into use that is given up now."""
    to_something = [way for way in ways.moves if "{next}" in way]
    return random.choice(to_something).format(used=things.before, next=things.used)
