"""One clause: its words and polarity, and how a statement is made of its parts."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacit.language.statements.statement import Statement
from tacit.language.statements.subjects import Subject
from tacit.language.statements.values import cut, is_quantity, is_single
from tacit.language.statements.verbs import BEING, CHOOSING, FORMS, IDIOMS, SYNONYMS
from tacit.language.statements.vocabulary import (
    CONJUNCTIONS,
    DENIAL_TAILS,
    DENIALS,
    FIRST_PERSONS,
    LEAD_INS,
    MILD,
    OBLIGATIONS,
    OPPOSITES,
    PLURAL_SPEAKERS,
    PREPOSITIONS,
    SUPPORTS,
)
from tacit.language.statements.words import Word, normal, phrase_at

Words = Sequence[Word]

_PLACED = (" in", " on", " at")
_FAR = 6


class Clause(NamedTuple):
    """The words of one clause without denials and mild adverbs."""

    words: tuple[Word, ...]
    negated: bool
    takes_bare_verb: bool
    """Whether a denial or `does` stood before the verb, which then has no ending."""
    speaker: str


def clauses(words: Words, speaker: str) -> Iterator[Clause]:
    """The clauses of a sentence; one that begins with its verb has the subject of the first."""
    start, shared = 0, tuple[Word, ...]()
    opened = _opened(words)
    for place in range(1, len(opened) - 1):
        if opened[place].folded in CONJUNCTIONS and _parts(opened, start, place):
            yield _clause((*shared, *opened[start:place]), speaker)
            shared = _subject_of(opened) if _is_verb(opened[place + 1]) else ()
            start = place + 1
    yield _clause((*shared, *opened[start:]), speaker)


def functional(about: Subject | None, verb: str, words: Words) -> Statement | None:
    """A statement of one value, whose qualifiers are part of its attribute."""
    value, qualifiers = cut(words)
    if about is None or not is_single(value):
        return None
    verb = SYNONYMS.get(verb, verb)
    placed = f" {verb}".endswith(_PLACED)
    if placed and value[0].folded in IDIOMS:
        return None
    moment = "when" if placed and is_quantity(value) else ""
    parts = (about.attribute, verb, moment, normal(qualifiers))
    attribute = " ".join(part for part in parts if part)
    return Statement(about.entity, attribute, normal(value), functional=True)


def _opened(words: Words) -> tuple[Word, ...]:
    """The words without an empty opening, and with a leading `In staging,` at the end."""
    for phrase in LEAD_INS.get(words[0].folded, ()):
        if phrase_at(words, 0, phrase) and len(words) > len(phrase):
            words = words[len(phrase) :]
            break
    if words[0].folded in PREPOSITIONS:
        for place in range(min(_FAR, len(words) - 1)):
            if words[place].pauses:
                return (*words[place + 1 :], *words[: place + 1])
    return tuple(words)


def _parts(words: Words, start: int, place: int) -> bool:
    """Whether another clause begins after this conjunction."""
    after = words[place + 1]
    if after.text != after.folded and after.folded not in PLURAL_SPEAKERS:
        return False
    begins = _is_verb(after) or after.folded in PLURAL_SPEAKERS or after.folded in FIRST_PERSONS
    return begins and any(_is_verb(word) for word in words[start:place])


def _is_verb(word: Word) -> bool:
    folded = word.folded
    known = folded in FORMS or folded in BEING or folded in CHOOSING or folded in SUPPORTS
    return known and word.text == folded


def _subject_of(words: Words) -> tuple[Word, ...]:
    verb = next(place for place, word in enumerate(words) if _is_verb(word))
    return tuple(words[:verb])


def _clause(words: Words, speaker: str) -> Clause:
    kept: list[Word] = []
    negated = bare = False
    for place, word in enumerate(words):
        folded = word.folded
        if folded in DENIALS:
            if _only_contrasts(words, place):
                kept.append(word)
            else:
                negated = negated or not _is_an_answer(words, place)
        elif folded in OPPOSITES and word.text[1:] == folded[1:]:
            negated = not negated
            kept.append(word._replace(folded=OPPOSITES[folded], text=OPPOSITES[folded]))
        elif folded in SUPPORTS:
            bare = True
        elif not _is_empty(words, place):
            kept.append(word)
    return Clause(tuple(kept), negated, bare or negated, speaker)


def _only_contrasts(words: Words, place: int) -> bool:
    """Whether a denial sets one thing against another, as in `tabs, not spaces`."""
    after = words[place + 1].folded if place + 1 < len(words) else ""
    if words[place].folded == "no":
        return after[:1].isdigit()
    if words[place].folded == "n":
        return words[place].text == "N"
    return after == "only" or (place > 1 and words[place - 1].pauses)


def _is_an_answer(words: Words, place: int) -> bool:
    return place == 0 and words[0].folded == "no" and words[0].pauses


def _is_empty(words: Words, place: int) -> bool:
    folded = words[place].folded
    if folded in MILD or folded in OBLIGATIONS:
        return words[place].text[1:] == folded[1:] and (place == 0 or words[place].text == folded)
    return place > 0 and folded in DENIAL_TAILS.get(words[place - 1].folded, ())
