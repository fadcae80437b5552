"""Echoes: statements that repeat what a session was shown, in whatever words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tacit.language.statements.likeness import Likeness, compare
from tacit.language.statements.reading import read
from tacit.language.statements.succession.decision import replaces
from tacit.language.text.analysis import query_terms, terms
from tacit.writing.learning.cues import is_told_as_change, is_told_as_known, without_reminders

_SAME = 0.8
"""So alike by meaning, two texts that differ in no number and no date say the same."""

_TOGETHER = 1.05
"""So much they are alike in meaning and in words, taken together."""

_COVERED = 0.6
_ALL_COVERED = 0.85
_ABOUT = 0.4
"""So alike, a statement that is told as known is about what was shown."""

_SHARED = 0.25
_COVERED_AS_KNOWN = 0.5
_LEAST_WORDS = 2
"""With fewer words of its own, what is told as known says nothing besides."""

_DIGITS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000,
    "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60,
}  # fmt: skip
_NUMERALS = re.compile(rf"\b(?:{'|'.join(_DIGITS)})\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"\b(\d{1,3})k\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory that was injected, and how alike a statement is to it, where that is known."""

    memory: str
    content: str
    likeness: float | None = None


def echoed(content: str, sentence: str, shown: Iterable[Shown]) -> str | None:
    """The memory that a statement repeats, if any; what changes a memory is no echo.

    `sentence` is what was said, whose words tell whether it is meant as known or as a change.
    """
    bare = without_reminders(content)
    as_change = is_told_as_change(content)
    as_known = is_told_as_known(content) or (not as_change and is_told_as_known(sentence))
    manner = _Manner(as_known, as_change)
    found: str | None = None
    for each in shown:
        if _is_news_about(each.content, bare):
            return None
        if found is None and _is_echo(bare, each, manner):
            found = each.memory
    return found


class _Manner(NamedTuple):
    """How a statement is told."""

    as_known: bool
    as_change: bool


def _is_news_about(old: str, new: str) -> bool:
    """Whether a statement says otherwise; one that has no word of its own says less."""
    if _coverage(new, old) == 1.0 and read(new).negated == read(old).negated:
        return False
    return compare(old, new) is Likeness.CONTRADICTS or replaces(old, new)


def _is_echo(content: str, shown: Shown, manner: _Manner) -> bool:
    if compare(content, shown.content) is Likeness.REPEATS:
        return True
    covered, likeness = _coverage(content, shown.content), shown.likeness
    if manner.as_known and (covered >= _COVERED_AS_KNOWN or len(_telling(content)) < _LEAST_WORDS):
        return True
    if _says_more(content, shown.content):
        return False
    if manner.as_known:
        return covered >= _SHARED or (likeness is not None and likeness >= _ABOUT)
    if manner.as_change:
        return covered == 1.0
    if covered >= _ALL_COVERED:
        return True
    if likeness is None:
        return covered >= _COVERED
    return likeness >= _SAME or likeness + covered >= _TOGETHER


def _says_more(content: str, old: str) -> bool:
    """Whether a statement has a number or a date that the other has not."""
    ours, theirs = read(_in_digits(content)), read(_in_digits(old))
    return not ours.numbers <= theirs.numbers or not ours.dates <= theirs.dates


def _in_digits(text: str) -> str:
    spelled = _NUMERALS.sub(lambda found: str(_DIGITS[found[0].casefold()]), text)
    return _THOUSANDS.sub(r"\g<1>000", spelled)


def _coverage(content: str, old: str) -> float:
    """The share of a statement's telling words that the other has too."""
    theirs = _terms(old)
    ours = _telling(content)
    return sum(not theirs.isdisjoint(each) for each in ours) / len(ours) if ours else 1.0


@lru_cache(maxsize=4_096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


@lru_cache(maxsize=4_096)
def _telling(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a text that are no stop words, each in all its stems."""
    return tuple(term.alternatives for term in query_terms(text) if not term.is_stop_word)
