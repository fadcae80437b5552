"""The rules about a person's later words: what is compared, and what replaces what.

Those who compare statements when they are written and the turns that use it share them.
"""

from functools import lru_cache

from tacit.core.episodes import is_episode_id
from tacit.core.kinds import PERSONS, TURN, MemoryType, Scope, Trust
from tacit.core.memory import Memory
from tacit.language.languages import FUNCTION_WORDS
from tacit.language.sentences import is_question, split_sentences
from tacit.language.terms import find_words
from tacit.search.agreement import CLEAR, find_common_words
from tacit.search.authorship import stands_against
from tacit.search.conflict_rules import is_live_statement
from tacit.store.episodes import only_asks

StatementPair = tuple[Memory, Memory]
"""An earlier and a later statement."""

ALIKE = 0.4
"""Statements whose vectors are less near are about different things."""

AKIN = 0.2
"""Statements are compared from this likeness on, if they share a word that says something."""

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
    return is_personal and (is_planned or is_live_statement(memory)) and not only_asks(memory)


def may_follow(old: Memory, new: Memory) -> bool:
    """Whether one kind of person said both, on two occasions, and not about two projects.

    What has two keys is about two things, or one; the key of an episode only tells messages apart.
    """
    keyed = [each for each in (old, new) if each.key and not is_episode_id(each.id)]
    if old.source is not new.source or len(keyed) > 1 or is_one_saying(old, new):
        return False
    if stands_against(old, new):
        return False
    return len({project_of(old), project_of(new)} - {""}) <= 1


def may_meet(one: Memory, other: Memory) -> bool:
    """Whether some turn sees both: two users, projects or agents see different things."""
    if one.scope is other.scope and one.scope_id != other.scope_id:
        return False
    agents = {each.agent for each in (one, other) if each.agent and not is_episode_id(each.id)}
    return len(agents) <= 1


def is_one_saying(old: Memory, new: Memory) -> bool:
    """Whether one of two was learned from what the other is: the words of the same turn."""
    is_either = is_episode_id(old.id) is not is_episode_id(new.id)
    return is_either and old.metadata.get(TURN) == new.metadata.get(TURN)


def is_alike(old: Memory, new: Memory, likeness: float) -> bool:
    """Whether two statements may be about the same thing."""
    if likeness >= ALIKE:
        return True
    return likeness >= AKIN and bool(find_common_words(old.content, new.content))


def project_of(memory: Memory) -> str:
    """The project that a memory or an episode is limited to; empty for none."""
    if is_episode_id(memory.id):
        return memory.agent or ""
    return memory.scope_id if memory.scope is Scope.PROJECT else ""


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
