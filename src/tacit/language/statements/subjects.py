"""Whom or what a clause is about, and which attribute of it its subject already names."""

from collections.abc import Sequence
from typing import NamedTuple

from tacit.language.statements.names import is_capital
from tacit.language.statements.verbs import COMPOUNDS, LINKS, NOUN_LINKS
from tacit.language.statements.vocabulary import (
    BEFORE_CAPITALS,
    DEFINITE,
    FIRST_PERSONS,
    HEDGES,
    INDEFINITE,
    LOOSE_OWNERS,
    RELATIVES,
    UNRESOLVED,
)
from tacit.language.statements.words import Word, normal

_MAX_WORDS = 20
_USER = "user"
_SELF = Word("i", "i", False, False, False)
_FLEETING = frozenset(("current", "present"))
_SPEAKERS = {"ich": "i", "wir": "we", "je": "i", "nous": "we", "yo": "i", "nosotros": "we"}


class Subject(NamedTuple):
    """An entity, and what the subject says of which attribute is meant."""

    entity: str
    attribute: str
    definite: bool
    """Whether it is one particular attribute or thing, as in `the capital of France`."""


def subject(words: Sequence[Word], speaker: str, whole_names: bool = False) -> Subject | None:
    """The subject of a clause; nothing where it cannot be told from the clause alone.

    With `whole_names`, `The Lord of the Rings` is one name and not the lord of something.
    """
    if not 0 < len(words) <= _MAX_WORDS or not _is_told(words):
        return None
    if any(word.folded == _USER for word in words[:2]):
        words = _as_said_by_themselves(words)
    found = (
        _of_the_speaker(words, speaker)
        or _with_a_relative_clause(words)
        or (None if whole_names and _is_a_name(words) else _with_a_link(words))
        or _of_an_owner(words)
        or _plain(words, speaker)
    )
    return found if found.entity else None


def _as_said_by_themselves(words: Sequence[Word]) -> Sequence[Word]:
    """What is noted of the user as the user would say it: `the user's dog` as `my dog`."""
    start = 1 if words[0].folded in DEFINITE and len(words) > 1 else 0
    word = words[start]
    if word.folded != _USER or (not word.owns and len(words) > start + 1):
        return words
    told = word._replace(text="my", folded="my", owns=False) if word.owns else _SELF
    return (told, *words[start + 1 :])


def _is_told(words: Sequence[Word]) -> bool:
    first = words[0].folded
    if words[-1].folded in HEDGES and not is_capital(words[-1]):
        return False
    vague = first in UNRESOLVED or first in INDEFINITE or first in LOOSE_OWNERS
    return not vague or (len(words) > 1 and is_capital(words[1]))


def _is_a_name(words: Sequence[Word]) -> bool:
    return len(words) > 1 and is_capital(words[0]) and is_capital(words[1])


def _of_the_speaker(words: Sequence[Word], speaker: str) -> Subject | None:
    owner = FIRST_PERSONS.get(words[0].folded)
    if owner is None or len(words) < 2:
        return None
    if is_capital(words[1]) and words[0].folded not in BEFORE_CAPITALS:
        return None
    rest = _of_an_owner(words[1:])
    if rest is not None:
        return Subject(f"{_person(owner, speaker)} {rest.entity}", rest.attribute, True)
    return Subject(_person(owner, speaker), _named(words[1:]), True)


def _person(person: str, speaker: str) -> str:
    return speaker if speaker and person == "i" else person


def _with_a_relative_clause(words: Sequence[Word]) -> Subject | None:
    if words[0].folded not in DEFINITE:
        return None
    for place in range(2, len(words) - 1):
        if words[place].folded in RELATIVES and not is_capital(words[place]):
            attribute = f"{_named(words[:place])} {words[place].folded}"
            return Subject(normal(words[place + 1 :]), attribute, True)
    return None


def _with_a_link(words: Sequence[Word]) -> Subject | None:
    if words[0].folded not in DEFINITE:
        return None
    place = _link(words)
    if place is None:
        return None
    noun, owner = words[1:place], words[place + 1 :]
    if normal(noun) in _NAMES and len(owner) > 2:
        inner = _with_a_link(owner) or _of_an_owner(owner)
        if inner is not None:
            return inner
    link = "" if words[place].folded in LINKS else f" {words[place].folded}"
    return Subject(normal(owner), _named(noun) + link, True)


_NAMES = frozenset(("name", "names", "nom", "nombre"))


def _link(words: Sequence[Word]) -> int | None:
    for place in range(2, len(words) - 1):
        if words[place].folded in NOUN_LINKS and not _is_in_a_compound(words, place):
            return place
    return None


def _is_in_a_compound(words: Sequence[Word], place: int) -> bool:
    return " ".join(word.folded for word in words[place - 1 : place + 2]) in COMPOUNDS


def _of_an_owner(words: Sequence[Word]) -> Subject | None:
    for place in range(len(words) - 2, -1, -1):
        if words[place].owns:
            return Subject(normal(words[: place + 1]), _named(words[place + 1 :]), True)
    return None


def _plain(words: Sequence[Word], speaker: str) -> Subject:
    entity = normal(words)
    entity = _person(_SPEAKERS.get(entity, entity), speaker)
    return Subject(entity, "", words[0].folded in DEFINITE)


def _named(words: Sequence[Word]) -> str:
    return normal(word for word in words if word.folded not in _FLEETING)
