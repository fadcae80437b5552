"""Split a text into sentences and words, and find its names, numbers and dates in one form."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tacit.language.sentences import is_question, split_sentences
from tacit.language.vocabulary import (
    AMBIGUOUS_MONTHS,
    ARTICLES,
    COMMON_WORDS,
    DAYS,
    LEAD_INS,
    MONTH_NAMES,
    MONTHS,
    NUMBER_WORDS,
    word_set,
)

_MARKERS = re.compile(r"^\s*(?:(?:[-*+•>#]+|\d{1,3}[.)]|\[[ xX]?\])\s+)+")
_SPEAKER = re.compile(r"^\s*([^\W\d_][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30}){0,2}):\s+(?=\S)")
_CLAUSE_END = re.compile(r";\s+")
_NOT = re.compile(r"(?<=\w)n't\b", re.IGNORECASE)
_ELISION = re.compile(r"\b(n|l|d|j|c|s|m|t|qu)'(?=\w{2})", re.IGNORECASE)
_SHORT_FORMS = re.compile(
    r"\b(?:(i)'(m|ve|ll|d)|(you|we|they)'(re|ve|ll|d)|(he|she|it|that|there)'(s|ll|d))\b",
    re.IGNORECASE,
)
_LONG_FORMS = {"m": "am", "re": "are", "s": "is", "ve": "have", "ll": "will", "d": "would"}
_WILL_NOT = re.compile(r"\b(?:won't|can't|shan't)", re.IGNORECASE)
_WILL_NOT_FORMS = {"won't": "will not", "can't": "can not", "shan't": "shall not"}
_EQUALS = re.compile(r"(?<=\S)\s=\s(?=\S)")
_OUTER = "\"“”„«»‘’'()[]{}<>*_`.,;:!?…¿¡~|=–—"
_SIGNS = "-+#•/&"
"""Punctuation that is no word when it stands alone."""
_INITIALS = re.compile(r"(?:\w\.)+\w?")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


class Word(NamedTuple):
    """One word of a sentence."""

    text: str
    folded: str
    is_possessive: bool
    """Whether it is a possessive, as in `Ann's`."""
    has_pause: bool
    """Whether a comma or colon follows it."""
    has_capital: bool


class Sentence(NamedTuple):
    """One sentence without its list marker."""

    words: tuple[Word, ...]
    is_question: bool


def normalize_text(text: str) -> str:
    """Normalise Unicode and apostrophes, and expand short forms such as `don't`."""
    plain = unicodedata.normalize("NFKC", text).strip().replace("’", "'").replace("ʼ", "'")
    plain = _EQUALS.sub(" is ", plain)
    if "'" not in plain:
        return plain
    plain = _WILL_NOT.sub(lambda found: _WILL_NOT_FORMS[found[0].casefold()], plain)
    plain = _NOT.sub(" not", plain)
    plain = _SHORT_FORMS.sub(_expand_form, plain)
    return _ELISION.sub(r"\1 ", plain)


def _expand_form(found: re.Match[str]) -> str:
    word, ending = filter(None, found.groups())
    return f"{word} {_LONG_FORMS[ending.casefold()]}"


def split_speaker(text: str) -> tuple[str, str]:
    """Return the folded name of the speaker, empty if none is named, and what is said."""
    found = _SPEAKER.match(text)
    if found is None or not found[1][0].isupper():
        return "", text
    name = found[1].casefold()
    return "" if name in LEAD_INS else name, text[found.end() :]


def parse_sentences(text: str) -> list[Sentence]:
    """Parse the sentences of a normalised text; what a semicolon parts counts as two."""
    found = []
    for piece in (each for said in split_sentences(text) for each in _CLAUSE_END.split(said)):
        bare = _MARKERS.sub("", piece)
        words = tuple(word for chunk in bare.split() if (word := _parse_word(chunk)).folded)
        if words:
            found.append(Sentence(words, is_question(bare)))
    return found


def to_normal_form(words: Iterable[Word]) -> str:
    """Join words for comparison, without articles and punctuation."""
    kept = [word.folded for word in words if word.folded not in ARTICLES]
    return " ".join(" ".join(kept).replace("-", " ").split())


@lru_cache(maxsize=32_768)
def _parse_word(chunk: str) -> Word:
    bare = chunk.strip(_OUTER) if chunk.strip(_SIGNS) else ""
    owns = bare.endswith("'s") or chunk.rstrip(".,").endswith("s'")
    shown = bare[:-2] if bare.endswith("'s") else bare
    has_capital = any(character.isupper() for character in shown)
    return Word(shown, _fold_word(shown), owns, chunk[-1] in ",:", has_capital)


def _fold_word(shown: str) -> str:
    folded = shown.casefold()
    if folded.isalpha():
        return str(NUMBER_WORDS[folded]) if folded in NUMBER_WORDS else folded
    if _THOUSANDS.fullmatch(folded):
        return folded.replace(",", "")
    if _INITIALS.fullmatch(folded) and not folded[0].isdigit():
        return folded.replace(".", "")
    parts = folded.split("-")
    if len(parts) == 2 and all(part in NUMBER_WORDS for part in parts):
        return str(sum(NUMBER_WORDS[part] for part in parts))
    return folded


def has_phrase_at(words: Sequence[Word], place: int, phrase: Sequence[str]) -> bool:
    """Whether a phrase stands at this place."""
    return [word.folded for word in words[place : place + len(phrase)]] == list(phrase)


# Names, recognised by their capitals.


def find_names(sentences: Iterable[Sentence]) -> frozenset[str]:
    """Find the words that are written as names, folded; a sentence in capitals has none."""
    return frozenset(
        word.folded
        for sentence in sentences
        if not " ".join(word.text for word in sentence.words).isupper()
        for word in sentence.words
        if word.has_capital and _may_be_a_name(word.folded)
    )


def is_capitalized(word: Word) -> bool:
    """Whether a word begins with a capital letter."""
    return word.text[:1].isupper()


def _may_be_a_name(folded: str) -> bool:
    if folded in COMMON_WORDS or folded in MONTHS or folded in NUMBER_WORDS or folded.isdigit():
        return False
    return folded not in DAYS and folded.removesuffix("s") not in DAYS


# Numbers and dates.


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
_WORD = re.compile(r"[^\W_]+")
_SPOKEN = frozenset((*NUMBER_WORDS, *MONTHS, *DAYS, *(f"{day}s" for day in DAYS)))
_BEFORE_MONTHS = word_set("in by since until till of from last next this every early late")
_BEFORE_PRONOUNS = word_set("this that the any no which each every another only not")


class TextFigures(NamedTuple):
    """The numbers and dates of a text, and the text with its dates in one form."""

    numbers: frozenset[str]
    dates: frozenset[str]
    text: str


def find_figures(text: str) -> TextFigures:
    """Find the numbers and dates of a normalised text; a date's numbers count with the date."""
    dates: set[str] = set()
    rest = text
    if _NUMBER.search(text):
        dates.update(map(_format_date, _DATE.finditer(text)))
        rest = _DATE.sub(" ", text)
        text = _DATE.sub(_format_date, text)
    numbers = {_format_number(found) for found in _NUMBER.findall(rest)}
    words = _WORD.findall(rest.casefold())
    if not _SPOKEN.isdisjoint(words):
        dates.update(_dates_in_words(words))
        numbers.update(_numbers_in_words(words))
    return TextFigures(frozenset(numbers), frozenset(dates), text)


def begins_figure(folded: str) -> bool:
    """Whether a word begins a date, a time or a number."""
    if folded[:1].isdigit():
        return _FIGURE.fullmatch(folded) is not None
    return folded.removesuffix("s") in DAYS or folded in MONTHS


def _format_date(found: re.Match[str]) -> str:
    parts = found.groupdict()
    if parts["year"]:
        return f"{parts['year']}-{int(parts['month']):02}-{int(parts['day']):02}"
    if parts["hour"] or parts["full_hour"]:
        return _format_time(parts)
    for month, day, year in _NAMED_DATES:
        if (parts[month] or "").casefold() in MONTHS:
            return _format_named_date(parts[month], parts.get(day), parts[year])
    return found[0].casefold().replace("/", ".")


_NAMED_DATES = (
    ("named", "named_day", "named_year"),
    ("then_month", "first_day", "then_year"),
    ("only_month", "", "only_year"),
)


def _format_named_date(month: str, day: str | None, year: str | None) -> str:
    parts = [year or "", f"{MONTHS[month.casefold()]:02}", f"{int(day):02}" if day else ""]
    return "-".join(part for part in parts if part)


def _format_time(parts: dict[str, str | None]) -> str:
    hour = int(parts["hour"] or parts["full_hour"] or 0)
    half = (parts["half"] or parts["full_half"] or "")[:1].casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{parts['minute'] or '00'}"


def _format_number(found: str) -> str:
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
