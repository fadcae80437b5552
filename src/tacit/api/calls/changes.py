"""Calls about what memory did by itself: list it, and undo it."""

from collections.abc import Sequence
from datetime import datetime

from tacit.api.protocols.memories import ChangesProtocol
from tacit.api.visibility import hidden_from
from tacit.api.workspace import Part
from tacit.core.changes import Change
from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.permissions import Viewer
from tacit.store.protocols.store import UnitOfWork
from tacit.writing.changes import change_not_found, load_change, load_changes, undo_change
from tacit.writing.draft import Written


class Changes(Part, ChangesProtocol):
    """What memory did by itself: see it, and undo it."""

    def list(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Change]:
        size, who, now = check_field("limit", limit), Viewer.of(agent, user), self._context.clock()
        last = None if after is None else check_field("id", after, "after")
        return self._context.read(lambda unit: list_changes(unit, size, last, who, now))

    def undo(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        checked = check_field("id", id)
        return self._context.write(by, lambda author: undo_change(author, checked))


def list_changes(
    unit: UnitOfWork, limit: int, after: str | None, viewer: Viewer, now: datetime
) -> list[Change]:
    """A page of changes, latest first, without those about memories that a viewer may not see."""
    found: list[Change] = []
    place = None if after is None else load_visible_change(unit, after, viewer, now).place
    while len(found) < limit:
        page, place = load_changes(unit, now, place, limit)
        found += _select_visible(unit, page, viewer)
        if place is None:
            break
    return found[:limit]


def load_visible_change(unit: UnitOfWork, id: str, viewer: Viewer, now: datetime) -> Change:
    """A change, if a viewer may see the memories that it is about."""
    change = load_change(unit, now, id)
    if not _select_visible(unit, [change], viewer):
        raise change_not_found(id)
    return change


def _select_visible(unit: UnitOfWork, changes: Sequence[Change], viewer: Viewer) -> list[Change]:
    named = {each.memory.id for each in changes} | {
        each.other.id for each in changes if each.other is not None
    }
    hidden = hidden_from(viewer, unit, sorted(named))
    return [
        each
        for each in changes
        if each.memory.id not in hidden and (each.other is None or each.other.id not in hidden)
    ]
