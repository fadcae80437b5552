"""Whose memories are: the owner that a name means, and who may see what."""

from dataclasses import dataclass

from tacit.core.errors import InvalidInput
from tacit.core.memory.fields import check
from tacit.core.memory.kinds import Owner, Scope
from tacit.core.memory.record import Memory


def owner_of(session: str | None, project: str | None) -> Owner:
    """What is paused or resumed: the one thing that is named."""
    if (session is None) == (project is None):
        raise InvalidInput("session", "name a session or a project, and only one of them")
    if session is not None:
        return Scope.SESSION, check("session", session)
    return Scope.PROJECT, check("project", project)


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who looks at memories: an agent, a user, both, or somebody who sees everything.

    An agent does not see what is another agent's own. A user sees their own memories, those that
    belong to no user, and those of projects and organisations, which are shared. What belongs to a
    session is its participants', so both see only what is of the `session` that they look into.
    """

    agent: str | None = None
    user: str | None = None
    session: str | None = None

    @classmethod
    def of(cls, agent: str | None, user: str | None) -> "Viewer":
        """Who is named, checked."""
        return cls(agent=check("agent", agent), user=None if user is None else check("user", user))

    @property
    def is_bound(self) -> bool:
        """Whether there is something that they may not see."""
        return self.agent is not None or self.user is not None

    def sees(self, memory: Memory) -> bool:
        """Whether they may see a memory, in whatever state it is."""
        return self.sees_owner(memory.agent, memory.owner)

    def sees_agent(self, agent: str | None) -> bool:
        """Whether they may see what is such an agent's own, or everybody's."""
        return self.agent is None or agent in (None, self.agent)

    def owns(self, memory: Memory) -> bool:
        """Whether a memory is the user's own, and not another agent's."""
        return memory.owner == (Scope.USER, self.user) and self.sees(memory)

    def sees_owner(self, agent: str | None, owner: Owner) -> bool:
        """Whether they may see what is such an agent's and owner's."""
        if not self.sees_agent(agent):
            return False
        scope, id = owner
        if scope is Scope.SESSION:
            return not self.is_bound or id == self.session
        if self.user is None or scope in _SHARED:
            return True
        return scope is Scope.USER and id in ("", self.user)


_SHARED = (Scope.PROJECT, Scope.ORG)
