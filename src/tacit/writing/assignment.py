"""Assigning memories to another owner.

A statement stays one memory, and a key keeps one current value.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Self

from tacit.core.fields import MAX_TAGS
from tacit.core.json_value import JsonValue
from tacit.core.kinds import Action, State
from tacit.core.memory import IDENTITY_FIELDS, Memory, hash_content
from tacit.core.permissions import may_change, may_revive, outranks
from tacit.statements.decision import Outcome, decide_value
from tacit.statements.precedence import age_of
from tacit.writing.author import Author
from tacit.writing.draft import Status, Written
from tacit.writing.key_values import KeySlot, move_value
from tacit.writing.remember import find_forgetter

_PERIOD = ("valid_from", "valid_to", "expires_at", "forgotten")
_STANDING = {State.LIVE: 3, State.FUTURE: 2, State.PAST: 1, State.FORGOTTEN: 0}
_SAME = "the new owner has a memory that says the same"
_OUTDATED = "the new owner has another value of this key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment(JsonValue):
    """How many memories were assigned to a user, or would be in a dry run.

    Each is counted once: `assigned`; `merged` into a memory of the user that says the same;
    `outdated`, because the user has another current value of its key; `queued` for a person; or
    `unchanged`. `superseded` are values of the user that an assigned one replaced. `episodes` went
    along. `next` is the id to go on after if a limit was reached.
    """

    user: str
    assigned: Annotated[int, "They are the user's now."] = 0
    merged: Annotated[int, "The user has a memory that says the same; it goes on."] = 0
    outdated: Annotated[int, "The user has another current value of the key."] = 0
    queued: Annotated[int, "Only a person may do this; it waits for one."] = 0
    unchanged: Annotated[int, "They were the user's already."] = 0
    superseded: Annotated[int, "Values of the user's keys that were replaced."] = 0
    episodes: Annotated[int, "What was said goes along where all memories do."] = 0
    dry_run: bool = False
    next: Annotated[str | None, "Goes back as `after` to go on; null at the end."] = None

    @classmethod
    def of(cls, user: str, written: Iterable[Written], *, dry_run: bool = False) -> Self:
        """Count results."""
        done = list(written)
        counts: dict[str, Any] = Counter(_COUNTED[each.status] for each in done)
        superseded = sum(len(each.superseded) for each in done)
        return cls(user=user, superseded=superseded, dry_run=dry_run, **counts)

    @property
    def total(self) -> int:
        """How many memories were processed."""
        return self.assigned + self.merged + self.outdated + self.queued + self.unchanged

    @property
    def lines(self) -> list[str]:
        """The result in words, one line for each count that is not zero."""
        counts = {name: getattr(self, name) for name in _WORDS}
        lines = [
            words.format(count=_describe_count(counts[name]), user=self.user)
            for name, words in _WORDS.items()
            if counts[name]
        ]
        said = f"{self.episodes:,} {'episode' if self.episodes == 1 else 'episodes'}"
        return [*lines, f"{said} assigned to {self.user}"] if self.episodes else lines

    def __add__(self, later: Self) -> Self:
        sums = {name: getattr(self, name) + getattr(later, name) for name in _COUNTS}
        return replace(self, next=later.next, **sums)


_COUNTED = {
    Status.UPDATED: "assigned",
    Status.KNOWN: "merged",
    Status.SUPERSEDED: "outdated",
    Status.QUEUED: "queued",
    Status.UNCHANGED: "unchanged",
}
_WORDS = {
    "assigned": "{count} assigned to {user}",
    "merged": "{count} merged into what {user} has, which says the same",
    "outdated": "{count} assigned as past: {user} has another current value of the key",
    "superseded": "{count} of {user} replaced by a newer value of the key",
    "queued": "{count} waiting for a person at the reviews",
    "unchanged": "{count} left alone: {user} has them already",
}
_COUNTS = (*_COUNTED.values(), "superseded", "episodes")


def _describe_count(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _AssignmentPlan:
    """What an assignment changes: the memory, its twin, and older values of its key."""

    status: Status
    memory: Memory
    successor: Memory | None = None
    gains: Mapping[str, Any] = field(default_factory=dict)
    """What the successor, which says the same, takes over."""

    superseded: tuple[Memory, ...] = ()


def plan_assignment(author: Author, memory: Memory, user: str) -> Written:
    """Return what `assign_owner` would do, and write nothing."""
    plan = _plan_one(author, memory, user)
    ids = tuple(each.id for each in plan.superseded)
    return Written(memory=memory, status=plan.status, superseded=ids)


def assign_owner(author: Author, memory: Memory, user: str) -> Written:
    """Give a memory another owner of its scope, with one audit row for each memory that changes."""
    plan = _plan_one(author, memory, user)
    if plan.status is Status.UNCHANGED:
        return Written(memory=memory, status=plan.status)
    if plan.status is Status.QUEUED:
        review = author.journal.queue(Action.UPDATE, memory, {"scope_id": user})
        return Written(memory=memory, status=plan.status, review=review)
    current = plan.successor or memory
    if plan.successor is not None and plan.gains:
        current = _grow_twin(author, plan.successor, plan.gains)
    for old in plan.superseded:  # first, so that the key never has two values
        author.journal.supersede(old, current)
    if plan.successor is None:
        moved = author.journal.assign(memory, user)
    else:
        reason = _SAME if plan.status is Status.KNOWN else _OUTDATED
        moved = author.journal.supersede(memory, current, reason, scope_id=user)
    move_value(author, memory, moved)
    ids = tuple(each.id for each in plan.superseded)
    return Written(memory=author.existing(moved.id), status=plan.status, superseded=ids)


def _plan_one(author: Author, memory: Memory, user: str) -> _AssignmentPlan:
    """Read what the user has already, and decide."""
    if memory.scope_id == user:
        return _AssignmentPlan(status=Status.UNCHANGED, memory=memory)
    queued = _AssignmentPlan(status=Status.QUEUED, memory=memory)
    if not may_change(memory, author.by):
        return queued
    if memory.superseded_by is not None:
        return _AssignmentPlan(status=Status.UPDATED, memory=memory)
    moved = replace(memory, scope_id=user)
    twin = author.unit.memories.same(_identity(moved))
    rivals = _find_rivals(author, moved, twin)
    stronger = [each for each in rivals if not _is_current(moved, each)]
    if stronger:
        best = max(stronger, key=age_of)
        return _AssignmentPlan(status=Status.SUPERSEDED, memory=memory, successor=best)
    if not all(may_change(each, author.by) for each in rivals):
        return queued
    if twin is None:
        return _AssignmentPlan(status=Status.UPDATED, memory=memory, superseded=rivals)
    may = may_revive(twin, find_forgetter(author, twin), author.by)
    if _is_revival(author, memory, twin) and not may:
        return queued
    gains = _find_gains(author, memory, twin)
    return _AssignmentPlan(
        status=Status.KNOWN, memory=memory, successor=twin, gains=gains, superseded=rivals
    )


def _identity(memory: Memory) -> bytes:
    return hash_content(**{name: getattr(memory, name) for name in IDENTITY_FIELDS})


def _find_rivals(author: Author, moved: Memory, twin: Memory | None) -> tuple[Memory, ...]:
    """The user's other values of the same key that are valid at the same time."""
    slot, state = KeySlot.of(moved), moved.state(author.now)
    if slot is None or state not in (State.LIVE, State.FUTURE):
        return ()
    known = {moved.id, twin.id if twin else ""}
    found = [each for each in slot.members(author, state) if each.id not in known]
    begins_alike = state is State.LIVE
    return tuple(each for each in found if begins_alike or each.valid_from == moved.valid_from)


def _is_current(moved: Memory, rival: Memory) -> bool:
    """Whether the assigned memory is the current one: the newer, unless it is weaker.

    Of two that people wrote, the newer one is current, however sure they were.
    """
    old, new = sorted((moved, rival), key=age_of)
    is_weaker = outranks(old, new) or decide_value(old, new, new.source) is Outcome.CONFLICT
    keeps_old = is_weaker and not (old.explicit and new.explicit)
    return (old if keeps_old else new) is moved


def _is_revival(author: Author, memory: Memory, twin: Memory) -> bool:
    """Whether a valid or future memory meets a twin that is valid later or no more."""
    own, other = (_STANDING[each.state(author.now)] for each in (memory, twin))
    return own > other and own >= _STANDING[State.FUTURE]


def _find_gains(author: Author, memory: Memory, twin: Memory) -> dict[str, Any]:
    """What the twin takes over, so that nothing is lost with the memory that ends."""
    ends: dict[str, Any] = {}
    if _is_revival(author, memory, twin):
        ends = {name: getattr(memory, name) for name in _PERIOD}
    wished = {
        "importance": max(memory.importance, twin.importance),
        "pinned": memory.pinned or twin.pinned,
        "tags": tuple(dict.fromkeys((*twin.tags, *memory.tags)))[:MAX_TAGS],
    }
    if memory.explicit and not twin.explicit:
        wished |= {"explicit": True, "trust": memory.trust, "confidence": memory.confidence}
    may_grow = may_change(twin, author.by)
    wished = ends | (wished if may_grow else {})
    return {name: value for name, value in wished.items() if getattr(twin, name) != value}


def _grow_twin(author: Author, twin: Memory, gains: Mapping[str, Any]) -> Memory:
    """Update the twin with what it takes over; a forgotten or ended one is restored."""
    if not gains.keys().isdisjoint(_PERIOD):
        changes = {name: value for name, value in gains.items() if name != "forgotten"}
        return author.journal.restore(twin, **changes)
    return author.journal.update(twin, **gains)
