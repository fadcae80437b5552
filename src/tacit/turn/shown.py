"""What the model's host shows by itself: a memory that only repeats it need not be shown."""

import re
from collections.abc import Sequence
from functools import lru_cache

from tacit.language.statements.likeness import Likeness, compare, may_be_near_duplicates
from tacit.language.text.analysis import terms

_MARKS = re.compile(r"[\W_]+")
_NEARLY = 0.8
"""Two texts with this share of their words in common say the same, unless they differ in a number,
a name or a negation."""

_LONGEST = 2_000
"""What is longer is no statement, and repeats another in the same words only."""


def is_shown(content: str, shown: Sequence[str]) -> bool:
    """Whether a statement stands among those that are shown, in these words or nearly."""
    if not _plain(content):
        return False
    return any(
        _stands_in(content, line) or _repeats(content, line)
        for line in shown
        if _may_be_alike(content, line)
    )


def is_stated(content: str, sentences: Sequence[str]) -> bool:
    """Whether one of some sentences says the same as a statement, and says nothing else."""
    return bool(_plain(content)) and any(
        _plain(content) == _plain(sentence) or _repeats(content, sentence)
        for sentence in sentences
        if _may_be_alike(content, sentence)
    )


def _stands_in(content: str, line: str) -> bool:
    return f" {_plain(content)} " in f" {_plain(line)} "


def _may_be_alike(content: str, line: str) -> bool:
    """Whether two texts have a word in common; long ones are not asked for their words."""
    return _is_long(content, line) or not _words(content).isdisjoint(_words(line))


def _is_long(content: str, line: str) -> bool:
    return max(len(content), len(line)) > _LONGEST


def _repeats(content: str, line: str) -> bool:
    if _is_long(content, line):
        return False
    words, others = _words(content), _words(line)
    if len(words & others) < _NEARLY * len(words | others):
        return False
    likeness = compare(content, line)
    return likeness is Likeness.REPEATS or may_be_near_duplicates(content, line)


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(terms(text))


@lru_cache(maxsize=4_096)
def _plain(text: str) -> str:
    return _MARKS.sub(" ", text.casefold()).strip()
