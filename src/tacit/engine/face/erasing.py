"""Erasing a memory, all of an owner, all of a session, or what filters leave: in one way."""

from functools import partial
from typing import Unpack

from tacit.engine.face.face import Face
from tacit.engine.foreseeing import Foreseeing
from tacit.engine.scanning import sessions_of
from tacit.engine.sweeping import Sweeping
from tacit.errors import NotFound
from tacit.memory import Action, Actor, Filters, Scope, check, check_conditions
from tacit.store import Unit
from tacit.writing import Erasure, Sweep, Target, check_eraser


class Erasing(Face):
    """What goes for good, and leaves a receipt; if it was interrupted, a repeat goes on."""

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        """Remove a memory and all traces of its words for good; says what went and what is left.

        Said again after an interruption, it finishes.
        """
        checked, actor = check("id", id), check("by", by)
        check_eraser(actor)
        if not self._read(lambda unit: _was_ever(unit, checked)):
            raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
        return Erasure.of(checked, self._swept(Target.of_memory(checked), actor, dry_run=False))

    def erase_owner(
        self,
        scope: Scope | str,
        scope_id: str,
        *,
        dry_run: bool = False,
        by: Actor | str = Actor.USER,
    ) -> Sweep:
        """Erase every memory of an owner in every state, and the turns that were asked as them.

        Of a user also the sessions in which nobody else by name spoke, and of a session itself.
        An empty `scope_id` is the owner without a name: in a personal store the one user.
        """
        owner = (check("scope", scope), check("scope_id", scope_id))
        sessions = sessions_of(self._store, self._workspace, owner)
        return self._swept(Target.of_owner(owner, sessions, self._clock()), by, dry_run)

    def erase_session(
        self, session: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        """Erase a session with all that was said in it: memories, turns, blocks, chat logs."""
        target = Target.of_session(check("session", session), self._clock())
        return self._swept(target, by, dry_run)

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        """Erase the memories that `list` would give with these filters, in every state.

        A `state` narrows that; at least one filter must be named, and `agent` cannot be.
        """
        target = Target.matching(check_conditions(filters), self._clock())
        return self._swept(target, by, dry_run)

    def _swept(self, target: Target, by: Actor | str, dry_run: bool) -> Sweep:
        actor = check("by", by)
        check_eraser(actor)
        if dry_run:
            return Foreseeing(store=self._store, workspace=self._workspace).run(target)
        sweeping = Sweeping(
            store=self._store,
            workspace=self._workspace,
            folder=self._workspaces.folder(self._workspace),
            write=partial(self._write, actor),
        )
        return sweeping.run(target)


def _was_ever(unit: Unit, id: str) -> bool:
    """Whether a memory is there, or was erased: what an interruption left can still be removed."""
    if unit.memories.known([id]):
        return True
    return any(row.action is Action.ERASE for row in unit.audit.of(id))
