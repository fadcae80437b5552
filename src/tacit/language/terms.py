"""Turn a text into the terms it is found by: words, stems, languages and term codes.

Every backend uses the same analysis. Text is normalised and case-folded, words are stemmed in the
language that their stop words point to and lose their accents, and scripts without spaces are cut
into bigrams. A text that is stored gets more terms where one stem is not enough: a short one whose
language does not show is stemmed in all, and a long German word is found by its beginnings. An
index stores terms as numbers. `WordMatcher` finds whole words and phrases in texts, whatever their
case and punctuation.
"""

import re
import sys
import threading
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Self

import Stemmer

from tacit.language.languages import (
    CYRILLIC_LANGUAGE,
    LATIN_LANGUAGES,
    STOP_WORDS,
    find_likely_languages,
    guess_language,
)

# Words.


# Letters and digits, and the vowel signs and marks that stand between letters.
_WORD = re.compile("(?:[^\\W_]|[\u0300-\u036f\u0900-\u0e7f])+")
_UNSPACED = re.compile(
    "(["
    "\u0e00-\u0e7f"  # Thai
    "\u3040-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "]+)"
)


@dataclass(frozen=True, slots=True)
class WordRun:
    """A run of letters and digits in one kind of script."""

    text: str
    is_unspaced: bool = False


def split_words(text: str) -> list[WordRun]:
    """Split a text that was normalised and case-folded into words."""
    words: list[WordRun] = []
    for run in _WORD.findall(text):
        if run.isascii():
            words.append(WordRun(run))
        else:
            parts = _UNSPACED.split(run)
            words += [WordRun(part, bool(place % 2)) for place, part in enumerate(parts) if part]
    return words


def find_words(text: str) -> list[tuple[int, str]]:
    """The words of a text, as they are written, and where each begins."""
    return [(match.start(), match[0]) for match in _WORD.finditer(text)]


# Stems.


_MAX_STEM_LENGTH = 64
_IS_CYRILLIC = re.compile("[\u0400-\u04ff]")


@lru_cache(maxsize=65_536)
def stem_word(word: str, language: str) -> str:
    """Stem a word of a text in this language; Cyrillic words are stemmed as Russian in any text."""
    if word.isascii():
        found: str = _stemmers.by_language[language].stemWord(word)
        return found[:_MAX_STEM_LENGTH]
    chosen = CYRILLIC_LANGUAGE if _IS_CYRILLIC.search(word) else language
    return _fold_accents(_stemmers.by_language[chosen].stemWord(word))[:_MAX_STEM_LENGTH]


@lru_cache(maxsize=16_384)
def stem_in_all_languages(word: str) -> tuple[str, ...]:
    """Stem a word in every language, in every spelling of its accents, without repeats."""
    if word.isascii():
        stems = [each.stemWord(word)[:_MAX_STEM_LENGTH] for each in _stemmers.latin]
        return tuple(dict.fromkeys(stems))
    return _stem_in_each(word, LATIN_LANGUAGES)


@lru_cache(maxsize=16_384)
def _stem_in_each(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    spelled = dict.fromkeys((word, _fold_accents(word), word.translate(_UMLAUTS_AS_TWO_LETTERS)))
    return tuple(dict.fromkeys(stem_word(each, name) for each in spelled for name in languages))


class _Stemmers(threading.local):
    """Snowball stemmers keep state while they work, so every thread has its own.

    What they remember themselves would be slower than `lru_cache`.
    """

    def __init__(self) -> None:
        self.by_language = {
            name: Stemmer.Stemmer(name, 0) for name in (*LATIN_LANGUAGES, CYRILLIC_LANGUAGE)
        }
        self.latin = [self.by_language[name] for name in LATIN_LANGUAGES]


_stemmers = _Stemmers()


# Accents: "Zürich" and "zurich" are one word. Cyrillic letters keep what is written above them.


_LATIN_LETTERS = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
_MARKS = range(0x300, 0x370)


def _find_plain_letters() -> dict[int, str]:
    """Latin letters without what is written above, below or through them; marks are left out."""
    found = dict.fromkeys(_MARKS, "")
    for letter in _LATIN_LETTERS:
        plain = unicodedata.normalize("NFD", chr(letter))[0]
        if plain.isascii():
            found[letter] = plain
    return found | str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})


_PLAIN_LETTERS = _find_plain_letters()
_UMLAUTS_AS_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def _fold_accents(word: str) -> str:
    """A word without accents; nothing but accents stays as it is."""
    return word if word.isascii() else word.translate(_PLAIN_LETTERS) or word


# Terms.


ANALYSIS_VERSION = 5
"""Raised whenever the terms of a memory change; a store then recomputes its terms."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a query, with the stems under which texts of any language may hold it.

    `weight` is below 1 for words that come from the conversation and not from the message itself.
    """

    alternatives: tuple[str, ...]
    is_stop_word: bool
    weight: float = 1.0


def extract_terms(text: str) -> list[str]:
    """Extract the terms of a text: a stem of each word, in the language of the text."""
    words = split_words(_fold_text(text))
    language = guess_language(word.text for word in words)
    return [term for word in words for term in _word_terms(word, language)]


def extract_index_terms(text: str) -> list[str]:
    """Extract the terms by which a stored text is found: those of `extract_terms` and more.

    Several stems of a word are terms where its language or its accents leave them open, and so
    are the beginnings of a long word that may be a German compound.
    """
    words = split_words(_fold_text(text))
    languages = find_likely_languages([word.text for word in words])
    shortest = _find_shortest_beginning(languages)
    found: list[str] = []
    for word in words:
        if word.is_unspaced:
            found += _bigrams(word.text)
        elif len(languages) == 1 and word.text.isascii():
            found.append(stem_word(word.text, languages[0]))
        else:
            found += _stem_in_each(word.text, languages)
        if shortest and len(word.text) >= _SHORTEST_COMPOUND and not word.is_unspaced:
            found += _find_beginnings(word.text, shortest)
    return found


def extract_query_terms(text: str) -> list[QueryTerm]:
    """Extract the distinct terms of a query, in order, each word stemmed in every language.

    A query is too short to guess its language, and it must find texts of any language.
    """
    found: dict[tuple[str, ...], QueryTerm] = {}
    for word in {word.text: word for word in split_words(_fold_text(text))}.values():
        if word.is_unspaced:
            for bigram in _bigrams(word.text):
                found.setdefault((bigram,), QueryTerm((bigram,), False))
        else:
            found.setdefault(stem_in_all_languages(word.text), _to_query_term(word.text))
    return list(found.values())


@lru_cache(maxsize=16_384)
def _to_query_term(word: str) -> QueryTerm:
    stems = stem_in_all_languages(word)
    if word in STOP_WORDS:
        return QueryTerm(stems, is_stop_word=True)
    return QueryTerm((*stems, *_as_beginnings(word)), is_stop_word=False)


def _fold_text(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _word_terms(word: WordRun, language: str) -> Iterator[str]:
    if word.is_unspaced:
        yield from _bigrams(word.text)
    else:
        yield stem_word(word.text, language)


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for position in range(len(run) - 1):
        yield run[position : position + 2]


# Compounds: a long German word is found by the word that it begins with.


_SHORTEST_COMPOUND = 9
_SHORTEST_BEGINNING = 4
_SHORTEST_UNSURE_BEGINNING = 5
"""In a text that may as well be in another language."""
_SHORTEST_STEM = 5
_SHORTEST_REST = 3
_LONGEST_BEGINNING = 20
_BEGINNING = "-"
"""Ends a term that is the beginning of a word, so that no stem is the same."""

_UNDIVIDED = frozenset(("au", "ch", "ck", "ei", "eu", "ie", "ph", "qu"))
"""Pairs of letters between which hardly any word ends and another begins."""

_UMLAUT = re.compile("(?<=[aou])e")


def _find_shortest_beginning(languages: Sequence[str]) -> int:
    """How short a beginning of a word may be in a text that may be in these languages; 0: none."""
    if "german" not in languages:
        return 0
    return _SHORTEST_BEGINNING if len(languages) == 1 else _SHORTEST_UNSURE_BEGINNING


@lru_cache(maxsize=16_384)
def _find_beginnings(word: str, shortest: int) -> tuple[str, ...]:
    """The beginnings of a word that leave enough of it for another word."""
    if not word.isalpha():
        return ()
    spelled = _fold_umlauts(word)
    last = min(len(spelled) - _SHORTEST_REST, _LONGEST_BEGINNING)
    ends = range(shortest, last + 1)
    return tuple(
        spelled[:end] + _BEGINNING for end in ends if spelled[end - 1 : end + 1] not in _UNDIVIDED
    )


def _as_beginnings(word: str) -> tuple[str, ...]:
    """The beginnings of compounds that a word of a query finds: itself, and its German stem."""
    if not word.isalpha() or len(word) < _SHORTEST_BEGINNING:
        return ()
    stem = stem_word(word, "german")
    found = [_fold_umlauts(word)]
    if len(stem) >= _SHORTEST_STEM:
        found.append(_fold_umlauts(stem))
    return tuple(dict.fromkeys(each[:_MAX_STEM_LENGTH] + _BEGINNING for each in found))


def _fold_umlauts(word: str) -> str:
    """A word in which "ä", "ae" and "a" are the same."""
    return _UMLAUT.sub("", _fold_accents(word))


# Term codes: an index stores numbers, because words of an erased text must not outlive it.


@lru_cache(maxsize=262_144)
def term_code(term: str) -> int:
    """Hash a term to 64 bits, the same on every machine; collisions do not occur in practice."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")


def signed_term_code(term: str) -> int:
    """Hash a term to a signed 64-bit number, for databases that have no unsigned ones."""
    number = term_code(term)
    return number - (1 << 64) if number >= 1 << 63 else number


def pack_term_codes(terms: Iterable[str]) -> bytes:
    """Pack the codes of terms, in order, as little-endian 64-bit numbers."""
    numbers = array("Q", map(term_code, terms))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


# Matching words and phrases.


_PLAIN_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class WordMatcher:
    """Finds texts that contain the words of other texts; without any words it finds none.

    Words match if they follow each other as whole words: "tea" does not match "team". Scripts
    without spaces do not show where words end, so a part of a run matches. Where a text has no
    letters or digits, its punctuation is looked for between spaces.
    """

    phrases: Mapping[str, tuple[str, ...]]
    """Phrases by one of their words, so that few are looked for; "" for those without one."""
    signs: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Build a matcher for the words of these texts."""
        phrases: dict[str, dict[str, None]] = {}
        signs = set()
        for text in texts:
            if words := split_words(_fold_text(text)):
                phrases.setdefault(_longest_word(words), {})[_to_phrase(words)] = None
            elif text.strip():
                signs.add(_collapse_spaces(text))
        return cls({word: tuple(each) for word, each in phrases.items()}, frozenset(signs))

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.phrases or self.signs)

    def match_any(self, texts: Iterable[str]) -> bool:
        """Whether any of these texts contains the words that are looked for."""
        return bool(self) and any(map(self._matches, texts))

    def _matches(self, text: str) -> bool:
        words = _fold_words(_fold_text(text))
        joined = f" {' '.join(words)} "
        told = self.phrases.keys() & {"", *words}
        if any(phrase in joined for word in told for phrase in self.phrases[word]):
            return True
        spaced = _collapse_spaces(text) if self.signs else ""
        return any(sign in spaced for sign in self.signs)


def _fold_words(folded: str) -> list[str]:
    if folded.isascii():
        return _PLAIN_WORD.findall(folded)
    return [word.text for word in split_words(folded)]


def _to_phrase(words: list[WordRun]) -> str:
    """Join words as they are looked for, with a space at an end where a word must end."""
    before = "" if words[0].is_unspaced else " "
    after = "" if words[-1].is_unspaced else " "
    return f"{before}{' '.join(word.text for word in words)}{after}"


def _longest_word(words: list[WordRun]) -> str:
    """Return the longest word that always occurs as a whole."""
    return max((word.text for word in words if not word.is_unspaced), key=len, default="")


def _collapse_spaces(text: str) -> str:
    return f" {' '.join(text.split())} "
