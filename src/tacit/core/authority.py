"""Who may change what, and whose word counts more: a person's own words are a person's to change.

Words that a person stands behind are trusted: written by a memory call they are explicit as well,
learned from what was said they are not.
"""

from enum import Enum, auto

from tacit.core.memory.kinds import PERSONS, Actor, Trust
from tacit.core.memory.record import Memory


class Succession(Enum):
    """What a new statement does to an older one that has its key."""

    SUPERSEDE = auto()
    REVIEW = auto()
    CONFLICT = auto()


def may_change(memory: Memory, by: Actor) -> bool:
    """Whether `by` may edit, supersede or forget a memory without asking a person.

    What was learned from a person's words Tacit itself may replace by later ones, and nobody else.
    """
    return by in PERSONS or not (memory.explicit or _is_anothers(memory, by))


def may_revive(memory: Memory, forgotten_by: Actor, by: Actor) -> bool:
    """Whether `by` may bring back what was forgotten: what a person forgot, only a person."""
    return may_change(memory, by) and (by in PERSONS or forgotten_by not in PERSONS)


def outranks(one: Memory, other: Memory) -> bool:
    """Whether one's words count more whatever the confidence: a person's before anybody else's."""
    return one.trust.rank > other.trust.rank


def speaker_of(memory: Memory) -> Actor:
    """Who stands behind a memory's words: a person only where one wrote them."""
    return Actor.USER if memory.explicit else Actor.SYSTEM


def succession(old: Memory, new: Memory, by: Actor) -> Succession:
    """Decide between two live statements with one key in one scope; the newer is `new`."""
    if outranks(old, new):
        is_wish = old.trust is Trust.TRUSTED and new.trust is not Trust.UNTRUSTED
        return Succession.REVIEW if is_wish else Succession.CONFLICT
    if new.confidence < old.confidence and not outranks(new, old):
        return Succession.CONFLICT
    return Succession.SUPERSEDE if may_change(old, by) else Succession.REVIEW


def _is_anothers(memory: Memory, by: Actor) -> bool:
    return memory.trust is Trust.TRUSTED and by is not Actor.SYSTEM
