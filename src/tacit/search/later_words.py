"""The rules about a person's later words, wherever two of their statements are compared."""

from tacit.core.kinds import PERSONS, Trust
from tacit.core.memory import Memory
from tacit.search.agreement import CLEAR
from tacit.search.conflict_rules import is_live_statement

ALIKE = 0.4
"""Statements whose vectors are less near are about different things."""

BEYOND_DOUBT = 0.8
"""From this likelihood on a written memory replaces an earlier written one."""


def is_own_statement(memory: Memory) -> bool:
    """Whether a memory is a person's statement, and not an event of the past."""
    is_personal = memory.source in PERSONS and memory.trust is Trust.TRUSTED
    return is_personal and is_live_statement(memory)


def may_follow(old: Memory, new: Memory) -> bool:
    """Whether one kind of person said both; what has two keys is about two things, or one."""
    return old.source is new.source and (old.key is None or new.key is None)


def is_replaced(old: Memory, new: Memory, likelihood: float) -> bool:
    """Whether later words take the place of an earlier memory that they so likely replace.

    What somebody wrote to be kept is replaced by another written memory only, and beyond doubt.
    """
    if old.explicit:
        return new.explicit and likelihood >= BEYOND_DOUBT
    return likelihood >= CLEAR
