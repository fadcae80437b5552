"""What of a workspace a caller may erase: all, or what is its agent's and its user's."""

from dataclasses import dataclass

from tacit.core.changes import Review
from tacit.core.kinds import Owner, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import UNBOUND, Viewer
from tacit.store.protocols.unit import Unit


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a caller reaches, as one transaction knows it."""

    unit: Unit
    reach: Viewer = UNBOUND

    def has_session(self, name: str) -> bool:
        """Whether a session, or the context with this key, is the caller's."""
        return not self.reach.is_bound or self.reach.sees_session(self.unit.participants.of(name))

    def has_memory(self, memory: Memory) -> bool:
        """Whether a memory is the caller's to erase: of a user, what is that user's own."""
        return self._has_owner(memory.agent, memory.owner)

    def has_wish(self, review: Review) -> bool:
        """Whether a new memory that waits for a person would be the caller's to erase."""
        change = review.change
        owner = (Scope(change.get("scope") or Scope.USER), change.get("scope_id") or "")
        return self._has_owner(change.get("agent"), owner)

    def _has_owner(self, agent: str | None, owner: Owner) -> bool:
        if not self.reach.is_bound:
            return True
        if not self.reach.sees_agent(agent):
            return False
        if owner[0] is Scope.SESSION:
            return self.has_session(owner[1])
        return self.reach.user is None or owner == (Scope.USER, self.reach.user)
