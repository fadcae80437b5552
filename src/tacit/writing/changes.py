"""Changes that memory made by itself: what they were, and how a person undoes one.

The audit log says what was superseded or forgotten without a person; what has expired is read from
the memories. An undone change is not made again: a restored memory is only replaced, merged or
forgotten by a person, or on review.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from tacit.core.changes import AuditEntry, Change, ChangeKind, ChangePlace
from tacit.core.errors import NotFound
from tacit.core.kinds import PERSONS, Action, Actor, State
from tacit.core.memory import Memory
from tacit.core.permissions import may_change
from tacit.store.journal import LIKELIHOOD, MERGED
from tacit.store.protocols.store import UnitOfWork
from tacit.writing.author import Author
from tacit.writing.draft import Status, Written
from tacit.writing.remember import restore_memory

_AUTOMATIC = (Action.SUPERSEDE, Action.FORGET)


def load_changes(
    unit: UnitOfWork, now: datetime, before: ChangePlace | None, limit: int
) -> tuple[list[Change], ChangePlace | None]:
    """A page of changes, latest first, and where the next page begins, if there may be one.

    What was erased, or forgotten since by a person, is left out.
    """
    entries = {row.id: row for row in unit.audit.automatic(before, limit)}
    expired = {each.id: each for each in unit.memories.expired(now, before, limit)}
    places = [(row.at, row.id) for row in entries.values()]
    places += [(each.expires_at, each.id) for each in expired.values() if each.expires_at]
    places = sorted(places, reverse=True)[:limit]
    chosen = [id for _, id in places]
    found = {
        each.id: each for each in _to_changes(unit, [entries[id] for id in chosen if id in entries])
    }
    found |= {id: _to_expiry(expired[id]) for id in chosen if id in expired}
    following = places[-1] if len(places) == limit else None
    return [found[id] for id in chosen if id in found], following


def load_change(unit: UnitOfWork, now: datetime, id: str) -> Change:
    """One change by its id; that of an expired memory is the memory's."""
    entry = unit.audit.get(id)
    if entry is not None and entry.by not in PERSONS and entry.action in _AUTOMATIC:
        for change in _to_changes(unit, [entry]):
            return change
    memory = unit.memories.get([id]).get(id)
    if memory is None or memory.explicit or memory.forgotten or not _has_expired(memory, now):
        raise change_not_found(id)
    return _to_expiry(memory)


def change_not_found(id: str) -> NotFound:
    """The error for what is no change that memory made, or one that the caller may not see."""
    return NotFound(f"there is no change {id} that memory made; tacit changes lists them")


def undo_change(author: Author, id: str) -> Written:
    """Let a memory hold again as it did before a change; what stands instead stays beside it."""
    change = load_change(author.unit, author.now, id)
    if change.undone:
        return Written(memory=change.memory, status=Status.UNCHANGED)
    if change.kind is not ChangeKind.EXPIRED:
        return restore_memory(author, change.memory.id)
    memory = change.memory
    if not may_change(memory, author.by):
        review = author.journal.queue(Action.RESTORE, memory, {})
        return Written(memory=memory, status=Status.QUEUED, review=review)
    has_ended = memory.valid_to is not None and memory.valid_to <= author.now
    ends = {"valid_to": None} if has_ended else {}
    restored = author.journal.restore(memory, expires_at=None, **ends)
    return Written(memory=restored, status=Status.RESTORED)


def _to_changes(unit: UnitOfWork, entries: Iterable[AuditEntry]) -> list[Change]:
    """The changes of audit rows whose memories are still there."""
    rows = [row for row in entries if row.new is not None]
    others = {row.id: (row.new or {}).get("superseded_by") for row in rows}
    named = {row.memory for row in rows} | {id for id in others.values() if id}
    known = unit.memories.get(sorted(named))
    replaced = [known[row.memory] for row in rows if row.memory in known and others[row.id]]
    said_again = unit.memories.same_as([each.content_hash for each in replaced])
    return [
        _to_change(row, known[row.memory], known.get(others[row.id] or ""), said_again)
        for row in rows
        if row.memory in known
        and not (row.action is Action.SUPERSEDE and known[row.memory].forgotten)
    ]


def _to_change(
    row: AuditEntry, memory: Memory, other: Memory | None, said_again: Mapping[bytes, Memory]
) -> Change:
    new = row.new or {}
    if row.action is Action.FORGET:
        kind, undone = ChangeKind.HIDDEN, not memory.forgotten
    else:
        kind = ChangeKind.MERGED if new.get(MERGED) else ChangeKind.REPLACED
        is_still = memory.superseded_by == new.get("superseded_by")
        undone = not is_still or memory.content_hash in said_again
    likelihood = new.get(LIKELIHOOD)
    return Change(
        id=row.id,
        kind=kind,
        at=row.at,
        by=row.by,
        memory=memory,
        other=None if other is None or other.forgotten else other,
        reason=str(new.get("reason") or _DEFAULT_REASONS[kind].format(who=_name_actor(row.by))),
        likelihood=None if likelihood is None else float(likelihood),
        undone=undone,
    )


_DEFAULT_REASONS = {
    ChangeKind.REPLACED: "{who} stated something newer",
    ChangeKind.MERGED: "{who} found that both say the same",
    ChangeKind.HIDDEN: "{who} took it back",
}


def _name_actor(by: Actor) -> str:
    return "memory" if by is Actor.SYSTEM else f"the {by}"


def _to_expiry(memory: Memory) -> Change:
    assert memory.expires_at is not None  # only what has expired is asked about
    return Change(
        id=memory.id,
        kind=ChangeKind.EXPIRED,
        at=memory.expires_at,
        by=Actor.SYSTEM,
        memory=memory,
        reason=f"it was to hold until {memory.expires_at:%Y-%m-%d %H:%M} UTC",
    )


def _has_expired(memory: Memory, now: datetime) -> bool:
    is_past = memory.state(now) is State.PAST and memory.superseded_by is None
    return is_past and memory.expires_at is not None and memory.expires_at <= now
