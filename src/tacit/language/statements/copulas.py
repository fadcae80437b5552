"""What something is: a definite attribute has one value, a class or description rules out none."""

from collections.abc import Collection

from tacit.language.statements.clause import Clause, Words, functional
from tacit.language.statements.listing import word_set
from tacit.language.statements.names import is_capital
from tacit.language.statements.statement import Statement
from tacit.language.statements.subjects import Subject, subject
from tacit.language.statements.values import is_concrete, is_description, is_quantity, is_single
from tacit.language.statements.verbs import (
    BEING,
    COPULAS,
    ENGLISH_BEING,
    MANY,
    ONLY,
    PLURAL_COPULAS,
    QUALITIES,
)
from tacit.language.statements.vocabulary import BOUNDARIES, DEFINITE, PREPOSITIONS, RELATIVES

_PLACES = frozenset(("in", "on", "at", "under"))
_EXTENTS = word_set("old tall high long wide heavy away")


def by_copula(clause: Clause) -> Statement | None:
    """`The capital of France is Paris`, `Paris is the capital of France`."""
    words = clause.words
    place = _copula(words, ENGLISH_BEING) or _copula(words, BEING)
    if place is None:
        return None
    form = words[place].folded
    about = subject(words[:place], clause.speaker)
    value = words[place + 1 :]
    if about is None:
        return None
    if form in PLURAL_COPULAS:
        return _direct(about, PLURAL_COPULAS[form], value) if is_quantity(value) else None
    return _inverted(words[:place], COPULAS[form], value) or _direct(about, COPULAS[form], value)


def _copula(words: Words, forms: Collection[str]) -> int | None:
    """The last form of being before anything that begins another clause."""
    found = None
    for place in range(1, len(words) - 1):
        folded = words[place].folded
        if words[place].text != folded:
            continue
        if folded in forms:
            found = place
        elif found is not None and (folded in BOUNDARIES or folded in RELATIVES):
            break
    return found


def _direct(about: Subject, tense: str, value: Words) -> Statement | None:
    if not _has_one(about, value):
        return None
    verb = tense or ("" if about.attribute else "is")
    if value[0].folded in _PLACES and len(value) > 1:
        return functional(about, f"{verb or 'is'} {value[0].folded}", value[1:])
    if value[-1].folded in _EXTENTS:
        return functional(about, f"{verb} {value[-1].folded}".lstrip(), value[:-1])
    return functional(about, verb, value)


def _has_one(about: Subject, value: Words) -> bool:
    """Whether the subject can be only one such thing."""
    if value[0].folded in _PLACES and not is_capital(value[0]):
        return about.definite or is_quantity(value[1:])
    if is_quantity(value):
        return True
    if value[0].folded in PREPOSITIONS:
        return False
    nouns = about.attribute.split() or about.entity.split()
    if not about.definite:
        return nouns[-1] in QUALITIES
    if nouns[-1] in MANY and ONLY.isdisjoint(nouns):
        return False
    if not QUALITIES.isdisjoint(nouns) or not ONLY.isdisjoint(nouns):
        return True
    return not is_description(value) and (bool(about.attribute) or is_concrete(value))


def _inverted(words: Words, tense: str, value: Words) -> Statement | None:
    if len(value) < 4 or value[0].text not in DEFINITE or not is_single(words):
        return None
    about = subject(value, "")
    if about is None or not about.attribute or not is_capital(words[0]):
        return None
    return functional(about, tense, words)
