"""Text analysis: one way to turn any text into search terms, the same for every backend."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import Stemmer

ANALYSIS_VERSION = 1
"""Raised whenever `terms` changes what it returns; a store then rebuilds its index."""

_MAX_TERM_LENGTH = 64
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "["
    "\u0e00-\u0e7f"  # Thai
    "\u3040-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "]+"
)
_CYRILLIC = re.compile("[\u0400-\u04ff]")


def terms(text: str) -> list[str]:
    """Analyse a text: normalised, case-folded, stemmed words; bigrams where nothing is spaced."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [term for word in _WORD.findall(folded) for term in _word_terms(word)]


def _word_terms(word: str) -> Iterator[str]:
    """Split a word where the script changes between spaced and unspaced writing."""
    position = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > position:
            yield _stem(word[position : run.start()])
        yield from _bigrams(run.group())
        position = run.end()
    if position < len(word):
        yield _stem(word[position:])


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for first, second in pairwise(run):
        yield first + second


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    language = "russian" if _CYRILLIC.search(word) else "english"
    stem: str = _stemmers.by_language[language].stemWord(word)
    return stem[:_MAX_TERM_LENGTH]


class _Stemmers(threading.local):
    """Snowball stemmers keep state while they work, so every thread has its own."""

    def __init__(self) -> None:
        self.by_language = {name: Stemmer.Stemmer(name) for name in ("english", "russian")}


_stemmers = _Stemmers()
