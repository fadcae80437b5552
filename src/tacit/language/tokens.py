"""Count the tokens of a text: a careful estimate, or exactly where the extra `tokens` is installed.

The estimate splits a text as the tokenizers of `cl100k_base` and `o200k_base` do and looks up the
pieces in an excerpt of the first vocabulary (`token_pieces.bin`, made by `tools/token_pieces.py`):
the more frequent English words, and everything in other scripts. A word of Latin letters that is
not there costs by its length. `python -m benchmarks token_counts` compares it with real counts.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Self

_WHOLE = 100
"""Costs are in hundredths of tokens: whole numbers add up exactly."""

_PIECES = Path(__file__).with_name("token_pieces.bin")
_ALONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
"""Characters of scripts without spaces between words."""
_LETTER = rf"[^\W\d_{_ALONE}\U00020000-\U0003ffff]"
_PIECE = re.compile(
    rf"[^\w\n]?{_LETTER}+|_{_LETTER}+|\d{{1,3}}| ?(?:[^\s\w]|_)+|\w|\n|[^\S\n]+(?=[^\S\n])|[^\S\n]"
)
"""Words with the space or the mark before them, digits, runs of marks, and white space."""
_LATIN = re.compile("[A-Za-z\u00aa-\u024f\u1e00-\u1eff]+")
_HUMP = re.compile("[A-Z]?[^A-Z]+|[A-Z]+(?![^A-Z])|[A-Z]")
"""A part of a word in camel case."""

# Fitted to the samples of `benchmarks/token_samples.py` that are not held out.
_LEAST = 120
_PER_LETTER = 42
_PER_OTHER_LETTER = 65
"""What a letter that is not ASCII adds."""
_WITHOUT_SPACE = 35
"""What a word costs more where no space is before it."""
_SHORT_HUMP = 3.5
_PER_CODE_LETTER = 70
"""Letters cost this much in codes: their humps are shorter than those of names on average."""

_MOST_KNOWN = 65_536
_LONGEST_KNOWN = 48


class TokenCounting(StrEnum):
    """How tokens are counted."""

    ESTIMATE = "estimate"
    CL100K_BASE = "cl100k_base"
    O200K_BASE = "o200k_base"

    @property
    def is_installed(self) -> bool:
        """Whether tokens can be counted so: a vocabulary needs the extra `tokens`."""
        return self is TokenCounting.ESTIMATE or find_spec("bpe_openai") is not None


TokenCounter = Callable[[str], int]
"""Counts the tokens of a text, in hundredths."""


@dataclass(frozen=True, slots=True)
class TextSize:
    """The length of a text; sizes add up where texts are joined by line breaks."""

    characters: int = 0
    bytes: int = 0
    hundredths: int = 0

    @classmethod
    def of(cls, text: str, counter: TokenCounter | None = None) -> Self:
        """Measure a text; without a counter, its tokens are estimated."""
        size = len(text.encode(errors="surrogatepass"))
        return cls(len(text), size, (counter or _estimate)(text))

    @property
    def tokens(self) -> int:
        """The number of tokens, rounded up."""
        return -(-self.hundredths // _WHOLE)

    def __add__(self, other: "TextSize") -> "TextSize":
        return TextSize(
            self.characters + other.characters,
            self.bytes + other.bytes,
            self.hundredths + other.hundredths,
        )


def estimate_tokens(text: str) -> int:
    """Estimate the number of tokens in a text."""
    return -(-_estimate(text) // _WHOLE)


@cache
def find_counter(counting: TokenCounting) -> TokenCounter:
    """The counter of a vocabulary, which takes about a second to load, or the estimate."""
    if counting is TokenCounting.ESTIMATE:
        return _estimate
    import bpe_openai

    encoding = bpe_openai.get_encoding(counting)
    return lambda text: (
        _WHOLE * len(encoding.encode_ordinary(text.encode(errors="replace").decode()))
    )


def _estimate(text: str) -> int:
    vocabulary = _load_vocabulary()
    if "  " in text or "\t" in text:  # a run of white space is one piece
        return vocabulary.count(text)
    first, *others = text.split(" ")
    return vocabulary.count(first) + sum(map(vocabulary.after_space.__getitem__, others))


class _Costs(dict[str, int]):
    """Costs of short texts, each found once while there is room."""

    def __init__(self, find: Callable[[str], int]) -> None:
        self._find = find

    def __missing__(self, text: str) -> int:
        cost = self._find(text)
        if len(text) <= _LONGEST_KNOWN:
            if len(self) >= _MOST_KNOWN:
                self.clear()
            self[text] = cost
        return cost


class _Vocabulary:
    """The excerpt of a vocabulary, and the costs by it; `after_space` has texts without spaces."""

    def __init__(self) -> None:
        words, others = _PIECES.read_bytes().split(b"\n\n")
        self._words = frozenset(words.decode().split("\n"))
        self._others = frozenset(others.split(b"\n"))
        self._longest = max(map(len, self._others))
        self._pieces = _Costs(self._find_cost)
        self.after_space = _Costs(lambda text: self.count(f" {text}"))

    def count(self, text: str) -> int:
        """Count the tokens of a text, in hundredths."""
        return sum(map(self._pieces.__getitem__, _PIECE.findall(text)))

    def _find_cost(self, piece: str) -> int:
        if piece.isspace() or (piece.isascii() and piece.isdecimal()):
            return _WHOLE
        word = piece if piece[0].isalpha() else piece[1:]
        if not _LATIN.fullmatch(word):
            if len(piece) > _LONGEST_KNOWN:  # in parts that are known, as a run repeats itself
                starts = range(0, len(piece), _LONGEST_KNOWN)
                return sum(self._pieces[piece[start : start + _LONGEST_KNOWN]] for start in starts)
            return _WHOLE * self._count_pieces(piece.encode(errors="surrogatepass"))
        lead = 0 if piece[0] == " " else _WITHOUT_SPACE
        return lead + self._find_word_cost(word)

    def _find_word_cost(self, word: str) -> int:
        if word.lower() in self._words:
            return _WHOLE
        humps = _HUMP.findall(word)
        if len(humps) > 1 and len(word) < _SHORT_HUMP * len(humps):
            return max(_LEAST, _PER_CODE_LETTER * len(word))
        return sum(map(self._find_hump_cost, humps))

    def _find_hump_cost(self, hump: str) -> int:
        if len(hump) > 2 and hump.lower() in self._words:
            return _WHOLE
        others = sum(letter > "\x7f" for letter in hump)
        return max(_LEAST, _PER_LETTER * len(hump) + _PER_OTHER_LETTER * others)

    def _count_pieces(self, text: bytes) -> int:
        """Count the longest pieces of the vocabulary, one after the other; a byte is one too."""
        count = place = 0
        while place < len(text):
            lengths = range(min(self._longest, len(text) - place), 1, -1)
            place += next((n for n in lengths if text[place : place + n] in self._others), 1)
            count += 1
        return count


_load_vocabulary = cache(_Vocabulary)
