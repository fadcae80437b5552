"""What an agent and a user may know of, sessions included, whose participants the store knows."""

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.core.changes import AuditEntry
from tacit.core.kinds import Owner, Scope, Subject
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.store.journal import SUCCESSOR
from tacit.store.protocols.unit import Unit

_OTHERS = {
    Subject.MEMORY: ("superseded_by", SUCCESSOR),
    Subject.ASSOCIATION: ("source", "target"),
}
"""The values in a change that name other memories."""


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
    return viewer.sees_agent(agent) and viewer.sees_session(unit.participants.of(id))


def hidden_from(viewer: Viewer, unit: Unit, ids: Sequence[str]) -> set[str]:
    """Those of the memories that somebody may not see; from who sees everything, none is hidden.

    Of what is gone nobody knows whose it was, so a user does not see it.
    """
    if not viewer.is_bound:
        return set()
    known = unit.memories.get(ids)
    gone = set(ids) - known.keys() if viewer.user is not None else set()
    return gone | {id for id, memory in known.items() if not is_visible(viewer, unit, memory)}


def visible_history(
    viewer: Viewer, unit: Unit, memory: Memory | None, changes: Sequence[AuditEntry]
) -> list[AuditEntry]:
    """Those changes of a memory, oldest first, that somebody could have seen when they were made.

    Whose it was is read backwards from whose it is; what was erased has no values left. A change
    that names memories which are hidden from them is left out too.
    """
    if not viewer.is_bound or memory is None:
        return list(changes)
    named = {id: None for change in changes for id in _others_in(change)}
    hidden = hidden_from(viewer, unit, list(named))
    whose = {"agent": memory.agent, "scope": memory.scope, "scope_id": memory.scope_id}
    seen = []
    for change in reversed(changes):
        before = whose
        if change.subject is Subject.MEMORY and change.old:
            before = {name: change.old.get(name, value) for name, value in whose.items()}
        is_seen = all(_is_seen(viewer, unit, each) for each in (before, whose))
        if is_seen and hidden.isdisjoint(_others_in(change)):
            seen.append(change)
        whose = before
    return seen[::-1]


def _is_seen(viewer: Viewer, unit: Unit, whose: Mapping[str, Any]) -> bool:
    owner = (Scope(whose["scope"]), whose["scope_id"])
    return is_owner_visible(viewer, unit, whose["agent"], owner)


def _others_in(change: AuditEntry) -> list[str]:
    """The ids of other memories that a change names."""
    values = [each for each in (change.old, change.new) if each]
    named = (value[name] for value in values for name in _OTHERS[change.subject] if value.get(name))
    return [id for id in named if id != change.memory]
