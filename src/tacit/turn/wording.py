"""Wording: whether two texts say the same, in the same or nearly the same words."""

import re
from collections.abc import Sequence
from functools import lru_cache

from tacit.language.statements.comparison import Comparison, compare_texts, may_be_near_duplicates
from tacit.language.terms import extract_query_terms, extract_terms

_PUNCTUATION = re.compile(r"[\W_]+")

_NEARLY = 0.8
"""Two texts with this share of their words in common say the same, unless they differ in a number,
a name or a negation."""

_LONGEST = 2_000
"""A longer text is no statement, and repeats another only in the same words."""


def is_shown_by_host(content: str, shown: Sequence[str]) -> bool:
    """Whether a statement is among those shown, in the same or nearly the same words."""
    if not plain_words(content):
        return False
    return any(
        _contains(content, line) or is_near_repeat(content, line)
        for line in shown
        if _shares_words(content, line)
    )


def is_stated(content: str, sentences: Sequence[str]) -> bool:
    """Whether a sentence says the same as a statement and nothing else."""
    return bool(plain_words(content)) and any(
        plain_words(content) == plain_words(sentence) or is_near_repeat(content, sentence)
        for sentence in sentences
        if _shares_words(content, sentence)
    )


def _contains(content: str, line: str) -> bool:
    return f" {plain_words(content)} " in f" {plain_words(line)} "


def _shares_words(content: str, line: str) -> bool:
    """Whether two texts share a word; assumed for long texts."""
    return _is_long(content, line) or not _words(content).isdisjoint(_words(line))


def _is_long(content: str, line: str) -> bool:
    return max(len(content), len(line)) > _LONGEST


def is_near_repeat(content: str, line: str) -> bool:
    """Whether two texts say the same in nearly the same words; long ones do not."""
    if _is_long(content, line):
        return False
    words, others = _words(content), _words(line)
    if len(words & others) < _NEARLY * len(words | others):
        return False
    likeness = compare_texts(content, line)
    return likeness is Comparison.REPEATS or may_be_near_duplicates(content, line)


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(extract_terms(text))


@lru_cache(maxsize=4_096)
def plain_words(text: str) -> str:
    """The words of a text, folded and without punctuation."""
    return _PUNCTUATION.sub(" ", text.casefold()).strip()


def word_coverage(said: str, other: str) -> float:
    """The share of the words of one text, without stop words, that another has too."""
    own = _content_terms(said)
    return len(own & _content_terms(other)) / len(own) if own else 0.0


@lru_cache(maxsize=4_096)
def _content_terms(text: str) -> frozenset[str]:
    terms: Sequence[str] = [
        term.alternatives[0] for term in extract_query_terms(text) if not term.is_stop_word
    ]
    return frozenset(terms)
