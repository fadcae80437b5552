"""Which memories speak about the same thing and do not say the same of it."""

from tacit.core.kinds import MemoryType
from tacit.core.memory import Memory
from tacit.language.statements.likeness import Likeness, compare

_HAPPENED = frozenset({MemoryType.EVENT, MemoryType.OBSERVATION})


def is_live_statement(memory: Memory) -> bool:
    """Whether it says how things are; what happened is not undone by what happened later."""
    return memory.type not in _HAPPENED


def are_rivals(first: Memory, second: Memory) -> bool:
    """Whether two memories cannot both be current: one key, or one thing with two values."""
    if first.key is not None and first.key == second.key:
        return compare(first.content, second.content) is not Likeness.REPEATS
    if first.key is not None and second.key is not None:
        return False
    if not (is_live_statement(first) and is_live_statement(second)):
        return False
    return compare(first.content, second.content) is Likeness.CONTRADICTS
