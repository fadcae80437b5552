"""Words that are looked for in texts, whatever their case and the signs between them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from tacit.language.text.words import Word, split

_PLAIN_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Words:
    """What several texts say, to find where any of it stands; nothing stands nowhere.

    A text has the words of another if they follow each other in it as whole words: "tea" does not
    stand in "team". Writing without spaces shows no ends of words, so a part of it is enough. Where
    a text has no letters or digits, its signs are looked for between spaces.
    """

    sayings: Mapping[str, tuple[str, ...]]
    """By a word that each has, so that only few are looked for in a text; by "" if it has none."""
    signs: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """The words of these texts."""
        sayings: dict[str, dict[str, None]] = {}
        signs = set()
        for text in texts:
            if words := split(_folded(text)):
                sayings.setdefault(_telling(words), {})[_saying(words)] = None
            elif text.strip():
                signs.add(_spaced(text))
        return cls({word: tuple(each) for word, each in sayings.items()}, frozenset(signs))

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.sayings or self.signs)

    def stand_in(self, texts: Iterable[str]) -> bool:
        """Whether any of the texts has the words of one of these."""
        return bool(self) and any(map(self._stands_in, texts))

    def _stands_in(self, text: str) -> bool:
        words = _words(_folded(text))
        joined = f" {' '.join(words)} "
        told = self.sayings.keys() & {"", *words}
        if any(saying in joined for word in told for saying in self.sayings[word]):
            return True
        spaced = _spaced(text) if self.signs else ""
        return any(sign in spaced for sign in self.signs)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _words(folded: str) -> list[str]:
    if folded.isascii():
        return _PLAIN_WORD.findall(folded)
    return [word.text for word in split(folded)]


def _saying(words: list[Word]) -> str:
    """Words as they are looked for: a space at either end where a word must end there."""
    before = "" if words[0].is_unspaced else " "
    after = "" if words[-1].is_unspaced else " "
    return f"{before}{' '.join(word.text for word in words)}{after}"


def _telling(words: list[Word]) -> str:
    """The longest of the words that stand whole wherever they stand."""
    return max((word.text for word in words if not word.is_unspaced), key=len, default="")


def _spaced(text: str) -> str:
    return f" {' '.join(text.split())} "
