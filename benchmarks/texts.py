"""Texts whose words are as unevenly frequent as those of people (Zipf's law)."""

from itertools import islice, product
from random import Random

_COUNT = 20_000
_COMMON = 50
_SHORTEST, _LONGEST = 20, 40
_SYLLABLES = [first + second for first, second in product("bdfgklmnprstvz", "aeiou")]


def make_texts(count: int, seed: int = 1) -> list[str]:
    """Texts of about thirty words; the same seed makes the same texts."""
    random = Random(seed)
    lengths = [random.randint(_SHORTEST, _LONGEST) for _ in range(count)]
    words = iter(_draw(random, sum(lengths)))
    return [" ".join(islice(words, length)) for length in lengths]


def make_queries(count: int, length: int = 6, seed: int = 2) -> list[list[str]]:
    """Words to search for, without the most common ones, which a search would drop."""
    words = iter(_draw(Random(seed), count * length, skip=_COMMON))
    return [list(islice(words, length)) for _ in range(count)]


def vocabulary() -> list[str]:
    """Every word, the most common first."""
    return list(_WORDS)


def _draw(random: Random, count: int, skip: int = 0) -> list[str]:
    return random.choices(_WORDS[skip:], _FREQUENCIES[skip:], k=count)


def _word(rank: int) -> str:
    """The word of a rank: common ones are short."""
    rest, syllable = divmod(rank, len(_SYLLABLES))
    return (_word(rest - 1) if rest else "") + _SYLLABLES[syllable]


_WORDS = [_word(rank) for rank in range(_COUNT)]
_FREQUENCIES = [1 / (rank + 1) for rank in range(_COUNT)]
