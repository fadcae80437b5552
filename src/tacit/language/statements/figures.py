"""Numbers and dates in a text, each in one form."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tacit.language.statements.calendar import (
    AMBIGUOUS_MONTHS,
    DAYS,
    MONTH_NAMES,
    MONTHS,
    NUMBER_WORDS,
)
from tacit.language.statements.listing import word_set

_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + ")"
_ORDINAL = r"(?:st|nd|rd|th|er|\.)?"
_DATE = re.compile(
    rf"""
    (?<![\w.])(?:
      (?P<year>\d{{4}})-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})
    | (?P<slashed>\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}})
    | (?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::\d\d)?(?:\s?(?P<half>[ap]\.?m)\b)?
    | (?P<full_hour>\d{{1,2}})\s?(?P<full_half>[ap]\.?m)\b
    | (?P<named>{_MONTH})\.?\s+(?P<named_day>\d{{1,2}}){_ORDINAL}(?!\d)
      (?:,?\s+(?P<named_year>\d{{4}}))?
    | (?P<first_day>\d{{1,2}}){_ORDINAL}\s+(?:of\s|de\s)?(?P<then_month>{_MONTH})\b
      (?:,?\s+(?:de\s)?(?P<then_year>\d{{4}}))?
    | (?P<only_month>{_MONTH})\s+(?P<only_year>\d{{4}})
    | (?P<alone>(?:1[5-9]|20|21)\d\d)(?![\w]|[.,:]\d)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FIGURE = re.compile(r"\d[\d.,:/-]*[^\W\d_]{0,3}%?")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORD = re.compile(r"[^\W_]+")
_SPOKEN = frozenset((*NUMBER_WORDS, *MONTHS, *DAYS, *(f"{day}s" for day in DAYS)))
_BEFORE_MONTHS = word_set("in by since until till of from last next this every early late")
_BEFORE_PRONOUNS = word_set("this that the any no which each every another only not")


class Figures(NamedTuple):
    """The numbers and dates of a text, and the text with its dates in one form."""

    numbers: frozenset[str]
    dates: frozenset[str]
    text: str


def figures(text: str) -> Figures:
    """Find the figures of a cleaned text; a date's own numbers count with the date."""
    dates: set[str] = set()
    rest = text
    if _NUMBER.search(text):
        dates.update(map(_date, _DATE.finditer(text)))
        rest = _DATE.sub(" ", text)
        text = _DATE.sub(_date, text)
    numbers = {_number(found) for found in _NUMBER.findall(rest)}
    words = _WORD.findall(rest.casefold())
    if not _SPOKEN.isdisjoint(words):
        dates.update(_dates_in_words(words))
        numbers.update(_numbers_in_words(words))
    return Figures(frozenset(numbers), frozenset(dates), text)


def is_moment(folded: str) -> bool:
    """Whether a word begins a date, a time or a number."""
    if folded[:1].isdigit():
        return _FIGURE.fullmatch(folded) is not None
    return folded.removesuffix("s") in DAYS or folded in MONTHS


def _date(found: re.Match[str]) -> str:
    parts = found.groupdict()
    if parts["year"]:
        return f"{parts['year']}-{int(parts['month']):02}-{int(parts['day']):02}"
    if parts["hour"] or parts["full_hour"]:
        return _time(parts)
    for month, day, year in _NAMED:
        if (parts[month] or "").casefold() in MONTHS:
            return _named(parts[month], parts.get(day), parts[year])
    return found[0].casefold().replace("/", ".")


_NAMED = (
    ("named", "named_day", "named_year"),
    ("then_month", "first_day", "then_year"),
    ("only_month", "", "only_year"),
)


def _named(month: str, day: str | None, year: str | None) -> str:
    parts = [year or "", f"{MONTHS[month.casefold()]:02}", f"{int(day):02}" if day else ""]
    return "-".join(part for part in parts if part)


def _time(parts: dict[str, str | None]) -> str:
    hour = int(parts["hour"] or parts["full_hour"] or 0)
    half = (parts["half"] or parts["full_half"] or "")[:1].casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{parts['minute'] or '00'}"


def _number(found: str) -> str:
    if _THOUSANDS.fullmatch(found):
        return found.replace(",", "")
    return found.replace(",", ".")


def _dates_in_words(words: list[str]) -> Iterator[str]:
    before = ""
    for word in words:
        if (day := DAYS.get(word) or DAYS.get(word.removesuffix("s"))) is not None:
            yield day
        elif word in MONTHS and (word not in AMBIGUOUS_MONTHS or before in _BEFORE_MONTHS):
            yield MONTH_NAMES[MONTHS[word] - 1]
        before = word


def _numbers_in_words(words: list[str]) -> Iterator[str]:
    before = ""
    for word in words:
        if word in NUMBER_WORDS and not (word == "one" and before in _BEFORE_PRONOUNS):
            yield str(NUMBER_WORDS[word])
        before = word
