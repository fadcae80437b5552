"""From text to sentences of words: what is written, and the form it is compared by."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from tacit.language.statements.calendar import NUMBER_WORDS
from tacit.language.statements.vocabulary import ARTICLES, LEAD_INS

_MARKERS = re.compile(r"^\s*(?:(?:[-*+•>#]+|\d{1,3}[.)]|\[[ xX]?\])\s+)+")
_SPEAKER = re.compile(r"^\s*([^\W\d_][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30}){0,2}):\s+(?=\S)")
_ENDS = re.compile(r"(?:(?<=[.!?])[\"”')]?\s+(?=[\"“'(]?[^\W_a-zß-öø-ÿ])|;\s+|\n)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s.(])(?:[^\W\d_]|mr|mrs|ms|dr|st|inc|ltd|co|corp|jr|sr|no|vs|etc|e\.g|i\.e|prof|gen)"
    r"\.$",
    re.IGNORECASE,
)
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
"""Signs that are no words when they stand alone."""
_INITIALS = re.compile(r"(?:\w\.)+\w?")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


class Word(NamedTuple):
    """One word of a sentence."""

    text: str
    folded: str
    owns: bool
    """Whether it is a possessive, as in `Ann's`."""
    pauses: bool
    """Whether a comma or colon follows it."""
    has_capital: bool


class Sentence(NamedTuple):
    """One sentence without its list marker."""

    words: tuple[Word, ...]
    asks: bool


def cleaned(text: str) -> str:
    """The text in one form of writing, with short forms written out."""
    plain = unicodedata.normalize("NFKC", text).strip().replace("’", "'").replace("ʼ", "'")
    plain = _EQUALS.sub(" is ", plain)
    if "'" not in plain:
        return plain
    plain = _WILL_NOT.sub(lambda found: _WILL_NOT_FORMS[found[0].casefold()], plain)
    plain = _NOT.sub(" not", plain)
    plain = _SHORT_FORMS.sub(_written_out, plain)
    return _ELISION.sub(r"\1 ", plain)


def _written_out(found: re.Match[str]) -> str:
    word, ending = filter(None, found.groups())
    return f"{word} {_LONG_FORMS[ending.casefold()]}"


def without_speaker(text: str) -> tuple[str, str]:
    """The folded name of who speaks, empty if nobody is named, and what is said."""
    found = _SPEAKER.match(text)
    if found is None or not found[1][0].isupper():
        return "", text
    name = found[1].casefold()
    return "" if name in LEAD_INS else name, text[found.end() :]


def sentences(text: str) -> list[Sentence]:
    """The sentences of a cleaned text."""
    return [found for piece in _pieces(text) if (found := _sentence(piece)).words]


def normal(words: Iterable[Word]) -> str:
    """Words as one string to compare by: no articles, no punctuation."""
    kept = [word.folded for word in words if word.folded not in ARTICLES]
    return " ".join(" ".join(kept).replace("-", " ").split())


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for end in _ENDS.finditer(text):
        piece = text[start : end.start()]
        if not _ABBREVIATION.search(piece[-8:]):
            pieces.append(piece)
            start = end.end()
    pieces.append(text[start:])
    return pieces


def _sentence(piece: str) -> Sentence:
    stripped = _MARKERS.sub("", piece)
    words = tuple(word for chunk in stripped.split() if (word := _word(chunk)).folded)
    return Sentence(words, stripped.rstrip("\"”') ").endswith("?"))


@lru_cache(maxsize=32_768)
def _word(chunk: str) -> Word:
    bare = chunk.strip(_OUTER) if chunk.strip(_SIGNS) else ""
    owns = bare.endswith("'s") or chunk.rstrip(".,").endswith("s'")
    shown = bare[:-2] if bare.endswith("'s") else bare
    has_capital = any(character.isupper() for character in shown)
    return Word(shown, _folded(shown), owns, chunk[-1] in ",:", has_capital)


def _folded(shown: str) -> str:
    folded = shown.casefold()
    if folded.isalpha():
        return str(NUMBER_WORDS[folded]) if folded in NUMBER_WORDS else folded
    if _THOUSANDS.fullmatch(folded):
        return folded.replace(",", "")
    if _INITIALS.fullmatch(folded) and not folded[0].isdigit():
        return folded.replace(".", "")
    return _compound_number(folded) if "-" in folded else folded


def _compound_number(folded: str) -> str:
    parts = folded.split("-")
    if len(parts) == 2 and all(part in NUMBER_WORDS for part in parts):
        return str(sum(NUMBER_WORDS[part] for part in parts))
    return folded


def phrase_at(words: Sequence[Word], place: int, phrase: Sequence[str]) -> bool:
    """Whether a phrase stands at this place."""
    return [word.folded for word in words[place : place + len(phrase)]] == list(phrase)
