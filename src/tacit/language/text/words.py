"""Words: runs of letters and digits, cut where writing with spaces meets writing without."""

import re
from dataclasses import dataclass

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
class Word:
    """A run of one kind of writing."""

    text: str
    is_unspaced: bool = False


def split(text: str) -> list[Word]:
    """The words of a text that was normalised and case-folded."""
    words: list[Word] = []
    for run in _WORD.findall(text):
        if run.isascii():
            words.append(Word(run))
        else:
            parts = _UNSPACED.split(run)
            words += [Word(part, bool(place % 2)) for place, part in enumerate(parts) if part]
    return words
