"""Withdrawal: what was learned of a text that turned out to be somebody else's.

Who pastes a message says only afterwards whose it is. What was learned of it is forgotten then, and
what it replaced holds again; both are listed among the changes that memory made by itself. Where
nobody says so and it only seems so, it is kept, unverified, and a review makes it trusted again.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from tacit.core.changes import ChangeKind
from tacit.core.kinds import DOUBTED, STANDS, Action, Trust
from tacit.core.memory import Memory
from tacit.writing.author import Author
from tacit.writing.changes import load_changes
from tacit.writing.remember import restore_memory

_LATEST_CHANGES = 200
"""So many changes are looked at for what a text has replaced: it was said in the message before."""

_REASON = "the next message said that these are somebody else's words"

_ENDED = (ChangeKind.REPLACED, ChangeKind.MERGED)


def withdraw_memories(author: Author, learned: Mapping[str, datetime]) -> None:
    """Forget memories that were made of disowned words, said at these times, and undo their work.

    What was known before these words were said stays, and what a person wrote or confirmed.
    """
    withdrawn = _find_learned(author, learned)
    replaced = _find_replaced(author, withdrawn)
    for memory in withdrawn:
        author.journal.forget(memory, _REASON)
    for id in replaced:
        restore_memory(author, id)


def doubt_memories(author: Author, learned: Mapping[str, datetime]) -> None:
    """Trust memories no longer that were made of words which seem to be somebody else's.

    What they replaced holds again. A review waits that trusts them, as they were, and one that
    replaces with them what they had replaced.
    """
    doubted = _find_learned(author, learned)
    replaced = _find_replaced(author, doubted)
    for memory in doubted:
        left = {name: each for name, each in memory.metadata.items() if name != STANDS}
        metadata = {**left, DOUBTED: True}
        weaker = author.journal.update(memory, trust=Trust.UNVERIFIED, metadata=metadata)
        trusted = {"trust": Trust.TRUSTED, "metadata": dict(memory.metadata)}
        author.journal.queue(Action.UPDATE, weaker, trusted)
    for id, by in replaced.items():
        restored = restore_memory(author, id).memory
        author.journal.queue(Action.SUPERSEDE, restored, {"superseded_by": by})


def _find_learned(author: Author, learned: Mapping[str, datetime]) -> list[Memory]:
    """The memories that were made of words said at these times, or that such words confirmed."""
    return [
        memory
        for _, memory in sorted(author.unit.memories.get(list(learned)).items())
        if not memory.explicit
        and not memory.forgotten
        and memory.trust is Trust.TRUSTED
        and (memory.created_at >= learned[memory.id] or DOUBTED in memory.metadata)
    ]


def _find_replaced(author: Author, learned: Iterable[Memory]) -> dict[str, str]:
    """What memories have replaced, each with the one that did."""
    ids = {memory.id for memory in learned}
    if not ids:
        return {}
    changes, _ = load_changes(author.unit, author.now, None, _LATEST_CHANGES)
    return {
        each.memory.id: each.other.id
        for each in changes
        if each.kind in _ENDED
        and not each.undone
        and each.other is not None
        and each.other.id in ids
    }
