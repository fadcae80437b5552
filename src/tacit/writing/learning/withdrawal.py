"""Withdrawal: what was learned of a text that turned out to be somebody else's.

Who pastes a message says only afterwards whose it is. What was learned of it is forgotten then, and
what it replaced holds again; both are listed among the changes that memory made by itself.
"""

from collections.abc import Mapping
from datetime import datetime

from tacit.core.changes import ChangeKind
from tacit.core.kinds import Trust
from tacit.writing.author import Author
from tacit.writing.changes import load_changes
from tacit.writing.remember import restore_memory

_LATEST_CHANGES = 200
"""So many changes are looked at for what a text has replaced: it was said in the message before."""

_REASON = "the next message said that these are somebody else's words"


def withdraw_memories(author: Author, learned: Mapping[str, datetime]) -> None:
    """Forget memories that were made of disowned words, said at these times, and undo their work.

    What was known before these words were said stays, and what a person wrote or confirmed.
    """
    withdrawn = {
        memory.id
        for memory in author.unit.memories.get(list(learned)).values()
        if not memory.explicit
        and not memory.forgotten
        and memory.trust is Trust.TRUSTED
        and memory.created_at >= learned[memory.id]
    }
    if not withdrawn:
        return
    changes, _ = load_changes(author.unit, author.now, None, _LATEST_CHANGES)
    replaced = [
        each.memory.id
        for each in changes
        if each.kind is ChangeKind.REPLACED
        and not each.undone
        and each.other is not None
        and each.other.id in withdrawn
    ]
    for memory in author.unit.memories.get(sorted(withdrawn)).values():
        author.journal.forget(memory, _REASON)
    for id in replaced:
        restore_memory(author, id)
