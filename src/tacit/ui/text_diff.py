"""The difference of two texts: which words only one of them has."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter

_TOKENS = re.compile(r"\w+(?:[.'’-]\w+)*|\s+|[^\w\s]")
_AUTOJUNK_TOKENS, _MAX_TOKENS = 1_000, 4_000
"""Of many tokens the commonest do not begin a match; of more than the most, none does.

Word by word it would take seconds.
"""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text; `is_unique` if the other text does not have it."""

    text: str
    is_unique: bool = False


MarkedText = tuple[TextPiece, ...]
"""A text in pieces."""


def diff_texts(one: str, other: str) -> tuple[MarkedText, MarkedText]:
    """Split two texts into pieces; if they share no word, each is one piece."""
    tokens = _TOKENS.findall(one), _TOKENS.findall(other)
    marks = _mark_own_tokens(*tokens)
    if not _has_common_word(tokens[0], marks[0]):
        return _unmarked(one), _unmarked(other)
    return _join_tokens(tokens[0], marks[0]), _join_tokens(tokens[1], marks[1])


def _mark_own_tokens(one: Sequence[str], other: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """For each token, whether only its own text has it."""
    start = _count_common_start(one, other)
    end = _count_common_start(one[start:][::-1], other[start:][::-1])
    parts = one[start : len(one) - end], other[start : len(other) - end]
    middles = [True] * len(parts[0]), [True] * len(parts[1])
    longest = max(map(len, parts))
    if longest <= _MAX_TOKENS:
        matcher = SequenceMatcher(None, *parts, autojunk=longest > _AUTOJUNK_TOKENS)
        for at, there, size in matcher.get_matching_blocks():
            middles[0][at : at + size] = middles[1][there : there + size] = [False] * size
    around = [False] * start, [False] * end
    return around[0] + middles[0] + around[1], around[0] + middles[1] + around[1]


def _count_common_start(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens two texts have in common at the start."""
    pairs = enumerate(zip(one, other, strict=False))
    shorter = min(len(one), len(other))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), shorter)


def _has_common_word(tokens: Iterable[str], own: Iterable[bool]) -> bool:
    pairs = zip(tokens, own, strict=True)
    return any(not is_unique and token[0].isalnum() for token, is_unique in pairs)


def _join_tokens(tokens: Sequence[str], own: Sequence[bool]) -> MarkedText:
    """Join tokens into pieces; a space between two unique words belongs to them."""
    marks = [
        is_unique or _is_space_between(tokens, own, place) for place, is_unique in enumerate(own)
    ]
    together = groupby(zip(marks, tokens, strict=True), key=itemgetter(0))
    return tuple(
        TextPiece("".join(token for _, token in pairs), is_unique) for is_unique, pairs in together
    )


def _is_space_between(tokens: Sequence[str], own: Sequence[bool], place: int) -> bool:
    return (
        0 < place < len(tokens) - 1
        and own[place - 1]
        and own[place + 1]
        and tokens[place].isspace()
    )


def _unmarked(text: str) -> MarkedText:
    return (TextPiece(text),) if text else ()
