"""The conflicts of a workspace, each ended by one click."""

from collections.abc import Sequence
from contextlib import suppress

from nicegui.element import Element

from tacit.core.errors import InvalidInput, NotFound
from tacit.core.memory.kinds import Relation
from tacit.core.memory.record import Memory
from tacit.search.selection.conflict import Conflict
from tacit.ui.addresses import memory_at
from tacit.ui.asking import ask
from tacit.ui.kit.card import empty, notice
from tacit.ui.kit.element import box, heading, link
from tacit.ui.kit.focus import focus
from tacit.ui.kit.toast import toast
from tacit.ui.pages.conflicts.dispute import Outcome, count, pairs, resolved
from tacit.ui.pages.conflicts.sides import Decide, show_conflict
from tacit.ui.rooms import CONFLICTS, MEMORIES, REVIEW
from tacit.ui.visit import Visit
from tacit.writing.outcome import Written

_PAGE = 20


async def build(visit: Visit) -> None:
    """A page of conflicts."""
    await _Board(visit).load()


class _Board:
    """The conflicts on a page, and what was decided since it was opened."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._after = visit.query.get("after")
        self._decided = box("stack decided")
        self._place = box("conflicts stack")

    async def load(self, place: int | None = None) -> None:
        """Show them as they are now; a `place` in the list is where the keyboard goes on."""
        found = await ask(self._visit.tacit.conflicts, limit=_PAGE + 1, after=self._after)
        self._place.clear()
        with self._place:
            head = heading(count(len(found), _PAGE, is_first=self._after is None))
            head.props["tabindex"] = "-1"
            buttons = [
                show_conflict(self._visit, each, self._decision(number, each))
                for number, each in enumerate(found[:_PAGE])
            ]
            if not found:
                self._nothing()
            self._pages(found)
            if place is not None:
                aims = [each for each in buttons if each is not None]
                focus(aims[min(place, len(aims) - 1)] if aims else head)

    def _decision(self, number: int, conflict: Conflict) -> Decide:
        ids = [memory.id for memory in conflict.memories]

        async def decide(kept: Memory | None, reason: str) -> None:
            try:
                written = await self._resolve(ids, kept, reason)
            except (InvalidInput, NotFound) as error:
                if getattr(error, "field", None) != "reason":
                    await self.load(number)
                raise
            try:
                await self.load(number)
            finally:
                with self._decided:
                    self._tell(resolved(written, kept), ids)

        return decide

    async def _resolve(
        self, ids: Sequence[str], kept: Memory | None, reason: str
    ) -> Sequence[Written]:
        return await ask(
            self._visit.tacit.resolve,
            keep=None if kept is None else kept.id,
            supersede=[id for id in ids if kept is not None and id != kept.id],
            keep_both=ids if kept is None else [],
            reason=reason,
        )

    def _tell(self, outcome: Outcome, ids: Sequence[str]) -> None:
        async def undo() -> None:
            for one, other in pairs(ids):
                with suppress(NotFound):
                    await ask(self._visit.tacit.unlink, one, other, Relation.COMPATIBLE_WITH)
            await self.load()

        toast(outcome.words, undo if outcome.is_undoable else None)
        if outcome.is_undoable:
            return
        with notice(outcome.words, "warn" if outcome.is_queued else "good"), box("row"):
            if outcome.is_queued:
                link("Open Review", self._visit.link(REVIEW.path))
            for number, memory in enumerate(outcome.superseded):
                which = f" {number + 1}" if len(outcome.superseded) > 1 else ""
                link(f"Its history{which}", memory_at(self._visit, memory.id))

    def _nothing(self) -> Element:
        if self._after is not None:
            return empty("No more conflicts", "Those before this page may still be open.")
        return empty(
            "No conflicts",
            "When two live memories say another value of the same thing, they appear here.",
            [("Look at the memories", self._visit.link(MEMORIES.path))],
        )

    def _pages(self, found: Sequence[Conflict]) -> None:
        if self._after is None and len(found) <= _PAGE:
            return
        with box("row"):
            if self._after is not None:
                link("First page", self._visit.link(CONFLICTS.path), "button plain")
            if len(found) > _PAGE:
                aim = self._visit.link(CONFLICTS.path, after=found[_PAGE - 1].id)
                link("Next page", aim, "button plain")
