"""Whose data is whose: what a caller may erase, and whether a session name is in use."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from tacit.core.changes import Review
from tacit.core.episodes import Episode
from tacit.core.kinds import Owner, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import UNBOUND, Viewer
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.query import Query


@dataclass(frozen=True, slots=True)
class EraseBounds:
    """What of a workspace a caller may erase: everything, or what belongs to its agent and user."""

    unit: UnitOfWork
    reach: Viewer = UNBOUND

    def has_session(self, name: str) -> bool:
        """Whether a session, or the context with this key, is the caller's."""
        return not self.reach.is_bound or self.reach.sees_session(self.unit.participants.of(name))

    def has_memory(self, memory: Memory) -> bool:
        """Whether a memory is the caller's to erase: what is its user's own.

        For an agent without a user: what is its own, and what was said in its own sessions.
        """
        return self._has_owner(memory.agent, memory.owner, memory.origin.session)

    def has_episode(self, episode: Episode) -> bool:
        """Whether an episode is the caller's to erase: their user's own words.

        For an agent without a user: what was said in its own sessions.
        """
        if not self.reach.is_bound:
            return True
        if not self.reach.sees_agent(episode.agent):
            return False
        if self.reach.user is None or episode.scope is Scope.SESSION:
            return self.has_session(episode.session)
        return episode.user == self.reach.user

    def has_proposal(self, review: Review) -> bool:
        """Whether the caller may erase a proposed memory."""
        change = review.change
        owner = (Scope(change.get("scope") or Scope.USER), change.get("scope_id") or "")
        said_in = (change.get("origin") or {}).get("session")
        return self._has_owner(change.get("agent"), owner, said_in)

    def _has_owner(self, agent: str | None, owner: Owner, said_in: str | None) -> bool:
        if not self.reach.is_bound:
            return True
        if not self.reach.sees_agent(agent):
            return False
        if owner[0] is Scope.SESSION:
            return self.has_session(owner[1])
        if self.reach.user is not None:
            return owner == (Scope.USER, self.reach.user)
        return agent == self.reach.agent or (said_in is not None and self.has_session(said_in))


@dataclass(frozen=True, slots=True)
class EpisodeReach:
    """What somebody may see of what was said in a workspace.

    A user's key sees its user's own words; an agent's, of whichever user, what was said in its own
    sessions. Nobody who is bound to a user sees what somebody without a name said.
    """

    store: Store
    workspace: str
    reach: Viewer = UNBOUND
    _sessions: dict[str, bool] = field(default_factory=dict)

    def sees(self, row: Memory) -> bool:
        """Whether the row of an episode is within reach."""
        if not self.reach.is_bound:
            return True
        user = self.reach.user
        if row.scope is Scope.USER and user is not None:
            if row.scope_id != user:
                return False
            if self.reach.agent is None:
                return True
            return self._sees_session(replace(self.reach, user=None), row)
        return self._sees_session(self.reach, row)

    def _sees_session(self, viewer: Viewer, row: Memory) -> bool:
        session = row.origin.session or ""
        if session not in self._sessions:
            with self.store.read(self.workspace) as unit:
                self._sessions[session] = viewer.sees_session(unit.participants.of(session))
        return self._sessions[session]


_PAGE = 500


def is_session_name_used(unit: UnitOfWork, session: str, now: datetime) -> bool:
    """Whether a workspace keeps anything under this session name, besides its participants."""
    scoped = Query(now=now, state=None, scope=Scope.SESSION, scope_id=session)
    said = Query(now=now, state=None, session=session)
    return (
        unit.sessions.get(session) is not None
        or (Scope.SESSION, session) in unit.sessions.paused()
        or bool(unit.variables.of(session))
        or any(turn.abandoned is None for turn in unit.receipts.open_turns(session))
        or bool(unit.receipts.recent(session, 1))
        or bool(unit.blocks.of(session))
        or bool(unit.ledger.of(session))
        or bool(unit.heard.waiting(session, 1))
        or unit.memories.total(scoped) > 0
        or unit.memories.total(said) > 0
        or any(_belongs_to_session(review, session) for review in _iterate_reviews(unit))
    )


def _belongs_to_session(review: Review, session: str) -> bool:
    """Whether a new memory that waits for a person would be a session's, or was said in it."""
    change = review.change
    is_own = change.get("scope") == Scope.SESSION and change.get("scope_id") == session
    return is_own or (change.get("origin") or {}).get("session") == session


def _iterate_reviews(unit: UnitOfWork) -> Iterator[Review]:
    last: str | None = None
    while page := unit.reviews.pending(last, _PAGE):
        yield from page
        last = page[-1].id
