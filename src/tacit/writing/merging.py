"""Merging: of two memories that say nearly the same, one goes on for both."""

import unicodedata
from typing import Any

from tacit.core.fields import MAX_CONTENT_BYTES, MAX_TAGS
from tacit.core.kinds import Trust
from tacit.core.memory import IDENTITY_FIELDS, Memory, hash_content
from tacit.core.permissions import outranks
from tacit.language.statements.likeness import Likeness, compare, may_be_near_duplicates
from tacit.writing.author import Author

_ENDS = ".!?…。！？"
_MARKS = _ENDS + ",;:\"'()“”‘’«»、，"
_REASON = "says nearly the same"
_SAME = ("type", "scope", "scope_id", "agent", "valid_to", "expires_at")


def may_merge(one: Memory, other: Memory) -> bool:
    """Whether two memories whose vectors are nearly equal may become one.

    They belong to one owner, are of one type and were said by one speaker, hold for the same time,
    and nothing but wording tells them apart. Of two that a person wrote, none gives way, and no
    memory takes words that are less trusted than its own.
    """
    winner, loser = ranked(one, other)
    return (
        one.id != other.id
        and all(getattr(one, name) == getattr(other, name) for name in _SAME)
        and one.origin.speaker == other.origin.speaker
        and (one.trust is Trust.UNTRUSTED) == (other.trust is Trust.UNTRUSTED)
        and not outranks(loser, winner)
        and _may_give_way(loser, winner)
        and may_be_near_duplicates(one.content, other.content)
        and _fits(merged(winner, loser).get("content", ""))
        and "trust" not in merged(winner, loser)
    )


def ranked(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Which of two goes on, and which gives way: the more important one, else the newer.

    Before that counts whether a person wrote it, its trust, whether it is pinned, and whether it
    has a key.
    """
    first, second = sorted((one, other), key=_rank, reverse=True)
    return first, second


def merged(winner: Memory, loser: Memory) -> dict[str, Any]:
    """What changes in the memory that goes on; a person's own stays as it is.

    Words that come from both are believed as little as the less trusted of the two.
    """
    if winner.explicit:
        return {}
    content = _joined(winner.content, loser.content)
    wished = {
        "content": content,
        "importance": max(winner.importance, loser.importance),
        "tags": tuple(dict.fromkeys((*winner.tags, *loser.tags)))[:MAX_TAGS],
    }
    if content != winner.content:
        wished["trust"] = min(winner.trust, loser.trust, key=lambda trust: trust.rank)
    return {name: value for name, value in wished.items() if getattr(winner, name) != value}


def merge(author: Author, winner: Memory, loser: Memory) -> Memory | None:
    """Let one memory go on for both; the other is superseded by it.

    Returns the memory that goes on; if its words changed, it needs a new vector. Nothing is done
    where a third memory says the same, or what both say is too long for one.
    """
    changes = merged(winner, loser)
    if not _fits(changes.get("content", "")):
        return None
    parts = {name: changes.get(name, getattr(winner, name)) for name in IDENTITY_FIELDS}
    twin = author.unit.memories.same(hash_content(**parts))
    if twin is not None and twin.id not in (winner.id, loser.id):
        return None
    author.journal.supersede(loser, winner, _REASON)
    return author.journal.update(winner, **changes) if changes else winner


def _rank(memory: Memory) -> tuple[Any, ...]:
    standing = (memory.explicit, memory.trust.rank, memory.pinned, memory.key is not None)
    return (*standing, memory.importance, memory.created_at, memory.id)


def _may_give_way(loser: Memory, winner: Memory) -> bool:
    """Whether nothing is lost with a memory that its successor has not."""
    is_free = not loser.explicit and loser.key is None
    return is_free and (winner.pinned or not loser.pinned)


def _joined(first: str, second: str) -> str:
    """What both say, without saying it twice."""
    if compare(first, second) is Likeness.REPEATS or _folded(second) in _folded(first):
        return first
    if _folded(first) in _folded(second):
        return second
    said = first.rstrip()
    return f"{said}{'' if said.endswith(tuple(_ENDS)) else '.'} {second.lstrip()}"


def _folded(content: str) -> str:
    """The words of a text as they are compared, with spaces around each."""
    words = unicodedata.normalize("NFKC", content).casefold().split()
    return f" {' '.join(filter(None, (word.strip(_MARKS) for word in words)))} "


def _fits(content: str) -> bool:
    return len(content.encode()) <= MAX_CONTENT_BYTES
