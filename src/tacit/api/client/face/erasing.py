"""Erasing a memory, all of an owner, all of a session, or what filters leave."""

from typing import Unpack

from tacit.api.client.arguments import memory_path, said_by, session_path
from tacit.api.client.face.face import Face
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Scope
from tacit.core.memory import Filters, check_erase_filters, to_json_value
from tacit.writing.erasure import Erasure, Sweep


class Erasing(Face):
    """What goes for good, and leaves a receipt; if it was interrupted, a repeat goes on."""

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        """Remove a memory and all traces of its words for good; says what went and what is left.

        Said again after an interruption, it finishes.
        """
        return self._at.write(memory_path(id, "erase"), said_by(by), read=Erasure.from_dict)

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
        owner = {
            "scope": check_field("scope", scope),
            "scope_id": check_field("scope_id", scope_id),
        }
        asked = {**owner, "dry_run": dry_run, **said_by(by)}
        return self._at.write("/v1/owners/erase", asked, read=Sweep.from_dict)

    def erase_session(
        self, session: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        """Erase a session with all that was said in it: memories, turns, blocks, chat logs."""
        asked = {"dry_run": dry_run, **said_by(by)}
        return self._at.write(session_path(session, "erase"), asked, read=Sweep.from_dict)

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        """Erase the memories that `list` would give with these filters, in every state.

        A `state` narrows that; at least one filter must be named, and `agent` cannot be.
        """
        named = {name: to_json_value(value) for name, value in check_erase_filters(filters).items()}
        asked = {**named, "dry_run": dry_run, **said_by(by)}
        return self._at.write("/v1/memories/erase", asked, read=Sweep.from_dict)
