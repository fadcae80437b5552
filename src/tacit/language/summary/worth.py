"""What each sentence of a transcript is worth: its terms, what they weigh, and what it is."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from tacit.language.summary.cues import DECISIONS, FILLER, SELF, STANDING, words
from tacit.language.summary.questions import open_questions
from tacit.language.summary.sentences import Sentence
from tacit.language.summary.transcript import Source
from tacit.language.text.analysis import terms
from tacit.language.text.languages import STOP_WORDS, guess
from tacit.language.text.stems import stem

_FIGURE = re.compile(r"\d")
_CODE = re.compile(r"[/_`]|\w\.\w")
_SAMPLE = 2_000
_BY_SOURCE = {Source.SAID: 1.0, Source.TOOL: 0.5, Source.CARRIED: 1.6}
_DECISION = 2.0
_STANDING = 1.2
_SELF = 1.4
_FIGURED = 1.2
_NAMED = 1.1
_OPEN = 1.8
_SHORT = 2
"""So few terms say nothing without the question that they answer."""


class Group(StrEnum):
    """What a sentence is, and the heading it stands under."""

    DECISION = "Decisions:"
    FACT = "Facts:"
    QUESTION = "Open questions:"


class Valued(NamedTuple):
    """A sentence as it is weighed against others."""

    place: int
    sentence: Sentence
    group: Group
    factor: float
    terms: tuple[str, ...]
    """Each once, in order: sums over them must not depend on how a process hashes."""
    context: int | None = None
    """The place of the question without which a short answer says nothing."""


def valued(found: Sequence[Sentence]) -> list[Valued]:
    """Each sentence with its terms and what it is worth beyond them."""
    said = [words(sentence.text) for sentence in found]
    termed = _terms(said)
    open_ = open_questions(found, termed)
    return [
        _valued(place, found, termed, said[place], place in open_)
        if termed[place]
        else Valued(place, sentence, Group.FACT, 0.0, termed[place])
        for place, sentence in enumerate(found)
    ]


def _valued(
    place: int,
    found: Sequence[Sentence],
    termed: Sequence[tuple[str, ...]],
    said: Sequence[str],
    is_open: bool,
) -> Valued:
    """A sentence that has terms; one alone says nothing, unless it is a name or an answer."""
    sentence = found[place]
    context = _question_before(found, termed, place)
    group, factor = _judged(sentence, said, is_open)
    if len(termed[place]) == 1 and context is None and not _is_named(sentence.text):
        factor = 0.0
    return Valued(place, sentence, group, factor, termed[place], context)


def weights(values: Sequence[Valued]) -> dict[str, float]:
    """What each term weighs: less the more often it is said, more if it is said again at all."""
    counts = Counter(term for value in values for term in value.terms)
    total = len(values) + 1
    return {term: _weight(count, total) for term, count in counts.items()}


def _weight(count: int, total: int) -> float:
    return math.log(total / count) * (1 + math.log(count))


def _terms(said: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The terms of each sentence, in the language that the transcript begins in."""
    language = guess(islice(chain.from_iterable(said), _SAMPLE))
    distinct = set(chain.from_iterable(said)) - STOP_WORDS - FILLER
    stemmed = {word: _stems(word, language) for word in distinct}
    return [
        tuple({term: None for word in listed if word in stemmed for term in stemmed[word]})
        for listed in said
    ]


def _stems(word: str, language: str) -> tuple[str, ...]:
    return (stem(word, language),) if word.isascii() else tuple(terms(word))


def _judged(sentence: Sentence, said: Sequence[str], is_open: bool) -> tuple[Group, float]:
    """The group of a sentence, and the factor that its cues give."""
    factor = _BY_SOURCE[sentence.source]
    if sentence.asks:
        return (Group.QUESTION, factor * _OPEN) if is_open else (Group.FACT, 0.0)
    factor *= _STANDING if STANDING.are_in(said) else 1
    factor *= _SELF if SELF.are_in(said) else 1
    factor *= _FIGURED if _FIGURE.search(sentence.text) else 1
    factor *= _NAMED if _is_named(sentence.text) else 1
    if DECISIONS.are_in(said):
        return Group.DECISION, factor * _DECISION
    return Group.FACT, factor


def _is_named(text: str) -> bool:
    """Whether a sentence has a capital within it, or a path or a name of code."""
    within = text[1:].replace(" I ", " ").replace(" I'", " ")
    return not within.islower() or _CODE.search(within) is not None


def _question_before(
    found: Sequence[Sentence], termed: Sequence[tuple[str, ...]], place: int
) -> int | None:
    if not place or len(termed[place]) > _SHORT or found[place].asks:
        return None
    before = found[place - 1]
    asked = before.asks and before.turn == found[place].turn - 1
    return place - 1 if asked and termed[place - 1] else None
