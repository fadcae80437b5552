"""What of a workspace a caller may erase: all, or what is its agent's and its user's."""

from dataclasses import dataclass

from tacit.core.conversation.participant import EVERYTHING, Reach
from tacit.core.memory.kinds import Owner, Scope
from tacit.core.memory.owner import Viewer
from tacit.core.memory.record import Memory
from tacit.core.memory.review import Review
from tacit.store.protocols.unit import Unit


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a caller reaches, as one transaction knows it."""

    unit: Unit
    reach: Reach = EVERYTHING

    def has_session(self, name: str) -> bool:
        """Whether a session, or the context with this key, is the caller's."""
        return self.reach.is_everything or self.reach.covers(self.unit.participants.of(name))

    def has_memory(self, memory: Memory) -> bool:
        """Whether a memory is the caller's to erase: of a user, what is that user's own."""
        return self._has_owner(memory.agent, memory.owner)

    def has_wish(self, review: Review) -> bool:
        """Whether a new memory that waits for a person would be the caller's to erase."""
        change = review.change
        owner = (Scope(change.get("scope") or Scope.USER), change.get("scope_id") or "")
        return self._has_owner(change.get("agent"), owner)

    def _has_owner(self, agent: str | None, owner: Owner) -> bool:
        if self.reach.is_everything:
            return True
        if not Viewer(agent=self.reach.agent).sees_agent(agent):
            return False
        if owner[0] is Scope.SESSION:
            return self.has_session(owner[1])
        return self.reach.user is None or owner == (Scope.USER, self.reach.user)
