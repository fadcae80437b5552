"""The values of a key: a key has one current value, and a new statement replaces older ones."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.core.changes import AuditEntry, Review
from tacit.core.fields import check_field
from tacit.core.kinds import PERSONS, Action, Actor, Scope, State, Subject
from tacit.core.memory import Memory
from tacit.core.permissions import author_of
from tacit.statements.decision import Outcome, decide_value
from tacit.statements.precedence import id_pair
from tacit.store.conflict_links import load_compatible_pairs
from tacit.store.journal import SUCCESSOR
from tacit.store.query import Query
from tacit.writing.author import Author
from tacit.writing.draft import Status, Written

_MOST_VALUES = 1_000
_STATING = frozenset(
    {"content", "key", "scope", "scope_id", "agent", "confidence", "trust", "explicit"}
    | {"valid_from", "valid_to", "expires_at"}
)
"""A change of one of these fields states the value again."""

Moment = tuple[datetime, str]


@dataclass(frozen=True, slots=True)
class KeySlot:
    """The place of one current value: a key of one owner, seen by one agent or by all."""

    key: str
    scope: Scope
    scope_id: str
    agent: str | None

    @classmethod
    def of(cls, memory: Memory) -> Self | None:
        """The slot of a memory that has a key."""
        if memory.key is None:
            return None
        return cls(memory.key, memory.scope, memory.scope_id, memory.agent)

    def members(self, author: Author, state: State) -> list[Memory]:
        """The memories of this slot that have a state."""
        query = Query(
            now=author.now,
            state=state,
            key=self.key,
            scope=self.scope,
            scope_id=self.scope_id,
            limit=_MOST_VALUES,
        )
        return [each for each in author.unit.memories.find(query) if each.agent == self.agent]


def replace_older_values(author: Author, memory: Memory, status: Status) -> Written:
    """Let a memory that was just stated replace older values where it may.

    The others are queued for a person or stay in conflict. A value that is not valid now replaces
    nothing now.
    """
    slot = KeySlot.of(memory)
    if slot is None:
        return Written(memory=memory, status=status)
    superseded, review = _replace_conflicting(author, slot, memory)
    if memory.valid_to is not None or slot.members(author, State.FUTURE):
        plan_ends(author, slot)
        memory = author.existing(memory.id)
    return Written(memory=memory, status=status, superseded=superseded, review=review)


def apply_value_change(author: Author, before: Memory, after: Memory) -> Written:
    """Let an updated memory replace older values if the change states its value."""
    slot = KeySlot.of(before)
    if slot is not None and before.state(author.now) is State.FUTURE:
        plan_ends(author, slot)
    is_stated = any(getattr(before, name) != getattr(after, name) for name in _STATING)
    if not is_stated:
        return Written(memory=after, status=Status.UPDATED)
    return replace_older_values(author, after, Status.UPDATED)


def release_values(author: Author, memories: Collection[Memory]) -> None:
    """Extend values that were to end for one of these memories, which never became valid."""
    coming = [each for each in memories if each.state(author.now) is State.FUTURE]
    for slot in _slots_of(coming):
        plan_ends(author, slot)


def move_value(author: Author, before: Memory, after: Memory) -> None:
    """Plan the ends of values again after a memory got another owner."""
    release_values(author, [before])
    for slot in _slots_of([after]):
        plan_ends(author, slot)


def settle_slots(author: Author, slots: Collection[KeySlot]) -> None:
    """Keep one current value in each slot that got memories from elsewhere: the latest stated."""
    for _, ids in author.unit.claims.shared_keys():
        for slot in _slots_of(author.unit.memories.get(ids).values()):
            if slot in slots:
                _settle_slot(author, slot)
                plan_ends(author, slot)


def plan_ends(author: Author, slot: KeySlot) -> None:
    """End each value when one begins that may replace it, or else at its own end."""
    coming = slot.members(author, State.FUTURE)
    forgotten = [
        each for each in slot.members(author, State.FORGOTTEN) if _may_return(author, each)
    ]
    for memory in (*slot.members(author, State.LIVE), *coming, *forgotten):
        end, by = _own_end(author, memory), None
        successor = _find_successor(memory, coming, author.now)
        if successor is not None and (end is None or _start_of(successor) < end):
            end, by = _start_of(successor), successor.id
        if end != memory.valid_to:
            author.journal.plan_end(memory, end, by)


def _slots_of(memories: Iterable[Memory]) -> list[KeySlot]:
    """The slots of memories, each once."""
    slots = map(KeySlot.of, memories)
    return list(dict.fromkeys(slot for slot in slots if slot is not None))


def _replace_conflicting(
    author: Author, slot: KeySlot, memory: Memory
) -> tuple[tuple[str, ...], Review | None]:
    """Supersede what the memory replaces; queue what only a person may replace."""
    state = memory.state(author.now)
    if state not in (State.LIVE, State.FUTURE):
        return (), None
    superseded: list[str] = []
    review: Review | None = None
    others = slot.members(author, State.LIVE) + slot.members(author, State.FUTURE)
    settled = load_compatible_pairs(author.unit, [memory.id] if len(others) > 1 else ())
    for old in others:
        if old.id == memory.id or (not author.is_person and id_pair(old, memory) in settled):
            continue
        outcome = decide_value(old, memory, author.by)
        if outcome is Outcome.REPLACED and not author.may_replace(old):
            outcome = Outcome.REVIEW
        begins_alike = old.state(author.now) is state and (
            state is State.LIVE or old.valid_from == memory.valid_from
        )
        if outcome is Outcome.REPLACED and begins_alike:
            author.journal.supersede(old, memory, f"a newer value of {slot.key}")
            superseded.append(old.id)
        elif outcome is Outcome.REVIEW and old.state(author.now) is State.LIVE:
            review = author.journal.queue(Action.SUPERSEDE, old, {"superseded_by": memory.id})
    return tuple(superseded), review


def _settle_slot(author: Author, slot: KeySlot) -> None:
    standing: list[Memory] = []
    members = slot.members(author, State.LIVE)
    for new in sorted(members, key=lambda each: _stated_at(author, each)):
        for old in [*standing]:
            by = author_of(new)
            may_replace = by in PERSONS or not author.was_brought_back(old)
            if decide_value(old, new, by) is Outcome.REPLACED and may_replace:
                author.journal.supersede(old, new, f"a newer value of {slot.key}")
                standing.remove(old)
        standing.append(new)


def _stated_at(author: Author, memory: Memory) -> tuple[Moment, Moment]:
    """When a memory was last stated, or became valid if that was later."""
    rows = [row for row in author.unit.audit.of(memory.id) if _is_statement(row)]
    stated = (rows[-1].at, rows[-1].id) if rows else (memory.created_at, "")
    began = stated if memory.valid_from is None else (memory.valid_from, "")
    return max(stated, began), stated


def _is_statement(row: AuditEntry) -> bool:
    """Whether an audit row states the value; rows of erased memories have no values."""
    if row.subject is not Subject.MEMORY or row.new is None:
        return False
    if row.action is not Action.UPDATE:
        return row.action in (Action.INSERT, Action.RESTORE)
    said_by_somebody = row.by is not Actor.SYSTEM and SUCCESSOR not in row.new
    return said_by_somebody and not _STATING.isdisjoint(row.new)


def _find_successor(memory: Memory, coming: Collection[Memory], now: datetime) -> Memory | None:
    """The first memory that becomes valid later and may replace this one."""
    start = now if memory.valid_from is None else max(memory.valid_from, now)
    later = [
        each
        for each in coming
        if _start_of(each) > start
        and not any(end and end <= _start_of(each) for end in (each.valid_to, each.expires_at))
        and decide_value(memory, each, author_of(each)) is Outcome.REPLACED
    ]
    return min(later, key=lambda each: (_start_of(each), each.id), default=None)


def _start_of(coming: Memory) -> datetime:
    assert coming.valid_from is not None  # what is to come has a beginning
    return coming.valid_from


def _may_return(author: Author, forgotten: Memory) -> bool:
    """Whether a forgotten memory would be live or in the future if it were restored."""
    ended = forgotten.valid_to is not None and forgotten.valid_to <= author.now
    return forgotten.superseded_by is None and not ended


def _own_end(author: Author, memory: Memory) -> datetime | None:
    """The end that somebody gave a memory, whatever was planned for its key."""
    end = memory.valid_to
    if end is None:
        return None
    for row in reversed(author.unit.audit.of(memory.id)):
        new: Mapping[str, Any] = row.new or {}
        if row.subject is not Subject.MEMORY or "valid_to" not in new:
            continue
        if SUCCESSOR not in new:
            break
        end = check_field("valid_to", (row.old or {}).get("valid_to"))
    return end
