"""The words that say what a text is about, and what two texts have of them in common."""

from functools import lru_cache

from tacit.language.languages import FUNCTION_WORDS, TIMES
from tacit.language.sentences import is_question, split_sentences
from tacit.language.terms import find_words, stem_in_all_languages
from tacit.language.vocabulary import MILD

_KEPT = 4_096
_SAYING_LITTLE = FUNCTION_WORDS | TIMES
_MILD_STEMS = frozenset(stem for word in MILD for stem in stem_in_all_languages(word))

_LEAST_WORDS = 2
"""A sentence with fewer words that say something states nothing."""


@lru_cache(maxsize=_KEPT)
def find_telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about."""
    words = {word.casefold() for _, word in find_words(text)} - _SAYING_LITTLE
    return frozenset(
        stem for word in words if not word[0].isdigit() for stem in stem_in_all_languages(word)
    )


def find_common_words(old: str, new: str) -> list[str]:
    """The words of an earlier text that say what it is about, and that a later one has too."""
    known = find_telling_stems(new)
    words = dict.fromkeys(word for _, word in find_words(old))
    return [word for word in words if not known.isdisjoint(find_telling_stems(word))]


def is_fuller(text: str, other: str) -> bool:
    """Whether a text says something more than another one that is much like it, and not less."""
    ours, theirs = (find_telling_stems(each) - _MILD_STEMS for each in (text, other))
    return len(ours - theirs) > len(theirs - ours)


def has_own_words(old: str, new: str) -> bool:
    """Whether a later text says something with a word that an earlier one does not have."""
    return not find_telling_stems(new) <= find_telling_stems(old)


@lru_cache(maxsize=_KEPT)
def says_several_things(text: str) -> bool:
    """Whether more than one sentence of a text states something."""
    telling = [
        {word.casefold() for _, word in find_words(sentence)} - FUNCTION_WORDS
        for sentence in split_sentences(text)
        if not is_question(sentence)
    ]
    return sum(len(words) >= _LEAST_WORDS for words in telling) > 1
