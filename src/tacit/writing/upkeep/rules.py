"""The rules of maintenance: when a memory is forgotten, merged with another, or linked to it."""

import unicodedata
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from tacit.core.fields import MAX_CONTENT_BYTES, MAX_TAGS
from tacit.core.kinds import PERSONS, Action, MemoryType, Relation, Scope, Trust
from tacit.core.memory import IDENTITY_FIELDS, Association, Memory, hash_content
from tacit.core.permissions import outranks
from tacit.language.sentences import ends_sentence
from tacit.settings.writing import UpkeepSettings
from tacit.statements.comparison import Comparison, compare_texts, may_be_near_duplicates
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.writing.author import Author

# Merging


_MARKS = ".!?…。！？,;:\"'()“”‘’«»、，"
_SAME = ("type", "scope", "scope_id", "agent", "valid_to", "expires_at")


def is_mergeable(one: Memory, other: Memory) -> bool:
    """Whether two memories with nearly equal vectors may become one.

    They have the same owner, type, speaker, author and validity, and differ only in wording. Of
    two that a person wrote, neither is given up, and no memory takes words that are less trusted
    than its own.
    """
    winner, loser = rank_pair(one, other)
    return (
        one.id != other.id
        and all(getattr(one, name) == getattr(other, name) for name in _SAME)
        and one.origin.speaker == other.origin.speaker
        and one.origin.author == other.origin.author
        and (one.trust is Trust.UNTRUSTED) == (other.trust is Trust.UNTRUSTED)
        and not outranks(loser, winner)
        and _is_covered_by(loser, winner)
        and may_be_near_duplicates(one.content, other.content)
        and _is_short_enough(find_merge_changes(winner, loser).get("content", ""))
        and "trust" not in find_merge_changes(winner, loser)
    )


def were_kept_apart(one: Memory, other: Memory, edges: Iterable[Association]) -> bool:
    """Whether somebody declared that both are right, as whoever undoes a merge does."""
    ends = {one.id, other.id}
    return any(
        edge.relation is Relation.COMPATIBLE_WITH and {edge.source, edge.target} == ends
        for edge in edges
    )


def rank_pair(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Which of two stays and which is superseded: the more important, else the newer stays.

    What counts first is whether a person wrote it, its trust, whether it is pinned, and whether it
    has a key.
    """
    first, second = sorted((one, other), key=_rank, reverse=True)
    return first, second


def find_merge_changes(winner: Memory, loser: Memory) -> dict[str, Any]:
    """What changes in the memory that stays; a person's own stays as it is.

    Content from both has the lower trust of the two.
    """
    if winner.explicit:
        return {}
    content = _join_contents(winner.content, loser.content)
    wished = {
        "content": content,
        "importance": max(winner.importance, loser.importance),
        "tags": tuple(dict.fromkeys((*winner.tags, *loser.tags)))[:MAX_TAGS],
    }
    if content != winner.content:
        wished["trust"] = min(winner.trust, loser.trust, key=lambda trust: trust.rank)
    return {name: value for name, value in wished.items() if getattr(winner, name) != value}


def merge_memories(author: Author, winner: Memory, loser: Memory, reason: str) -> Memory | None:
    """Merge two memories; the second is superseded by the first.

    Returns the memory that stays, which needs a new vector if its content changed; None if a third
    memory says the same, or the joined content is too long.
    """
    changes = find_merge_changes(winner, loser)
    if not _is_short_enough(changes.get("content", "")):
        return None
    parts = {name: changes.get(name, getattr(winner, name)) for name in IDENTITY_FIELDS}
    twin = author.unit.memories.same(hash_content(**parts))
    if twin is not None and twin.id not in (winner.id, loser.id):
        return None
    author.journal.supersede(loser, winner, reason, is_merge=True)
    return author.journal.update(winner, **changes) if changes else winner


def _rank(memory: Memory) -> tuple[Any, ...]:
    standing = (memory.explicit, memory.trust.rank, memory.pinned, memory.key is not None)
    return (*standing, memory.importance, memory.created_at, memory.id)


def _is_covered_by(loser: Memory, winner: Memory) -> bool:
    """Whether nothing is lost with a memory that its successor has not."""
    is_free = not loser.explicit and loser.key is None
    return is_free and (winner.pinned or not loser.pinned)


def _join_contents(first: str, second: str) -> str:
    """Join two contents without repeating what both say."""
    if compare_texts(first, second) is Comparison.REPEATS or _fold_words(second) in _fold_words(
        first
    ):
        return first
    if _fold_words(first) in _fold_words(second):
        return second
    said = first.rstrip()
    return f"{said}{'' if ends_sentence(said) else '.'} {second.lstrip()}"


def _fold_words(content: str) -> str:
    """The words of a text for comparison, with spaces around each."""
    words = unicodedata.normalize("NFKC", content).casefold().split()
    return f" {' '.join(filter(None, (word.strip(_MARKS) for word in words)))} "


def _is_short_enough(content: str) -> bool:
    return len(content.encode()) <= MAX_CONTENT_BYTES


# Decay: importance fades as it is read, and is never written


_LOSS_PER_DAY = 0.05
_MOST_LOSS = 0.5
_LATELY = timedelta(days=7)
_LONG_AGO = timedelta(days=30)
_USED_LATELY = 1.1
_UNUSED_FOR_LONG = 0.9
_DAY = timedelta(days=1)


def effective_importance(memory: Memory, now: datetime) -> float:
    """The importance left at a moment; identity and what a person wrote do not fade."""
    if memory.explicit or memory.type is MemoryType.IDENTITY:
        return memory.importance
    days = max((now - memory.updated_at) / _DAY, 0.0)
    left = 1 - min(days * _LOSS_PER_DAY, _MOST_LOSS)
    return memory.importance * left * _usage_bonus(memory, now)


def _usage_bonus(memory: Memory, now: datetime) -> float:
    """What use adds or subtracts; a memory never used counts as unused since it was written."""
    used = memory.last_accessed_at
    if used is not None and now - used <= _LATELY:
        return _USED_LATELY
    return _UNUSED_FOR_LONG if now - (used or memory.created_at) > _LONG_AGO else 1.0


# Linking


MOST_LINKS = 5
"""A memory has at most this many links; more would say nothing."""


def is_relatable(one: Memory, other: Memory) -> bool:
    """Whether two memories may be linked: never those of two users."""
    is_of_users = one.scope is Scope.USER and other.scope is Scope.USER
    return one.id != other.id and not (is_of_users and one.scope_id != other.scope_id)


def has_room_for_link(one: Memory, other: Memory, edges: Iterable[Association]) -> bool:
    """Whether two memories are not linked yet, and neither has too many links."""
    counts = {one.id: 0, other.id: 0}
    for edge in edges:
        ends = {edge.source, edge.target}
        if ends == counts.keys():
            return False
        if edge.relation is Relation.RELATED_TO:
            counts |= {id: counts[id] + 1 for id in ends & counts.keys()}
    return max(counts.values()) < MOST_LINKS


def build_association(one: Memory, other: Memory, cosine: float) -> Association:
    """The link between two memories, from the newer one."""
    source, target = max(one.id, other.id), min(one.id, other.id)
    return Association(source=source, target=target, weight=round(min(cosine, 1.0), 4))


# Forgetting


_MANY = 1_000


def has_faded(memory: Memory, now: datetime, settings: UpkeepSettings) -> bool:
    """Whether an old memory has so little importance left that nobody would miss it."""
    if memory.explicit or memory.pinned:
        return False
    is_old = now - memory.created_at > timedelta(days=settings.prune_after_days)
    return is_old and effective_importance(memory, now) < settings.prune_below


def is_prunable(
    unit: UnitOfWork,
    memory: Memory,
    now: datetime,
    settings: UpkeepSettings,
    gone: Collection[str] = (),
) -> bool:
    """Whether a faded memory may be forgotten; memories that are `gone` hold no key."""
    return (
        has_faded(memory, now, settings)
        and not _was_restored(unit, memory, now, settings)
        and not _is_only_holder(unit, memory, now, gone)
    )


def _was_restored(
    unit: UnitOfWork, memory: Memory, now: datetime, settings: UpkeepSettings
) -> bool:
    """Whether a person restored it, or anybody did lately."""
    lately = now - timedelta(days=settings.prune_after_days)
    return any(
        entry.by in PERSONS or entry.at > lately
        for entry in unit.audit.of(memory.id)
        if entry.action is Action.RESTORE
    )


def _is_only_holder(unit: UnitOfWork, memory: Memory, now: datetime, gone: Collection[str]) -> bool:
    """Whether it is the only memory of its owner with its key."""
    if memory.key is None:
        return False
    query = Query(
        now=now, key=memory.key, scope=memory.scope, scope_id=memory.scope_id, limit=_MANY
    )
    return not any(
        other.id != memory.id and other.id not in gone and other.agent == memory.agent
        for other in unit.memories.find(query)
    )
