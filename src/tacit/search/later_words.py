"""The rules about a person's later words, wherever two of their statements are compared."""

from functools import lru_cache

from tacit.core.kinds import PERSONS, MemoryType, Trust
from tacit.core.memory import Memory
from tacit.language.function_words import FUNCTION_WORDS
from tacit.language.sentences import is_question, split_sentences
from tacit.language.terms import find_words
from tacit.search.agreement import CLEAR
from tacit.search.conflict_rules import is_live_statement

StatementPair = tuple[Memory, Memory]
"""An earlier and a later statement."""

ALIKE = 0.4
"""Statements whose vectors are less near are about different things."""

BEYOND_DOUBT = 0.85
"""From this likelihood on a written memory replaces an earlier written one."""

_LEAST_WORDS = 2
"""A sentence with fewer words that say something states nothing."""

_KEPT = 4_096


def is_own_statement(memory: Memory) -> bool:
    """Whether a memory is a person's statement, and not an event of the past.

    What is planned has an end; what has happened has none.
    """
    is_personal = memory.source in PERSONS and memory.trust is Trust.TRUSTED
    is_planned = memory.type is MemoryType.EVENT and memory.expires_at is not None
    return is_personal and (is_planned or is_live_statement(memory))


def may_follow(old: Memory, new: Memory) -> bool:
    """Whether one kind of person said both; what has two keys is about two things, or one."""
    return old.source is new.source and (old.key is None or new.key is None)


def is_replaced(old: Memory, new: Memory, likelihood: float) -> bool:
    """Whether later words take the place of an earlier memory that they so likely replace.

    What somebody wrote to be kept is replaced by another written memory only, and beyond doubt.
    What says several things is not replaced by news about one of them.
    """
    if says_several_things(old.content):
        return False
    if old.explicit:
        return new.explicit and likelihood >= BEYOND_DOUBT
    return likelihood >= CLEAR


@lru_cache(maxsize=_KEPT)
def says_several_things(text: str) -> bool:
    """Whether more than one sentence of a text states something."""
    return sum(map(_states_something, split_sentences(text))) > 1


def _states_something(sentence: str) -> bool:
    words = {word.casefold() for _, word in find_words(sentence)}
    return not is_question(sentence) and len(words - FUNCTION_WORDS) >= _LEAST_WORDS
