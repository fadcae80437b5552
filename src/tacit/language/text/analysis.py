"""From text to terms: normalised, case-folded, stemmed; bigrams where nothing is spaced."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tacit.language.text.languages import STOP_WORDS, guess
from tacit.language.text.stems import stem, stems
from tacit.language.text.words import Word, split

ANALYSIS_VERSION = 3
"""Raised whenever `terms` changes what it returns; a store then makes its terms anew."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a query, as any of the terms that a text in any language may hold it under.

    `weight` is below 1 for words that were not said now but are in the air.
    """

    alternatives: tuple[str, ...]
    is_stop_word: bool
    weight: float = 1.0


def terms(text: str) -> list[str]:
    """The terms that a text is found by."""
    words = split(_folded(text))
    language = guess(word.text for word in words)
    return [term for word in words for term in _terms(word, language)]


def query_terms(text: str) -> list[QueryTerm]:
    """The distinct terms of a query, in order; each word in the stems of every language.

    A query is too short to tell its language, and it must find texts whatever theirs is.
    """
    found: dict[tuple[str, ...], QueryTerm] = {}
    for word in {word.text: word for word in split(_folded(text))}.values():
        if word.is_unspaced:
            for bigram in _bigrams(word.text):
                found.setdefault((bigram,), QueryTerm((bigram,), False))
        else:
            alternatives = stems(word.text)
            found.setdefault(alternatives, QueryTerm(alternatives, word.text in STOP_WORDS))
    return list(found.values())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _terms(word: Word, language: str) -> Iterator[str]:
    if word.is_unspaced:
        yield from _bigrams(word.text)
    else:
        yield stem(word.text, language)


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for position in range(len(run) - 1):
        yield run[position : position + 2]
