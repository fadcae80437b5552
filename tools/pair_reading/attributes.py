"""Pairs made of attributes: one statement about a subject, and what may be said after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tools.pair_reading.names import Names, is_name
from tools.pair_reading.pairs import Attribute, TrainingPair

from tacit.statements.pair_reading import PairRelation

_REVIVED_SHARE = 0.08
"""How many made pairs begin with the end of something."""

_ENDS_SHARE = 0.3
"""How often another attribute of the same subject may end, and not only hold or change."""

_INVENTED_SUBJECTS = 0.6
"""How many named subjects of two attributes get an invented name."""


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


def generate_pair(about: Attribute, other: Attribute, random: Random) -> TrainingPair:
    """A pair of statements about one attribute; the later one is sometimes about the other."""
    while True:
        made = _try_pair(about, other, random)
        if made is not None and made.old != made.new:
            return made


def _try_pair(about: Attribute, other: Attribute, random: Random) -> TrainingPair | None:
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
        return TrainingPair(old, new, relation, "en")
    unrelated = _say_of_something_else(scene, case, other, random)
    return TrainingPair(old, unrelated, PairRelation.UNRELATED, "en") if unrelated else None


def _say_after_an_end(scene: _Scene, random: Random) -> TrainingPair:
    """What ended holds again, or something else holds, which leaves the end as it is."""
    about, subject = scene.about, scene.subject
    old = _fill(random.choice(about.ends), subject, scene.value)
    ways = about.states + about.changes
    if random.random() < 0.6:
        new, relation = _fill(random.choice(ways), subject, scene.value), PairRelation.REPLACES
    else:
        new, relation = _fill(random.choice(ways), subject, scene.other_value), PairRelation.ADDS
    return TrainingPair(old, new, relation, "en")


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
    scene: _Scene, case: float, other: Attribute, random: Random
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
    if other is about:
        return None
    return _say_any(other, other.states + other.changes, random.choice(other.subjects), random)


def make_two_of_one(attributes: Sequence[Attribute], names: Names, random: Random) -> TrainingPair:
    """Two attributes of one subject, which leave each other alone: a move changes no car."""
    while True:
        about = random.choice(attributes)
        kind = _kind_of_subject(about)
        others = [
            each for each in attributes if each is not about and _kind_of_subject(each) == kind
        ]
        if not others:
            continue
        other, subject = random.choice(others), _choose_subject(about, names, random)
        ends = other.ends if random.random() < _ENDS_SHARE else ()
        old = _say_any(about, about.states + about.changes, subject, random)
        new = _say_any(other, other.states + other.changes + ends, subject, random)
        if old != new:
            return TrainingPair(old, new, PairRelation.UNRELATED, "en")


def _kind_of_subject(about: Attribute) -> str | bool:
    """The only subject, or whether the subjects are names: what others of the kind can be, too."""
    subject, *rest = about.subjects
    return is_name(subject) if rest else subject


def _choose_subject(about: Attribute, names: Names, random: Random) -> str:
    if _kind_of_subject(about) is True and random.random() < _INVENTED_SUBJECTS:
        return names.invent_name(random)
    return random.choice(about.subjects)


def _say_any(about: Attribute, ways: Sequence[str], subject: str, random: Random) -> str:
    return _fill(random.choice(ways), subject, random.choice(about.values))


def _fill(way: str, subject: str, value: str) -> str:
    return way.replace("{S}", subject).replace("{V}", value)
