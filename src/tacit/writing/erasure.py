"""Erasure: memories, sessions and owners with every trace of their words, and the receipt of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from tacit.core.changes import Review
from tacit.core.errors import InvalidInput
from tacit.core.kinds import PERSONS, Actor, Owner, Scope, Sort
from tacit.core.memory import Memory
from tacit.core.open_turn import CapturedTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session
from tacit.store.journal import collect_texts
from tacit.store.query import Query
from tacit.writing.author import Author
from tacit.writing.key_values import release_values

# The receipt of an erasure: of a memory, of an owner, of a session, or by filters.


ERASED_KINDS = (
    "memories",
    "associations",
    "audit_values",
    "reviews",
    "blocks",
    "ledger",
    "heard",
    "variables",
    "chat_entries",
    "turns",
    "receipts",
    "sessions",
)
"""What is counted, in the order in which it is told.

`turns` are those that had not ended; `receipts` also those that lost only terms of their context.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """How much of each kind went, or would in a dry run, and what could not be reached.

    A dry run counts no associations, values of the history and chat entries, and of the blocks and
    the ledger only what is of the sessions that go.
    """

    removed: Mapping[str, int]
    not_reached: tuple[str, ...] = ()
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "removed": dict(self.removed),
            "not_reached": list(self.not_reached),
            "dry_run": self.dry_run,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            removed=dict(values["removed"]),
            not_reached=tuple(values["not_reached"]),
            dry_run=values["dry_run"],
        )


@dataclass(slots=True)
class EraseTally:
    """What an erasure has done so far."""

    counts: Counter[str] = field(default_factory=Counter)
    not_reached: dict[str, None] = field(default_factory=dict)

    def add(self, kind: str, count: int) -> None:
        """Count what went of one kind."""
        self.counts[kind] += count

    def miss(self, *places: str) -> None:
        """Note what could not be reached, each once."""
        self.not_reached |= dict.fromkeys(places)

    def sweep(self, *, dry_run: bool) -> Sweep:
        """All of it as a receipt."""
        removed = {kind: self.counts[kind] for kind in ERASED_KINDS}
        return Sweep(removed=removed, not_reached=tuple(self.not_reached), dry_run=dry_run)


# Erasure: memories and every trace of their words, gone for good.


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The receipt of one memory: how much of each kind went, and what could not be reached."""

    memory: str
    removed: Mapping[str, int]
    not_reached: tuple[str, ...] = ()

    @classmethod
    def of(cls, memory: str, sweep: Sweep) -> Self:
        """The receipt of an erasure that aimed at one memory."""
        return cls(memory=memory, removed=sweep.removed, not_reached=sweep.not_reached)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "memory": self.memory,
            "removed": dict(self.removed),
            "not_reached": list(self.not_reached),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            memory=values["memory"],
            removed=dict(values["removed"]),
            not_reached=tuple(values["not_reached"]),
        )


def erase_memories(author: Author, memories: Sequence[Memory], reach: Viewer) -> dict[str, int]:
    """Remove memories with all that is kept of them and all within reach that holds their texts.

    Says how much of each kind went.
    """
    require_person(author.by)
    texts = {text for memory in memories for text in collect_texts(author.unit, memory)}
    gone = author.journal.erase(memories, texts, reach)
    release_values(author, memories)
    return gone


def require_person(by: Actor) -> None:
    """Refuse who is no person."""
    if by not in PERSONS:
        raise InvalidInput("by", f"only a person can erase; the {by} can forget instead")


# What an erasure of many things aims at.


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseTarget:
    """Memories by their ids or filters, the turns that were asked as an owner, whole sessions.

    Of all that, and of what holds the words of what goes, only what is within `reach` is meant.
    """

    memories: tuple[Query, ...] = ()
    ids: tuple[str, ...] = ()
    owner: Owner | None = None
    sessions: frozenset[str] = frozenset()
    reach: Viewer = UNBOUND

    @classmethod
    def of_memory(cls, id: str, reach: Viewer) -> Self:
        """One memory, in whatever state."""
        return cls(ids=(id,), reach=reach)

    @classmethod
    def matching(cls, filters: Mapping[str, Any], now: datetime, reach: Viewer) -> Self:
        """Memories only."""
        return cls(memories=(Query(**filters, now=now, sort=Sort.CREATED),), reach=reach)

    @classmethod
    def of_session(cls, session: str, now: datetime, reach: Viewer) -> Self:
        """What was said in a session, whosever it is, what is the session's own, and all of it."""
        said = Query(now=now, state=None, session=session, sort=Sort.CREATED)
        own = _owned(((Scope.SESSION, session),), now)
        return cls(memories=(said, own), sessions=frozenset([session]), reach=reach)

    @classmethod
    def of_owner(cls, owner: Owner, sessions: frozenset[str], now: datetime, reach: Viewer) -> Self:
        """What an owner has, the turns that were asked as the owner, and sessions of theirs."""
        own = ((Scope.SESSION, session) for session in sorted(sessions))
        owners = tuple(dict.fromkeys((owner, *own)))
        own_memories = (_owned(owners, now),)
        return cls(memories=own_memories, owner=owner, sessions=sessions, reach=reach)

    @property
    def user(self) -> str | None:
        """The user that is the owner; empty for the one without a name."""
        return self.owner[1] if self.owner is not None and self.owner[0] is Scope.USER else None

    @property
    def includes_turns(self) -> bool:
        """Whether more than memories goes."""
        return self.owner is not None or bool(self.sessions)

    def with_sessions(self, sessions: frozenset[str]) -> Self:
        """The same owner, once other sessions are theirs."""
        if self.owner is None:
            return self
        return type(self).of_owner(self.owner, sessions, self.memories[0].now, self.reach)

    def reaches(self, turn: CapturedTurn | Receipt) -> bool:
        """Whether a turn is within reach."""
        return self.reach.sees_turn(turn.agent, turn.user)

    def takes(self, turn: CapturedTurn | Receipt) -> bool:
        """Whether a turn goes too; of a user's sessions not what another user by name asked."""
        if not self.reaches(turn):
            return False
        if self.owner is not None and _is_asked_as(self.owner, turn):
            return True
        return turn.session in self.sessions and (self.user is None or not turn.user)

    def spares(self, session: Session | None) -> bool:
        """Whether a session is not the user's alone any more."""
        if self.user is None or session is None:
            return False
        return not is_session_of_user(self.user, session)

    def takes_wish(self, review: Review) -> bool:
        """Whether a new memory that waits for a person would be one of those that go."""
        if not review.is_proposal:
            return False
        change = review.change
        owner = (change.get("scope") or Scope.USER, change.get("scope_id") or "")
        said_in = (change.get("origin") or {}).get("session")
        is_of_session = self.owner is None and said_in in self.sessions
        is_sessions = owner[0] == Scope.SESSION and owner[1] in self.sessions
        return is_of_session or is_sessions or owner == self.owner


def is_session_of_user(user: str, session: Session) -> bool:
    """Whether a session is a user's alone: nobody else by name spoke in it."""
    return session.speakers == ((user,) if user else ())


def _owned(owners: tuple[Owner, ...], now: datetime) -> Query:
    return Query(now=now, state=None, owners=owners, sort=Sort.CREATED)


def _is_asked_as(owner: Owner, turn: CapturedTurn | Receipt) -> bool:
    """Whether a turn was asked as an owner; who names no user is the user without a name."""
    scope, name = owner
    named = getattr(turn, scope)
    return named == name if name else scope is Scope.USER and named is None
