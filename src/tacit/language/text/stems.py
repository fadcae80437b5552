"""Stems: Snowball, by the language of the text or, for a query, by all of them."""

import re
import threading
from functools import lru_cache

import Stemmer

LATIN = ("english", "german", "french", "spanish")
CYRILLIC = "russian"

_MAX_LENGTH = 64
_IS_CYRILLIC = re.compile("[\u0400-\u04ff]")


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """The stem of a word in a text of this language; Cyrillic is Russian in any text."""
    chosen = CYRILLIC if _IS_CYRILLIC.search(word) else language
    found: str = _stemmers.by_language[chosen].stemWord(word)
    return found[:_MAX_LENGTH]


@lru_cache(maxsize=16_384)
def stems(word: str) -> tuple[str, ...]:
    """The stems of a word in every language, without repeats."""
    return tuple(dict.fromkeys(stem(word, language) for language in LATIN))


class _Stemmers(threading.local):
    """Snowball stemmers keep state while they work, so every thread has its own."""

    def __init__(self) -> None:
        self.by_language = {name: Stemmer.Stemmer(name) for name in (*LATIN, CYRILLIC)}


_stemmers = _Stemmers()
