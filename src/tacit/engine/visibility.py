"""What an agent and a user may know of, sessions included, whose participants the store knows."""

from collections.abc import Sequence

from tacit.conversation import Reach
from tacit.memory import Memory, Owner, Scope, Viewer
from tacit.store import Unit


def is_visible(viewer: Viewer, unit: Unit, memory: Memory) -> bool:
    """Whether somebody may see a memory, in whatever state it is."""
    return is_owner_visible(viewer, unit, memory.agent, memory.owner)


def is_owner_visible(viewer: Viewer, unit: Unit, agent: str | None, owner: Owner) -> bool:
    """Whether somebody may see what is such an agent's and owner's.

    What belongs to a session is seen by the agent and the user whose session it is.
    """
    scope, id = owner
    if not viewer.is_bound or scope is not Scope.SESSION:
        return viewer.sees_owner(agent, owner)
    reach = Reach(agent=viewer.agent, user=viewer.user)
    return viewer.sees_agent(agent) and reach.covers(unit.participants.of(id))


def hidden_from(viewer: Viewer, unit: Unit, ids: Sequence[str]) -> set[str]:
    """Those of the memories that somebody may not see; from who sees everything, none is hidden.

    Of what is gone nobody knows whose it was, so a user does not see it.
    """
    if not viewer.is_bound:
        return set()
    known = unit.memories.get(ids)
    gone = set(ids) - known.keys() if viewer.user is not None else set()
    return gone | {id for id, memory in known.items() if not is_visible(viewer, unit, memory)}
