"""Erasing as one caller may: a memory, all of an owner, all of a session, or what filters leave."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

from tacit.api.foreseeing import Foreseeing
from tacit.api.scanning import sessions_of
from tacit.api.sweeping import Sweeping
from tacit.core.errors import NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Action, Actor, Scope
from tacit.core.memory import Filters, check_erase_filters
from tacit.core.permissions import Viewer
from tacit.grounding.places import Workspaces
from tacit.runtime.clock import Clock
from tacit.store.protocols.store import Store
from tacit.store.protocols.unit import Unit
from tacit.writing.author import Author
from tacit.writing.erasure import EraseTarget, Erasure, Sweep, require_person


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasures:
    """What a caller erases in a workspace; what is out of its reach is left, and not counted."""

    store: Store
    workspace: str
    reach: Viewer
    workspaces: Callable[[], Workspaces]
    write: Callable[[Actor, Callable[[Author], Any]], Any]
    clock: Clock

    def erase(self, id: str, *, by: Actor | str) -> Erasure:
        """Remove a memory and all traces of its words for good; says what went and what is left."""
        checked, actor = check_field("id", id), check_field("by", by)
        require_person(actor)
        with self.store.read(self.workspace) as unit:
            if not _was_ever(unit, checked):
                raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
        target = EraseTarget.of_memory(checked, self.reach)
        return Erasure.of(checked, self._swept(target, actor, dry_run=False))

    def erase_owner(
        self, scope: Scope | str, scope_id: str, *, dry_run: bool, by: Actor | str
    ) -> Sweep:
        """Erase every memory of an owner in every state, and the turns that were asked as them."""
        owner = (check_field("scope", scope), check_field("scope_id", scope_id))
        sessions = sessions_of(self.store, self.workspace, owner, self.reach)
        target = EraseTarget.of_owner(owner, sessions, self.clock(), self.reach)
        return self._swept(target, by, dry_run=dry_run)

    def erase_session(self, session: str, *, dry_run: bool, by: Actor | str) -> Sweep:
        """Erase a session with all that was said in it: memories, turns, blocks, chat logs."""
        target = EraseTarget.of_session(check_field("session", session), self.clock(), self.reach)
        return self._swept(target, by, dry_run=dry_run)

    def erase_matching(
        self, *, dry_run: bool, by: Actor | str, **filters: Unpack[Filters]
    ) -> Sweep:
        """Erase the memories that `list` would give with these filters, in every state."""
        target = EraseTarget.matching(check_erase_filters(filters), self.clock(), self.reach)
        return self._swept(target, by, dry_run=dry_run)

    def _swept(self, target: EraseTarget, by: Actor | str, *, dry_run: bool) -> Sweep:
        actor = check_field("by", by)
        require_person(actor)
        if dry_run:
            return Foreseeing(store=self.store, workspace=self.workspace).run(target)
        sweeping = Sweeping(
            store=self.store,
            workspace=self.workspace,
            folder=self.workspaces().folder(self.workspace),
            write=lambda work: self.write(actor, work),
        )
        return sweeping.run(target)


def _was_ever(unit: Unit, id: str) -> bool:
    """Whether a memory is there, or was erased: what an interruption left can still be removed."""
    if unit.memories.known([id]):
        return True
    return any(row.action is Action.ERASE for row in unit.audit.of(id))
