"""What an erasure of many things aims at."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.core.changes import Review
from tacit.core.kinds import Owner, Scope, Sort
from tacit.core.learning_queue import CapturedTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session
from tacit.store.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
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
        return not is_session_of(self.user, session)

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


def is_session_of(user: str, session: Session) -> bool:
    """Whether a session is a user's alone: nobody else by name spoke in it."""
    return session.speakers == ((user,) if user else ())


def _owned(owners: tuple[Owner, ...], now: datetime) -> Query:
    return Query(now=now, state=None, owners=owners, sort=Sort.CREATED)


def _is_asked_as(owner: Owner, turn: CapturedTurn | Receipt) -> bool:
    """Whether a turn was asked as an owner; who names no user is the user without a name."""
    scope, name = owner
    named = getattr(turn, scope)
    return named == name if name else scope is Scope.USER and named is None
