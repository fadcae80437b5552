"""Subjects: whether two statements are about two things whose names differ by a little.

"Room 101 is red" and "Room 102 is blue" are both true, as are statements about Anna Berg and Anna
Lund, the June and the July invoice, or the work phone and the private phone. What differs is in the
subject: "table 9 seats four" and "table 9 seats six" are about one table.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tacit.language import calendar
from tacit.language.languages import DETERMINERS, FUNCTION_WORDS, INTERJECTIONS
from tacit.language.vocabulary import (
    ARTICLES,
    COMMON_WORDS,
    FIRST_PERSONS,
    LOOSE_OWNERS,
    MILD,
    MONTHS,
    NUMBER_WORDS,
    PLURAL_SPEAKERS,
    PREPOSITIONS,
    UNRESOLVED,
)
from tacit.language.word_lists import load_word_lists
from tacit.statements.verbs import BEING, FORMS, PASSING
from tacit.statements.words import Word, normalize_text, parse_sentences

_LONGEST = 1_000
_KEPT = 8_192
_LONGEST_SHORT_FORM = 4
"""Short forms of weekdays are other words too: "mon", "sun", "wed"."""
_MOST_SUBJECT_WORDS = 8

_OTHER_LISTS = ("versions", "former", "titles", "verbs", "openings", "on_days", "now")
_LISTS = load_word_lists("subjects.toml", "tacit.statements")
_VERSIONS = _LISTS["versions"]
"""Words that tell the present one of a thing from the former, and not one thing from another."""
_NEWER = _VERSIONS - _LISTS["former"]
_TITLES = _LISTS["titles"]
_VERBS = frozenset((*BEING, *FORMS, *PASSING)) | _LISTS["verbs"]
_OPENINGS = _LISTS["openings"] | INTERJECTIONS
_ON_DAYS = _LISTS["on_days"]
_KINDS = {
    **{name: words for name, words in _LISTS.items() if name not in _OTHER_LISTS},
    "months": frozenset(calendar.MONTHS),
    "weekdays": frozenset(day for day in calendar.WEEKDAYS if len(day) > _LONGEST_SHORT_FORM),
}
_QUALIFIERS: Mapping[str, frozenset[str]] = {
    word: frozenset(name for name, others in _KINDS.items() if word in others)
    for words in _KINDS.values()
    for word in words
}
"""The lists of words that tell one thing from another of its kind, by word."""

_SILENT = ARTICLES | DETERMINERS | LOOSE_OWNERS | frozenset(FIRST_PERSONS) | _VERSIONS
_PRONOUNS = PLURAL_SPEAKERS | (UNRESOLVED - DETERMINERS)
_FILLERS = _SILENT | MILD | _LISTS["now"]
_WE = "mos"
"""The ending of Spanish verbs that need no pronoun."""

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_PATH = re.compile(r"[^\W\d][\w.-]*(?:[/_:][\w.-]+)+")
_MARKED = re.compile(r"[^\W\d_]")


def have_different_subjects(first: str, second: str) -> bool:
    """Whether two statements are about two things of a kind; the order does not matter."""
    one, other = _read_subject(first[:_LONGEST]), _read_subject(second[:_LONGEST])
    if one is None or other is None:
        return False
    return (
        _differ_in_code(one, other)
        or _differ_in_date(one, other)
        or _differ_in_qualifier(one, other)
        or _differ_in_name(one, other)
    )


def differ_in_numbers_only(first: str, second: str) -> bool:
    """Whether two statements say the same of the same thing but for a number."""
    one, other = _read_frame(first[:_LONGEST]), _read_frame(second[:_LONGEST])
    is_alike = one.words == other.words and one.numbers != other.numbers
    return is_alike and bool(one.words) and not have_different_subjects(first, second)


def tells_new_number(old: str, new: str) -> bool:
    """Whether a later statement names another number for the same thing, and calls it new."""
    words = {word.folded for word in _first_words(new[:_LONGEST])}
    return not words.isdisjoint(_NEWER) and differ_in_numbers_only(old, new)


class _Subject(NamedTuple):
    """The words of a subject that say what it is, and what follows it."""

    words: tuple[Word, ...]
    rest: tuple[str, ...]
    code: tuple[str, str] | None
    """What it numbers, and the number or code."""
    opening: str

    @property
    def folded(self) -> frozenset[str]:
        return frozenset(word.folded for word in self.words)


class _Frame(NamedTuple):
    words: tuple[str, ...]
    numbers: tuple[str, ...]


@lru_cache(maxsize=_KEPT)
def _read_subject(text: str) -> _Subject | None:
    """The subject of the first sentence: what stands before its verb; None if a pronoun does."""
    words = _first_words(text)
    opening = words[0].folded if words else ""
    found: list[Word] = []
    for word in words[:_MOST_SUBJECT_WORDS]:
        if word.folded in _PRONOUNS or word.folded.endswith(_WE) or _is_verb(word, found):
            break
        found.append(word)
    told = tuple(word for word in found if word.folded not in _SILENT)
    if not told:
        return None
    rest = tuple(word.folded for word in words[len(found) :])
    has_verb = bool(rest) and rest[0] in _VERBS
    return _Subject(told, rest, _find_code(found, has_verb=has_verb), opening)


def _is_verb(word: Word, before: Sequence[Word]) -> bool:
    """Whether a word is the verb that ends a subject; after an article it is a noun."""
    is_noun = word.has_capital or not before or before[-1].folded in _SILENT
    return word.folded in _VERBS and not is_noun


def _first_words(text: str) -> Sequence[Word]:
    """The words of the first sentence, without what opens it and says nothing."""
    sentences = parse_sentences(normalize_text(text))
    words: Sequence[Word] = sentences[0].words if sentences else ()
    while words and words[0].folded in _OPENINGS:
        words = words[1:]
    return words


def _find_code(words: Sequence[Word], *, has_verb: bool) -> tuple[str, str] | None:
    """What a subject numbers, and its first number or code: "room 101", "building B", "web-01"."""
    for place, word in enumerate(words):
        before = words[place - 1] if place else None
        head = before.folded if before and before.folded not in FUNCTION_WORDS else ""
        if head and not has_verb and _may_be_verb(head):
            return None
        if (found := _read_code(word, head)) is not None:
            return found
    return None


def _may_be_verb(folded: str) -> bool:
    """Whether a word may be the verb of "the crate weighs 300 kilos"."""
    return folded.endswith(("s", "ed")) and not folded.endswith(("ss", "us", "is"))


def _read_code(word: Word, head: str) -> tuple[str, str] | None:
    folded = word.folded
    if _PATH.fullmatch(folded):
        return re.split("[/_:]", folded)[0], folded
    if _DIGITS.search(folded):
        if _MARKED.match(folded) or len(_MARKED.findall(folded)) > 1:
            return _DIGITS.sub("#", folded), folded
        if head and head not in MONTHS and word.text.casefold() not in NUMBER_WORDS:
            return head, folded
    elif len(folded) == 1 and word.has_capital and head:
        return head, folded
    return None


def _differ_in_code(one: _Subject, other: _Subject) -> bool:
    if one.code is None or other.code is None:
        return False
    return one.code[0] == other.code[0] and one.code[1] != other.code[1]


def _differ_in_date(one: _Subject, other: _Subject) -> bool:
    """Whether both open with a date on which something is so: "on 3 May", "in 2019"."""
    if one.opening not in _ON_DAYS or other.opening not in _ON_DAYS:
        return False
    ours, theirs = _date_words(one), _date_words(other)
    return bool(ours and theirs) and ours != theirs


def _date_words(subject: _Subject) -> frozenset[str]:
    words = subject.folded - _ON_DAYS
    return words if all(word in MONTHS or _DIGITS.match(word) for word in words) else frozenset()


def _differ_in_qualifier(one: _Subject, other: _Subject) -> bool:
    """Whether both have another word of one class, and share what it tells apart."""
    ours, theirs = one.folded - other.folded, other.folded - one.folded
    if one.folded.isdisjoint(other.folded):
        return False
    classes = {name for word in ours for name in _QUALIFIERS.get(word, ())}
    others = {name for word in theirs for name in _QUALIFIERS.get(word, ())}
    return not classes.isdisjoint(others)


def _differ_in_name(one: _Subject, other: _Subject) -> bool:
    """Whether one word of the same place is another name, and something else is said of it."""
    if _have_one_first_name(one.words, other.words):
        return True
    if len(one.words) != len(other.words) or len(one.words) < 2 or one.rest == other.rest:
        return False
    pairs = list(zip(one.words, other.words, strict=True))
    different = [pair for pair in pairs if pair[0].folded != pair[1].folded]
    shared = [ours.folded for ours, theirs in pairs if ours.folded == theirs.folded]
    if len(different) != 1 or not set(shared) - _TITLES - PREPOSITIONS:
        return False
    return all(_is_a_name(word) for word in different[0])


def _have_one_first_name(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Whether two names begin alike: "Anna Berg" and "Anna Lund"."""
    names = [words[:2] for words in (ours, theirs) if len(words) > 1]
    if len(names) < 2 or not all(_is_a_name(word) for name in names for word in name):
        return False
    (first, last), (other_first, other_last) = names
    is_one = first.folded == other_first.folded and first.folded not in _TITLES
    return is_one and last.folded != other_last.folded


def _is_a_name(word: Word) -> bool:
    is_common = word.folded in COMMON_WORDS or word.folded in FUNCTION_WORDS
    return word.has_capital and not is_common and word.folded not in _QUALIFIERS


@lru_cache(maxsize=_KEPT)
def _read_frame(text: str) -> _Frame:
    """The words of a statement in order, with a sign for each number."""
    words, numbers = [], []
    for word in _first_words(text):
        found = _NUMBER.findall(word.folded)
        numbers += found
        if word.folded not in _FILLERS:
            words.append(_NUMBER.sub("#", word.folded))
    return _Frame(tuple(words), tuple(numbers))
