"""Whether a message asks anything of memory at all."""

import re
import unicodedata
from functools import cache

from tacit.language.query.small_talk import PHRASES
from tacit.language.text.analysis import query_terms

_COMMAND = re.compile(r"/[a-z][\w:-]*(?:\s+\S+){0,2}\s*", re.IGNORECASE)
_EMOJI_MARKS = "\ufe0e\ufe0f\u20e3"
_REPEATED = re.compile(r"(.)\1{2,}")
_MOST_WORDS = 16
_ENOUGH_WORDS = 3
_OWN = frozenset({"i", "me", "my", "we", "us", "our", "ich", "mich", "je", "moi", "yo", "mi"})
_MOST_CHARACTERS = 400
_AT_ONCE = 64
_LONGEST = max(len(phrase.split()) for phrase in PHRASES)


def is_low_information(text: str, *, has_context: bool) -> bool:
    """Whether a message is small talk, a command, or nothing that could be looked for.

    After a substantive exchange a bare question or a reference back ("why?") is a question about
    it; without one there is nothing to look for.
    """
    if _COMMAND.fullmatch(text[:_MOST_CHARACTERS].strip()):
        return True
    words = _words(text[:_MOST_CHARACTERS])
    if not words or (len(words) <= _MOST_WORDS and _is_small_talk(words)):
        return True
    if has_context or _tells_something(text):
        return False
    return len(words) < _ENOUGH_WORDS or _OWN.isdisjoint(words)


def _tells_something(text: str) -> bool:
    """Whether a word stands in it that is no small one; a long text is read until there is one."""
    words = text.split()
    parts = (" ".join(words[at : at + _AT_ONCE]) for at in range(0, len(words), _AT_ONCE))
    return any(not term.is_stop_word for part in parts for term in query_terms(part))


def _words(text: str) -> tuple[str, ...]:
    """Words as phrases are written: folded, without punctuation, drawn-out letters shortened."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    kept = "".join(character if _is_written(character) else " " for character in folded)
    return tuple(word.strip("'-") for word in kept.split() if word.strip("'-"))


def _is_written(character: str) -> bool:
    if character in _EMOJI_MARKS:
        return False
    return unicodedata.category(character)[0] in "LMN" or character in "'-"


def _is_small_talk(words: tuple[str, ...]) -> bool:
    """Whether phrases, one after the other, make up all of it."""
    reached = {0}
    for start in range(len(words)):
        if start in reached:
            for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
                if _is_phrase(" ".join(words[start:end])):
                    reached.add(end)
    return len(words) in reached


def _is_phrase(said: str) -> bool:
    if said in _phrases() or _REPEATED.sub(r"\1", said) in _phrases():
        return True
    return _REPEATED.sub(r"\1\1", said) in _phrases() or (_is_unspaced(said) and _is_made_of(said))


@cache
def _phrases() -> frozenset[str]:
    """The phrases as `_words` gives them."""
    return frozenset(" ".join(_words(phrase)) for phrase in PHRASES)


def _is_unspaced(said: str) -> bool:
    return " " not in said and any(ord(character) >= 0x0E00 for character in said)


def _is_made_of(said: str) -> bool:
    """Whether a run without spaces is made of phrases."""
    reached = {0}
    for start in range(len(said)):
        if start in reached:
            reached |= {
                end for end in range(start + 1, len(said) + 1) if said[start:end] in _phrases()
            }
    return len(said) in reached
