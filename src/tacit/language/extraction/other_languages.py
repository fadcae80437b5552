"""Tell whether a text is in a language that no rules read, such as Italian or Polish."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tacit.language.extraction.rule_tables import load_small_words

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_LONGEST = 2_000
"""So many characters of a text are read."""


class LanguageVotes(NamedTuple):
    """How many words of a text the nearest language with rules has, and the nearest other one."""

    ruled: int
    other: int

    @property
    def is_tie(self) -> bool:
        """Whether the words leave it open, so that those around them decide."""
        return self.ruled == self.other

    @property
    def is_other(self) -> bool:
        """Whether the text is in a language that no rules read.

        A text without any known word is not: notes in English often have none ("retro 9:30").
        """
        return self.other > self.ruled


class _Marks(NamedTuple):
    """The words of a language that no rules read, and what is written as in no ruled one."""

    words: frozenset[str]
    spelling: re.Pattern[str] | None


def count_votes(text: str) -> LanguageVotes:
    """Count the words of a text in each language; a word of several counts for each of them."""
    found = _WORD.findall(text[:_LONGEST].replace("’", "'"))
    words = [word.casefold() for word in found]
    written_small = [word for word in found if word[0] == word[0].casefold()]
    ruled = (sum(word in known for word in words) for known in _ruled_words().values())
    other = (_count_marked(words, written_small, marks) for marks in _other_languages().values())
    return LanguageVotes(max(ruled), max(other))


def _count_marked(words: Iterable[str], written_small: Iterable[str], marks: _Marks) -> int:
    """Count the words of a language; the spelling of names says nothing."""
    spelled = 0
    if marks.spelling is not None:
        spelled = sum(
            word not in marks.words and marks.spelling.search(word) is not None
            for word in written_small
        )
    return sum(word in marks.words for word in words) + spelled


@cache
def _ruled_words() -> dict[str, frozenset[str]]:
    more = _load_table()["ruled"]
    return {
        language: small.union(_split(more[language]))
        for language, small in load_small_words().items()
    }


@cache
def _other_languages() -> dict[str, _Marks]:
    table = _load_table()
    words, spellings = table["words"], table["spellings"]
    return {
        language: _Marks(
            _split(words.get(language, "")),
            re.compile(spellings[language]) if language in spellings else None,
        )
        for language in {**words, **spellings}
    }


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


@cache
def _load_table() -> dict[str, dict[str, str]]:
    file = files(__package__) / "other_languages.toml"
    table: dict[str, dict[str, str]] = tomllib.loads(file.read_text("utf-8"))
    return table
