"""Who may change what: a person's own words are changed by a person only."""

from enum import Enum, auto

from tacit.memory import PERSONS, Actor, Memory


class Succession(Enum):
    """What a new statement does to an older one that has its key."""

    SUPERSEDE = auto()
    REVIEW = auto()
    CONFLICT = auto()


def may_change(memory: Memory, by: Actor) -> bool:
    """Whether `by` may edit, supersede or forget a memory without asking a person."""
    return by in PERSONS or not memory.explicit


def may_revive(memory: Memory, forgotten_by: Actor, by: Actor) -> bool:
    """Whether `by` may bring back what was forgotten: what a person forgot, only a person."""
    return by in PERSONS or (not memory.explicit and forgotten_by not in PERSONS)


def speaker_of(memory: Memory) -> Actor:
    """Who stands behind a memory's words: a person only where one wrote them."""
    return Actor.USER if memory.explicit else Actor.SYSTEM


def succession(old: Memory, new: Memory, by: Actor) -> Succession:
    """Decide between two live statements with one key in one scope; the newer is `new`."""
    if new.confidence < old.confidence or new.trust.rank < old.trust.rank:
        return Succession.CONFLICT
    return Succession.SUPERSEDE if may_change(old, by) else Succession.REVIEW
