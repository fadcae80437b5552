"""Erasing a memory, all of an owner, all of a session, or what filters leave: in one way."""

from typing import Unpack

from tacit.api.erasures import Erasures
from tacit.api.face.face import Face
from tacit.core.kinds import Actor, Scope
from tacit.core.memory import Filters
from tacit.core.permissions import UNBOUND, Viewer
from tacit.writing.erasure import Erasure, Sweep


class Erasing(Face):
    """What goes for good, and leaves a receipt; if it was interrupted, a repeat goes on."""

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        """Remove a memory and all traces of its words for good; says what went and what is left.

        Said again after an interruption, it finishes.
        """
        return self.erasures_of(UNBOUND).erase(id, by=by)

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
        erasures = self.erasures_of(UNBOUND)
        return erasures.erase_owner(scope, scope_id, dry_run=dry_run, by=by)

    def erase_session(
        self, session: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        """Erase a session with all that was said in it: memories, turns, blocks, chat logs."""
        return self.erasures_of(UNBOUND).erase_session(session, dry_run=dry_run, by=by)

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        """Erase the memories that `list` would give with these filters, in every state.

        A `state` narrows that; at least one filter must be named, and `agent` cannot be.
        """
        return self.erasures_of(UNBOUND).erase_matching(dry_run=dry_run, by=by, **filters)

    def erasures_of(self, reach: Viewer) -> Erasures:
        """What a caller may erase that is bound to an agent or a user."""
        return Erasures(
            store=self._store,
            workspace=self._workspace,
            reach=reach,
            workspaces=lambda: self._workspaces,
            write=self._write,
            clock=self._clock,
        )
