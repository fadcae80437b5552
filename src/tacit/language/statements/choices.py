"""What someone uses or prefers: for a purpose, or over something else."""

from tacit.language.statements.clause import Clause, Words, functional
from tacit.language.statements.names import is_capital
from tacit.language.statements.statement import Statement
from tacit.language.statements.subjects import Subject, subject
from tacit.language.statements.values import cut, is_single
from tacit.language.statements.verbs import CHOOSING, DECIDING, PURPOSES, RIVALRY
from tacit.language.statements.words import normal, phrase_at

_SOMEONE = Subject("", "", False)
"""Whom an imperative speaks to."""


def by_choice(clause: Clause) -> Statement | None:
    """`We use MySQL for billing`, `Ann prefers tea over coffee`."""
    words = clause.words
    for place, word in enumerate(words[:-1]):
        attribute = CHOOSING.get(word.folded, "")
        if attribute and (place == 0 or not is_capital(word)):
            about = _chooser(clause, place)
            return _over(about, attribute, words[place + 1 :]) or _for(
                about, attribute, words[place + 1 :]
            )
    return None


def _chooser(clause: Clause, verb: int) -> Subject | None:
    if verb > 2 and clause.words[verb - 2].folded in DECIDING:
        verb -= 2
    return subject(clause.words[:verb], clause.speaker) if verb else _SOMEONE


def _for(about: Subject | None, attribute: str, words: Words) -> Statement | None:
    for place in range(1, len(words) - 1):
        if words[place].folded in PURPOSES:
            purpose, qualifiers = cut(words[place + 1 :])
            attribute = f"{attribute} for {normal([*purpose, *qualifiers])}"
            return functional(about, attribute, words[:place])
    return None


def _over(about: Subject | None, attribute: str, words: Words) -> Statement | None:
    """A choice between two: the pair is the attribute, so that the other way round rivals it."""
    for place in range(1, len(words) - 1):
        for phrase in RIVALRY:
            if phrase_at(words, place, phrase) and (attribute == "prefer" or phrase != ("to",)):
                return _of_two(about, attribute, words[:place], words[place + len(phrase) :])
    return None


def _of_two(about: Subject | None, verb: str, chosen: Words, rest: Words) -> Statement | None:
    end = next((place for place, word in enumerate(rest) if word.folded in PURPOSES), len(rest))
    if about is None or not is_single(chosen) or not end:
        return None
    pair = " / ".join(sorted((normal(chosen), normal(rest[:end]))))
    attribute = f"{verb} {pair} {normal(rest[end:])}".rstrip()
    return Statement(about.entity, attribute, normal(chosen), functional=True)
