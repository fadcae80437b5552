"""Proper names, told by their capitals."""

from collections.abc import Iterable, Iterator

from tacit.language.statements.calendar import DAYS, MONTHS, NUMBER_WORDS
from tacit.language.statements.common import COMMON
from tacit.language.statements.words import Sentence, Word


def names(sentences: Iterable[Sentence]) -> frozenset[str]:
    """The folded words of a text that are written as names."""
    return frozenset(name for sentence in sentences for name in _names(sentence.words))


def is_capital(word: Word) -> bool:
    """Whether a word begins with a capital letter."""
    return word.text[:1].isupper()


def _names(words: tuple[Word, ...]) -> Iterator[str]:
    """The names of a sentence; one in capitals throughout tells none."""
    if " ".join(word.text for word in words).isupper():
        return
    for word in words:
        if word.has_capital and _may_be_a_name(word):
            yield word.folded


def _may_be_a_name(word: Word) -> bool:
    folded = word.folded
    if folded in COMMON or folded in MONTHS or folded in NUMBER_WORDS or folded.isdigit():
        return False
    return folded not in DAYS and folded.removesuffix("s") not in DAYS
