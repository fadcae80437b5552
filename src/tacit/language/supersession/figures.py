"""Find figures in a sentence: amounts with units, dates, times, addresses and versions."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tacit.language.statements.vocabulary import AMBIGUOUS_MONTHS, DAYS, MONTHS, word_set
from tacit.language.statements.words import Word
from tacit.language.supersession.lexicon import (
    FREQUENCY_ADVERBS,
    FUNCTION_WORDS,
    NOW_WORDS,
    PERIODS,
    UNITS,
)
from tacit.language.supersession.products import PRODUCT_KINDS

Words = Sequence[Word]

_SIGN = "\x02"
_FILES = "js|py|md|ts|tsx|toml|json|ya?ml|txt|io|net|rs|go|sh"
_ADDRESS = re.compile(
    rf"""
      (?P<url> https?://\S*[\w/]
             | (?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+
             | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?\b
             | \b(?:[a-z0-9-]{{1,63}}\.){{1,8}}(?!(?:{_FILES})\b)[a-z]{{2,}}
               (?::\d+)?(?:/[\w./-]*\w)?(?!\w)
             | (?<!\S)~?/[\w.-]+(?:/[\w.-]+)*/?(?=[\s,.;]|$) )
    | (?P<hex> \#[0-9a-fA-F]{{3,8}}\b )
    | (?P<phone> (?<![\w.])\+?\(?\d{{1,5}}\)?(?:[ -]\(?\d{{2,6}}\)?){{1,5}}(?![\w:.%]) )
    | (?P<clock> \b\d{{1,2}}\ ?h(?:\d\d)?\b | \b\d{{1,2}}(?:[.:]\d\d)?\ Uhr\b )
    """,
    re.VERBOSE,
)
_LEAST_PHONE = 9
_AMOUNT = re.compile(r"([$€£¥])?(\d+(?:[.,]\d+)*)(k|m|bn)?([a-z%€$£]*)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_TIME = re.compile(r"\d\d:\d\d")
_DATE = re.compile(r"(?:\d{4}-)?\d\d-\d\d|\d{4}-\d\d")
_ORDINAL = re.compile(r"(\d{1,3})(?:st|nd|rd|th)")
_RANKS = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6",
    "seventh": "7", "eighth": "8", "ninth": "9", "tenth": "10",
}  # fmt: skip
_RANKED = word_set("floor year grade semester term quarter edition draft round week month")
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")
_VERSION = re.compile(r"v\d+(?:\.\d+)*")
_NAMED = re.compile(r"(?=\S*\d)(?=\S*[a-z])[a-z0-9]+(?:[-_.][a-z0-9]+)+")
_FACTORS = {"k": 1e3, "m": 1e6, "bn": 1e9}
_BEFORE_YEARS = word_set("in since of by until till from to")
_BEFORE_MONTHS = _BEFORE_YEARS | word_set("late early mid end")
_BEFORE_PRONOUNS = word_set("this that the any no which each every another not")
_BEFORE_TIMES = word_set("at around until till")
_AFTER_TIMES = word_set("on in every for instead sharp and each since from to")
_NO_NOUNS = word_set("be is are have has was were been")
_LATEST = 24


class Figure(NamedTuple):
    """A value that can be compared with others of its kind."""

    kind: str
    value: str


class FoundFigure(NamedTuple):
    """A figure, how many words it takes, and what it counts."""

    figure: Figure
    size: int
    noun: str = ""


def mark_addresses(text: str) -> str:
    """Mark the addresses in a text, so that they are not read as words."""
    return _ADDRESS.sub(_mark_address, text)


def find_figure_at(words: Words, place: int) -> FoundFigure | None:
    """Return the figure that begins here, if any."""
    word = words[place]
    if word.folded in PRODUCT_KINDS:
        return None
    if word.folded.isalpha():
        return _day_at(words, place) or _rank_at(words, place)
    if word.text.startswith(_SIGN):
        kind, _, value = word.text[1:].partition("=")
        return FoundFigure(Figure(kind, value), 1)
    return _rank_at(words, place) or _figure_in_word(word) or _amount_at(words, place)


def _mark_address(found: re.Match[str]) -> str:
    kind, value = found.lastgroup or "", found[0]
    if kind == "clock":
        hour, _, minute = (
            re.sub(r"[ Uhr]+$|h$", "", value).replace("h", ":").replace(".", ":").partition(":")
        )
        return f"{int(hour):02}:{minute.strip() or '00'}"
    if kind == "phone":
        value = re.sub(r"\D", "", value)
        if len(value) < _LEAST_PHONE:
            return found[0]
    return f"{_SIGN}{kind}={value.casefold()}"


def _day_at(words: Words, place: int) -> FoundFigure | None:
    folded = words[place].folded
    day = DAYS.get(folded) or DAYS.get(folded.removesuffix("s"), "")
    if day[:1].isdigit():
        return FoundFigure(Figure("time", day), 1)
    if day.endswith("day") and not day.startswith("yester"):
        return FoundFigure(Figure("weekday", day), 1)
    before = words[place - 1].folded if place else ""
    if folded in MONTHS and (folded not in AMBIGUOUS_MONTHS or before in _BEFORE_MONTHS):
        return FoundFigure(Figure("date", f"m{MONTHS[folded]:02}"), 1)
    return None


def _rank_at(words: Words, place: int) -> FoundFigure | None:
    """Read `the third floor`, and `the 15th` of every month."""
    found = _ORDINAL.fullmatch(words[place].folded)
    rank = found[1] if found else _RANKS.get(words[place].folded)
    if rank is None:
        return None
    after = "" if words[place].has_pause else _folded_at(words, place + 1)
    if after in _RANKED:
        return FoundFigure(Figure("rank", rank), 2, after)
    is_day = found is not None and place > 0 and words[place - 1].folded == "the"
    return (
        FoundFigure(Figure("date", f"d{int(rank):02}"), 1)
        if is_day and after in ("", "of")
        else None
    )


def _figure_in_word(word: Word) -> FoundFigure | None:
    """Read a time, date, version or identifier in one word."""
    folded = word.folded
    if _TIME.fullmatch(folded):
        return FoundFigure(Figure("time", folded), 1)
    if _DATE.fullmatch(folded):
        return FoundFigure(Figure("date", folded), 1)
    if _VERSION.fullmatch(folded):
        return FoundFigure(Figure("number", folded[1:]), 1)
    if _NAMED.fullmatch(folded) and not word.text[0].isupper() and not _AMOUNT.fullmatch(folded):
        return FoundFigure(Figure("url", folded), 1)
    return None


def _amount_at(words: Words, place: int) -> FoundFigure | None:
    word = words[place]
    found = _AMOUNT.fullmatch(word.folded)
    if found is None or _is_pronoun(words, place):
        return None
    before = words[place - 1].folded if place else ""
    after = "" if word.has_pause else _folded_at(words, place + 1)
    is_counting = after.isalpha() and after not in FUNCTION_WORDS and after not in NOW_WORDS
    if _YEAR.fullmatch(word.text) and before in _BEFORE_YEARS and not is_counting:
        return FoundFigure(Figure("date", word.text), 1)
    sign, digits, factor, suffix = found.groups()
    unit = suffix or sign or ""
    if unit and unit not in UNITS:
        return None
    if not unit and factor == "m" and after not in UNITS:
        return None
    amount = _parse_number(digits) * _FACTORS.get(factor or "", 1)
    if unit or after in UNITS:
        return _measure_at(words, place, amount, unit)
    value = digits if "." in digits else f"{amount:g}"
    is_time = before in _BEFORE_TIMES or _is_in_a_span(words, place)
    if is_time and digits.isdigit() and amount <= _LATEST and _ends_a_time(after):
        return FoundFigure(Figure("time", f"{int(amount):02}:00"), 1)
    return _count_at(words, place, value) or FoundFigure(Figure("number", value), 1)


def _folded_at(words: Words, place: int) -> str:
    return words[place].folded if place < len(words) else ""


def _is_in_a_span(words: Words, place: int) -> bool:
    """Whether this is one end of `from 9 to 5`."""
    keys = [word.folded for word in words]
    if keys[place - 1 : place] == ["from"] and keys[place + 1 : place + 2] == ["to"]:
        return _AMOUNT.fullmatch(_folded_at(words, place + 2)) is not None
    return keys[place - 1 : place] == ["to"] and keys[max(0, place - 3) : place - 2] == ["from"]


def _is_pronoun(words: Words, place: int) -> bool:
    """Whether this is the `one` of `the other one`."""
    if words[place].text.casefold() != "one":
        return False
    return place > 0 and words[place - 1].folded in _BEFORE_PRONOUNS


def _parse_number(digits: str) -> float:
    plain = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits.replace(",", ".")
    whole, _, rest = plain.partition(".")
    return float(f"{whole}.{rest.replace('.', '')}" if rest else whole)


def _ends_a_time(after: str) -> bool:
    return not after or after in _AFTER_TIMES or after in NOW_WORDS or after in DAYS


def _measure_at(words: Words, place: int, amount: float, unit: str) -> FoundFigure:
    """Read an amount with a unit, written together or apart."""
    size = 1
    following = "" if words[place].has_pause else _folded_at(words, place + 1)
    if not unit or (following in UNITS and UNITS[following][0] == UNITS[unit][0]):
        unit, size = following, 2
    kind, scale = UNITS[unit]
    value = f"{amount * scale:g}"
    period, more = _period_at(words, place + size)
    if kind == "money" and period:
        return FoundFigure(Figure(f"money/{period}", value), size + more)
    return FoundFigure(Figure(kind, value), size)


def _count_at(words: Words, place: int, value: str) -> FoundFigure | None:
    """Read a number of things, as in `two approvals` and `nine of us`."""
    if words[place].has_pause:
        return None
    noun, size = _folded_at(words, place + 1), 2
    if noun == "of" and _folded_at(words, place + 2) == "us":
        noun, size = "us", 3
    elif not noun.isalpha() or noun in FUNCTION_WORDS or noun in NOW_WORDS or noun in _NO_NOUNS:
        return None
    period, more = _period_at(words, place + size)
    kind = f"count/{period}" if period else "count"
    return FoundFigure(Figure(kind, value), size + more, noun)


def _period_at(words: Words, place: int) -> tuple[str, int]:
    """Return the period of a rate, and how many words it takes."""
    if place and words[place - 1].has_pause:
        return "", 0
    first, second = _folded_at(words, place), _folded_at(words, place + 1)
    if first in ("a", "an", "per", "each", "every") and second in PERIODS:
        return PERIODS[second], 2
    return (FREQUENCY_ADVERBS[first], 1) if first in FREQUENCY_ADVERBS else ("", 0)
