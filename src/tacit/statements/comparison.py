"""Compare two texts: one repeats, conflicts with, differs from or resembles the other."""

import re
from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from tacit.language.languages import TIMES
from tacit.language.vocabulary import (
    ANTONYMS,
    DAYS,
    MONTHS,
    PREPOSITIONS,
    PRIVATIVES,
    word_set,
)
from tacit.statements.clauses import Statement
from tacit.statements.parser import MAX_CHARACTERS, ParsedText, parse_text, to_singular
from tacit.statements.subjects import have_different_subjects
from tacit.statements.verbs import FOREIGN_PREPOSITIONS, LINKS
from tacit.statements.words import normalize_text, split_speaker

_NONE: frozenset[str] = frozenset()
_ADDITION = re.compile(
    r"\b(?:also|as well|in addition|additionally|auch|außerdem|zudem|ebenfalls|aussi|également"
    r"|también|además)\b|\btoo\b(?=[.,;!]|$)",
    re.IGNORECASE,
)


class Comparison(StrEnum):
    """How one text relates to another."""

    REPEATS = "repeats"
    CONFLICTS = "conflicts"
    DIFFERS = "differs"
    RESEMBLES = "resembles"


def compare_texts(first: str, second: str) -> Comparison:
    """Compare two texts; the order does not matter, and conflict is tested first."""
    if first == second:
        return Comparison.REPEATS
    one, other = _prepare_text(first[:MAX_CHARACTERS]), _prepare_text(second[:MAX_CHARACTERS])
    if _conflict(one, other):
        return Comparison.CONFLICTS
    if first[MAX_CHARACTERS:] != second[MAX_CHARACTERS:]:
        return Comparison.DIFFERS
    if _say_the_same(one, other):
        return Comparison.REPEATS
    if _differ(one, other) or have_different_subjects(first, second):
        return Comparison.DIFFERS
    return Comparison.RESEMBLES


def may_be_near_duplicates(first: str, second: str) -> bool:
    """Whether similarity alone may decide that two texts say the same."""
    return compare_texts(first, second) in (Comparison.REPEATS, Comparison.RESEMBLES)


def is_addition(text: str) -> bool:
    """Whether a text says something besides what is known: "I also use tmux"."""
    return _ADDITION.search(text) is not None


class _ComparedText(NamedTuple):
    """A text prepared for comparison."""

    reading: ParsedText
    claims: dict[str, list[Statement]]
    """Its statements by the claim that one in conflict must share."""
    words: frozenset[str]
    speaker: str
    is_addition: bool


@lru_cache(maxsize=8_192)
def _prepare_text(text: str) -> _ComparedText:
    reading = parse_text(text)
    claims: dict[str, list[Statement]] = defaultdict(list)
    for statement in reading.statements:
        claims[statement.claim].append(statement)
    speaker, _ = split_speaker(normalize_text(text))
    return _ComparedText(reading, claims, frozenset(reading.core), speaker, is_addition(text))


def _conflict(one: _ComparedText, other: _ComparedText) -> bool:
    ours, theirs = one.claims, other.claims
    if ours.keys().isdisjoint(theirs) or one.reading == other.reading:
        return False
    may_be_other = not (one.is_addition or other.is_addition)
    return any(
        _deny(ours[claim], theirs[claim])
        or (may_be_other and _affirm_others(ours[claim], theirs[claim]))
        for claim in ours.keys() & theirs.keys()
    )


def _deny(ours: list[Statement], theirs: list[Statement]) -> bool:
    """Whether one denies what the other says."""
    return not {(each.value, each.is_negated) for each in ours}.isdisjoint(
        (each.value, not each.is_negated) for each in theirs
    )


def _affirm_others(ours: list[Statement], theirs: list[Statement]) -> bool:
    """Whether both affirm different values only, of what has one."""
    affirmed = {each.value for each in ours if each.is_functional and not each.is_negated}
    rivals = {each.value for each in theirs if each.is_functional and not each.is_negated}
    return bool(affirmed and rivals) and affirmed.isdisjoint(rivals)


def _say_the_same(one: _ComparedText, other: _ComparedText) -> bool:
    """Whether both have the same words, or the same statements in another order."""
    if is_reordered(one.reading.core, other.reading.core):
        return not _differ(one, other)
    if one.words - LINKS != other.words - LINKS or _differ_in_names(one, other):
        return False
    return set(one.reading.statements) == set(other.reading.statements)


def _differ(one: _ComparedText, other: _ComparedText) -> bool:
    ours, theirs = one.reading, other.reading
    return (
        ours.numbers != theirs.numbers
        or ours.dates != theirs.dates
        or ours.is_negated != theirs.is_negated
        or _differ_in_names(one, other)
        or _differ_in_words(one, other)
    )


def _differ_in_names(one: _ComparedText, other: _ComparedText) -> bool:
    """Whether one names what the other does not mention, or the speakers differ."""
    if one.speaker and other.speaker and one.speaker != other.speaker:
        return True
    ours, theirs = ({*map(to_singular, each.reading.names)} for each in (one, other))
    return ours != theirs and not (ours - theirs <= other.words and theirs - ours <= one.words)


def _differ_in_words(one: _ComparedText, other: _ComparedText) -> bool:
    """Whether one has the opposite of a word of the other, or the order of words differs."""
    ours, theirs = one.words, other.words
    if ours == theirs:
        return not is_reordered(one.reading.core, other.reading.core)
    new, old = theirs - ours, ours - theirs
    if not PRIVATIVES.isdisjoint(new | old):
        return True
    return any(not ANTONYMS.get(word, _NONE).isdisjoint(new) for word in old)


# Order: the same words elsewhere in the sentence


_TIME_WORDS = frozenset(to_singular(word) for word in (*DAYS, *MONTHS, *TIMES))
_LEADING = PREPOSITIONS | frozenset(FOREIGN_PREPOSITIONS)
_JOINING = word_set("and or und oder et ou y o")


def is_reordered(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether words are the same, or stand in another order that changes no role.

    A time, a place or a phrase may stand first or last, and what "and" joins may be swapped; who
    does what to whom may not: "Ann manages Bob" is not "Bob manages Ann".
    """
    if ours == theirs:
        return True
    if len(ours) != len(theirs) or sorted(ours) != sorted(theirs):
        return False
    start, end = 0, len(ours)
    while ours[start] == theirs[start]:
        start += 1
    while ours[end - 1] == theirs[end - 1]:
        end -= 1
    old, new = ours[start:end], theirs[start:end]
    return any(
        _is_movable(old[:first], old[first:last], old[last:])
        for first in range(1, len(old))
        for last in range(first, len(old))
        if [*old[last:], *old[first:last], *old[:first]] == list(new)
    )


def _is_movable(before: Sequence[str], between: Sequence[str], after: Sequence[str]) -> bool:
    """Whether two parts of a sentence may change places, around what stands between them.

    That is so for two that "and" joins, and if one says when or where: "montags", "in Berlin".
    """
    if between and all(word in _JOINING for word in between):
        return True
    return any(
        part[0] in _LEADING or all(word in _TIME_WORDS for word in part) for part in (before, after)
    )
