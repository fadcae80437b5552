"""Find the codes of locks: "the keypad's code is …", "the alarm at the shop is …", digits in words.

Programs, countries and goods have codes too, so a code counts only near a lock. The words stand
in `locks.toml`.
"""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.resources import files
from itertools import chain
from typing import Any

from tacit.language.redaction.values import (
    SecretSpan,
    is_strong_password,
    is_unmistakable,
    load_pattern,
)

_TABLES: dict[str, Any] = tomllib.loads((files(__package__) / "locks.toml").read_text("utf-8"))
_FORMS = {
    name: re.sub(r"\n\s*", "", form).replace(" ", "[ ]") for name, form in _TABLES["forms"].items()
}
_LOCKS = frozenset(_TABLES["words"]["locks"])
_AFTER = {word: frozenset(leads) for word, leads in _TABLES["after"].items()}
_BEHIND = {word: frozenset(nexts) for word, nexts in _TABLES["behind"].items()}
_MAY_BE_LOCK = _LOCKS.union(_AFTER)
_DIGITS = {
    word: str(digit)
    for digit, words in enumerate(_TABLES["words"]["digits"])
    for word in words.split()
}


def _load_words(heading: str) -> frozenset[str]:
    return frozenset(_TABLES["words"][heading])


_TOLD, _ALARMS, _LOCKERS = map(_load_words, ("told", "alarms", "lockers"))
_CODES, _LEADS, _OTHER = map(_load_words, ("codes", "leads", "other"))
_SPOKEN, _PHONES, _IS_WORDS = map(_load_words, ("spoken", "phones", "is"))
_NAMES = _CODES.union(_LOCKS, _TOLD, _AFTER) - {"up", "box"}
_SPOKEN_HINTS, _OTHER_HINTS = _TABLES["hints"]["spoken"], _TABLES["hints"]["other"]

_KIND, _PIN = "access-code", "pin"
_PINS = frozenset({"pin", "pincode", "geheimzahl"})
_LOCK_BEFORE, _LOCK_AFTER, _OTHER_NEAR = 45, 25, 12
"""How many words before and after a code are read."""

_BEFORE_DIGITS, _BEFORE_PHONE = 16, 5
_BEFORE_CODE, _RIGHT_BEFORE = 40, 12
_MOST, _SAME_NEAR = 8, 200
_AFTER_HINT, _BEFORE_NUMBER, _AFTER_NUMBER = 160, 160, 60

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d{2}")
_LONE_NUMBER = re.compile(r"(?<!\d)\d+(?!\d)")


def _any_of(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return rf"(?<![^\W\d_])(?:{'|'.join(longest_first)})(?![^\W\d_])"


_NAME = re.compile(_any_of(_NAMES))
_DIGIT_WORDS = re.compile(rf"{_any_of(_DIGITS)}(?:[ \t,-]{{1,3}}{_any_of(_DIGITS)}){{3,}}+")


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


_SIZE = r"\d{1,2}-\d{1,2}-\d{1,2}|\d{4,8}"
_VALUE = rf"""
  ["'`“„(*]{{0,2}}(?P<value>{_SIZE})(?![\w°-]|[.,:/]\d)
  (?![ \t]{{0,2}}(?:{_FORMS["unit"]}|{load_pattern("units")}\b))
"""
_IS = rf"[ \t]{{1,2}}(?:{_FORMS['is']})(?:[ \t]{{1,2}}{_FORMS['now']})?[ \t]{{1,3}}"
_LINK = (
    rf"(?:{_IS}|,?[ \t]{{1,2}}c['’]est[ \t](?:le[ \t])?|['’]s[ \t]{{1,2}}|[ \t]?[:=][ \t]{{0,3}})"
)
_PLACE = rf"(?:[ \t]{{1,2}}{_FORMS['place']}(?:[ \t]{{1,2}}[^\s\d.,!?;:=]{{1,20}}){{1,4}}?)?"
_THEN = rf"(?=[\"'`”)*]{{0,2}}(?:[.,;!?\n]|[ \t]{{0,3}}\Z|[ \t]{{1,2}}{_FORMS['then']}))"

_CODE_IS = _compile(rf"(?:[ \t]{{1,2}}{_FORMS['aside']}\b){{0,3}}{_LINK}{_VALUE}")
_CODE_OF = _compile(rf"[^\n.,;:=!?\d]{{1,60}}?{_LINK}{_VALUE}")
_CODE_BESIDE = _compile(rf"[ \t]{{1,2}}{_VALUE}")
_GIVEN = _compile(
    rf"(?<!\w){_FORMS['given']}[ \t]{{1,2}}"
    rf"(?:(?!{_FORMS['shown']})[^\W\d_]{{1,12}}[ \t]{{1,2}}){{0,2}}\Z"
)
_IS_CODE = _compile(
    rf"(?:\A|.*[^\w.,:\#$€£/-])(?P<value>{_SIZE})[ \t]{{1,2}}(?:is|was|ist|est|es|è|é)[ \t]{{1,2}}"
    r"(?:[^\W\d_]{1,8}[ \t]{1,2}){0,2}\Z"
)
_LOCK_IS = _compile(rf"{_PLACE}{_LINK}{_VALUE}{_THEN}")
_IT_IS = _compile(
    rf"[^\n.!?\d]{{0,40}}?[ ,](?:it|that|which|er|es|das|il|elle|ça)(?:['’]s[ \t]|{_IS})"
    rf"{_VALUE}{_THEN}"
)
_LOCK_OPENS = _compile(
    rf"{_PLACE}[ \t]{{1,2}}{_FORMS['opens']}[ \t]{{1,2}}"
    r"[\"'`“„]?(?P<value>\d{4,8}(?![\w.:-])|[^\s\"'`“”„()\[\]<>{}/:,;]{5,40})"
)
_TIME = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_ODD_CODE = re.compile(r"[^\W\d_]{4,30}[!?\#$%&*+_-]{0,2}\d{2,8}[!?]?")


def find_lock_codes(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find the codes that sentences tell of locks, and digits that they tell in words."""
    words = _Words(text, lowered)
    hints = [hint for hint in _SPOKEN_HINTS if hint in lowered]
    named = chain.from_iterable(re.finditer(hint, lowered) for hint in hints)
    for first, last in _around(named, 0, _AFTER_HINT):
        for found in _DIGIT_WORDS.finditer(lowered, first, last):
            yield from _find_digit_words(words, *found.span())
    if _NUMBER.search(text) and (hints or any(map(lowered.__contains__, _OTHER_HINTS))):
        for first, last in _around(_NUMBER.finditer(text), _BEFORE_NUMBER, _AFTER_NUMBER):
            for found in _NAME.finditer(lowered, first, last):
                find = _find_code if found[0] in _CODES else _find_told_code
                yield from find(words, *found.span())


def _around(places: Iterable[re.Match[str]], before: int, after: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text around these places."""
    first, last = 0, 0
    for start, end in sorted(place.span() for place in places):
        if start - before > last:
            if last:
                yield first, last
            first = max(last, start - before)
        last = end + after
    if last:
        yield first, last


class _Words:
    """The words of a text, in lower case, and where they stand; read on first use."""

    def __init__(self, text: str, lowered: str) -> None:
        self.text = text
        self._lowered = lowered

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word stands."""
        return [found.span() for found in _WORD.finditer(self._lowered)]

    @cached_property
    def words(self) -> list[str]:
        """Each word."""
        return [self._lowered[start:end] for start, end in self.spans]

    def place(self, start: int) -> int:
        """Return the place in the list of the word that stands here or later."""
        return bisect_left(self.spans, (start, start))

    def before(self, at: int, count: int) -> list[str]:
        """Return up to so many words before a word."""
        return self.words[max(0, at - count) : at]

    def gap(self, at: int) -> str:
        """Return what stands between a word and the one before it."""
        return self.text[self.spans[at - 1][1] if at else 0 : self.spans[at][0]]

    def is_lock(self, at: int) -> bool:
        """Whether a word, with those beside it, is a lock."""
        word = self.words[at]
        if word in _LOCKS:
            return True
        if word not in _AFTER or not at or self.words[at - 1] not in _AFTER[word]:
            return False
        if word not in _BEHIND or at + 1 == len(self.words):
            return True
        return bool(self.gap(at + 1).strip()) or self.words[at + 1] in _BEHIND[word]

    def has_lock(self, first: int, last: int) -> bool:
        """Whether one of these words is a lock."""
        first = max(0, first)
        near = self.words[first:last]
        return not _MAY_BE_LOCK.isdisjoint(near) and any(
            map(self.is_lock, range(first, first + len(near)))
        )

    def is_about_other(self, at: int) -> bool:
        """Whether the words around one speak of something else that has codes and numbers."""
        return not _OTHER.isdisjoint(self.words[max(0, at - _OTHER_NEAR) : at + _OTHER_NEAR])


# Codes that have a name: "the code is …", near a lock.


def _find_code(words: _Words, start: int, end: int) -> Iterator[SecretSpan]:
    told = _code_after(words, start, end) or _code_before(words.text, start)
    if told is None:
        return
    at = words.place(start)
    if words.has_lock(at - _LOCK_BEFORE, at + _LOCK_AFTER) and not words.is_about_other(at):
        yield SecretSpan(*told, _KIND, start)


def _code_after(words: _Words, start: int, end: int) -> tuple[int, int] | None:
    """Return the code in `the code is …`, `with the code …` and `the code for the locker is …`."""
    beside, after = _CODE_BESIDE.match(words.text, end), _CODE_IS.match(words.text, end)
    told = beside or after or _CODE_OF.match(words.text, end)
    if told is None:
        return None
    at = words.place(start)
    is_led = at == 0 or words.words[at - 1] in _LEADS or words.is_lock(at - 1)
    if not is_led and not words.gap(at).strip(" \t"):
        return None
    if beside:
        is_one = _is_given(words, at, beside["value"])
    else:
        is_one = bool(after) or words.has_lock(at + 1, words.place(told.start("value")))
    return told.span("value") if is_one else None


def _is_given(words: _Words, at: int, value: str) -> bool:
    """Whether a number right after its name is told: `with the code …`, `keypad, code …`."""
    start = words.spans[at][0]
    if not value.isdigit() or _GIVEN.search(words.text, max(0, start - _BEFORE_CODE), start):
        return True
    is_apart = bool(words.gap(at).strip()) and _ALARMS.isdisjoint(words.before(at, _RIGHT_BEFORE))
    return is_apart and words.has_lock(at - _RIGHT_BEFORE, at)


def _code_before(text: str, start: int) -> tuple[int, int] | None:
    """Return the code in `… is the code`."""
    first = max(0, start - _BEFORE_CODE)
    told = _IS_CODE.match(text[first:start])
    return None if told is None else (first + told.start("value"), first + told.end("value"))


# Codes that have no name: "the padlock is …", "the locker opens with …".


def _find_told_code(words: _Words, start: int, end: int) -> Iterator[SecretSpan]:
    told = _LOCK_OPENS.match(words.text, end)
    if told is None:
        told = _LOCK_IS.match(words.text, end) or _IT_IS.match(words.text, end)
        is_one = told is not None and _is_told(words, words.place(start), told["value"])
    else:
        is_one = told["value"].isdigit() or is_odd_code(told["value"])
    if told is None or not is_one:
        return
    at = words.place(start)
    if words.is_lock(at) and not words.is_about_other(at):
        yield SecretSpan(*told.span("value"), _KIND, start)


def _is_told(words: _Words, at: int, value: str) -> bool:
    """Whether this lock is told by its number; lockers have numbers, and alarms ring at a time."""
    word = words.words[at]
    if word in _LOCKERS:
        return not value.isdigit()
    if word in _ALARMS:
        return not _TIME.fullmatch(value)
    return word in _TOLD or (word == "safe" and words.before(at, 1) == ["key"])


def is_odd_code(value: str) -> bool:
    """Whether a word with digits can be a code: a name with a number, or as passwords are."""
    is_odd = _ODD_CODE.fullmatch(value) is not None
    is_knotted = any(map(str.isdigit, value)) and is_unmistakable(value)
    return (is_odd or is_knotted) and is_strong_password(value)


# Digits in words: "the pin is four four seven one".


def _find_digit_words(words: _Words, start: int, end: int) -> Iterator[SecretSpan]:
    """Find the digits of a secret in words, and the same digits written behind them."""
    told = _WORD.findall(words.text[start:end].lower())
    digits = "".join(_DIGITS[word] for word in told)
    at = words.place(start)
    if len(told) > _MOST or not _is_named(words, at, digits):
        return
    kind = _KIND if _PINS.isdisjoint(words.before(at, _BEFORE_DIGITS)) else _PIN
    yield SecretSpan(start, end, kind, start)
    behind = words.text.find(digits, end, end + _SAME_NEAR)
    same = _LONE_NUMBER.match(words.text, behind) if behind >= 0 else None
    if same is not None and same[0] == digits:
        yield SecretSpan(*same.span(), kind, behind)


def _is_named(words: _Words, at: int, digits: str) -> bool:
    """Whether the words before these digits say that they are a code, and no time or phone."""
    before = words.before(at, _BEFORE_DIGITS)
    near = before[-_BEFORE_PHONE:]
    names = _SPOKEN.intersection(before) | _CODES.intersection(near)
    is_time = names <= _ALARMS and _TIME.fullmatch(digits)
    if not names or is_time or not _PHONES.isdisjoint(near):
        return False
    return near[-1] in _IS_WORDS | names or any(sign in words.gap(at) for sign in ":=")
