"""Who may see and who may change a memory, a session or a turn."""

from collections.abc import Collection
from dataclasses import dataclass

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.kinds import PERSONS, Actor, Owner, Scope, Trust
from tacit.core.memory import Memory
from tacit.core.sessions import Participant

# Who may see what.


def check_pause_target(session: str | None, project: str | None) -> Owner:
    """The owner to pause or resume: a session or a project."""
    if (session is None) == (project is None):
        raise InvalidInput("session", "name a session or a project, and only one of them")
    if session is not None:
        return Scope.SESSION, check_field("session", session)
    return Scope.PROJECT, check_field("project", project)


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """The agent and the user that a caller is bound to; without either it sees everything.

    A caller bound to an agent does not see memories of other agents. One bound to a user sees the
    memories of that user, those of no user, and those of projects and organisations, which are
    shared. A memory of a session is visible only inside that `session`, and who is inside one sees
    those of no other. A bound caller sees a session only if nobody else takes part in it.
    """

    agent: str | None = None
    user: str | None = None
    session: str | None = None

    @classmethod
    def of(cls, agent: str | None, user: str | None) -> "Viewer":
        """Check the names."""
        return cls(
            agent=check_field("agent", agent),
            user=None if user is None else check_field("user", user),
        )

    @property
    def is_bound(self) -> bool:
        """Whether there is anything that the viewer may not see."""
        return self.agent is not None or self.user is not None

    @property
    def is_inside(self) -> bool:
        """Whether the viewer looks from inside a session."""
        return self.session is not None

    def sees(self, memory: Memory) -> bool:
        """Whether the viewer may see a memory, in any state."""
        return self.sees_owner(memory.agent, memory.owner)

    def sees_agent(self, agent: str | None) -> bool:
        """Whether the viewer may see memories of an agent (None: of no agent)."""
        return self.agent is None or agent in (None, self.agent)

    def owns(self, memory: Memory) -> bool:
        """Whether a memory belongs to the viewer's user, and not to another agent."""
        return memory.owner == (Scope.USER, self.user) and self.sees(memory)

    def sees_owner(self, agent: str | None, owner: Owner) -> bool:
        """Whether the viewer may see memories of an agent and an owner."""
        if not self.sees_agent(agent):
            return False
        scope, id = owner
        if scope is Scope.SESSION:
            return id == self.session if self.is_inside else not self.is_bound
        if self.user is None or scope in _SHARED:
            return True
        return scope is Scope.USER and id in ("", self.user)

    def sees_session(self, participants: Collection[Participant]) -> bool:
        """Whether the viewer may see a session with these participants."""
        agents = [(each.agent, each.took_turn) for each in participants]
        users = [(each.user, each.took_turn) for each in participants]
        return _is_alone(self.agent, agents) and _is_alone(self.user, users)

    def sees_turn(self, agent: str | None, user: str | None) -> bool:
        """Whether the viewer may see a turn of this agent for this user."""
        return self.agent in (None, agent) and self.user in (None, user)


UNBOUND = Viewer()
"""A caller that sees everything."""

_SHARED = (Scope.PROJECT, Scope.ORG)


def may_inform(one: Memory, other: Memory) -> bool:
    """Whether all who may see `other` may see `one` too, so that its words may be read into it.

    Strict: it belongs to the same owner or is shared, and to the same agent or to none.
    """
    is_seen = one.owner == other.owner or one.scope in _SHARED
    return is_seen and one.agent in (None, other.agent)


def _is_alone(name: str | None, named: Collection[tuple[str | None, bool]]) -> bool:
    """Whether nobody else took a turn or claimed anything; a claim may leave the name open."""
    if name is None:
        return True
    is_there = any(each == name for each, _ in named)
    return is_there and all(
        each == name or (each is None and not took_turn) for each, took_turn in named
    )


# Who may change what: a person's own words are only a person's to change. Words of a person are
# trusted; written by a memory call they are explicit too, learned from a conversation they are not.


def may_change(memory: Memory, by: Actor) -> bool:
    """Whether `by` may edit, supersede or forget a memory without asking a person.

    Tacit itself may replace what it learned from a person's words by later words; agents may not.
    """
    return by in PERSONS or not (memory.explicit or _is_from_another(memory, by))


def may_revive(memory: Memory, forgotten_by: Actor, by: Actor) -> bool:
    """Whether `by` may restore a forgotten memory; what a person forgot, only a person may."""
    return may_change(memory, by) and (by in PERSONS or forgotten_by not in PERSONS)


def outranks(one: Memory, other: Memory) -> bool:
    """Whether `one` is more trusted than `other`, whatever their confidence."""
    return one.trust.rank > other.trust.rank


def author_of(memory: Memory) -> Actor:
    """The author of a memory's words: a person only if one wrote them."""
    return Actor.USER if memory.explicit else Actor.SYSTEM


def _is_from_another(memory: Memory, by: Actor) -> bool:
    is_persons = memory.trust is Trust.TRUSTED or memory.source in PERSONS
    return is_persons and by is not Actor.SYSTEM
