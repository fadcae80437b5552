"""The conflicts page: memories that contradict each other, side by side, and buttons to decide."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from nicegui.element import Element

from tacit.core.errors import InvalidInput, NotFound
from tacit.core.kinds import Relation
from tacit.core.memory import Memory
from tacit.core.review_reasons import statement_verb
from tacit.statements.conflict_list import Conflict
from tacit.turn.block import shorten
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import ButtonStyle, button, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, bar, card, empty, notice
from tacit.ui.kit.elements import (
    DIFFERENT,
    add_text,
    box,
    focus,
    heading,
    link,
    marked_text,
    timestamp,
)
from tacit.ui.navigation import CONFLICTS, MEMORIES, REVIEW, memory_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.conflicts.view_model import (
    Resolution,
    all_pairs,
    author_text,
    count_text,
    diff_contents,
    owner_text,
    recommendation_text,
    to_resolution,
    usage_text,
)
from tacit.ui.paging import build_paging
from tacit.ui.text_diff import MarkedText
from tacit.writing.draft import Written

ResolveConflict = Callable[[Memory | None, str], Awaitable[None]]
"""Resolves a conflict: the memory to keep, or None to keep all, and the reason."""


_PAGE_SIZE = 20
_BUTTONS = (
    "“Keep this” makes the others past: they are not used any more, and their history names what"
    " replaced them. “Keep both” says that all of them are right: turns use them all, and this is"
    " no conflict any more."
)


async def build_page(context: PageContext) -> None:
    """A page of conflicts."""
    await _ConflictList(context).load()


class _ConflictList:
    """The conflicts on a page, and what was decided since it was opened."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._after = context.query.get("after")
        self._decided = box("stack decided")
        self._place = box("conflicts stack")

    async def load(self, place: int | None = None) -> None:
        """Load and show the conflicts; `place` is the index that gets the keyboard focus."""
        found = await call_api(
            self._context.tacit.conflicts.list, limit=_PAGE_SIZE + 1, after=self._after
        )
        self._place.clear()
        with self._place:
            head = heading(count_text(len(found), _PAGE_SIZE, is_first=self._after is None))
            head.props["tabindex"] = "-1"
            if found and self._context.may_write:
                add_text(_BUTTONS, "quiet", "p")
            buttons = [
                show_conflict(self._context, each, self._decide_action(number, each))
                for number, each in enumerate(found[:_PAGE_SIZE])
            ]
            if not found:
                self._show_empty()
            last = found[_PAGE_SIZE - 1].id if len(found) > _PAGE_SIZE else None
            build_paging(self._context, CONFLICTS, last)
            if place is not None:
                aims = [each for each in buttons if each is not None]
                focus(aims[min(place, len(aims) - 1)] if aims else head)

    def _decide_action(self, number: int, conflict: Conflict) -> ResolveConflict:
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
                    self._show_resolution(to_resolution(written, kept), ids)

        return decide

    async def _resolve(
        self, ids: Sequence[str], kept: Memory | None, reason: str
    ) -> Sequence[Written]:
        return await call_api(
            self._context.tacit.conflicts.resolve,
            keep=None if kept is None else kept.id,
            supersede=[id for id in ids if kept is not None and id != kept.id],
            keep_both=ids if kept is None else [],
            reason=reason,
        )

    def _show_resolution(self, resolution: Resolution, ids: Sequence[str]) -> None:
        async def undo() -> None:
            for one, other in all_pairs(ids):
                with suppress(NotFound):
                    await call_api(
                        self._context.tacit.memories.unlink, one, other, Relation.COMPATIBLE_WITH
                    )
            await self.load()

        toast(resolution.text, undo if resolution.is_undoable else None)
        if resolution.is_undoable:
            return
        with notice(resolution.text, "warn" if resolution.is_queued else "good"), box("row"):
            if resolution.is_queued:
                link("Open Review", self._context.link(REVIEW.path))
            for number, memory in enumerate(resolution.superseded):
                which = f" {number + 1}" if len(resolution.superseded) > 1 else ""
                link(f"Its history{which}", memory_link(self._context, memory.id))

    def _show_empty(self) -> Element:
        if self._after is not None:
            return empty("No more conflicts", "Those before this page may still be open.")
        return empty(
            "No conflicts",
            "When two live memories say another value of the same thing, they appear here.",
            [("Look at the memories", self._context.link(MEMORIES.path))],
        )


_MAX_LABEL = 80


def show_conflict(
    context: PageContext, conflict: Conflict, decide: ResolveConflict
) -> Element | None:
    """Show a conflict; returns its first button if the viewer may decide."""
    made: list[Element] = []
    reason: list[Control] = []

    def deciding(kept: Memory | None) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await decide(kept, str(reason[0].value or "").strip())

        return act

    with card(classes="conflict"):
        with box("stack tight"):
            heading(f"About: {conflict.about}", 3, "breaking")
            add_text(recommendation_text(conflict), "quiet", "p")
        with box("columns"):
            for memory, side in zip(conflict.memories, diff_contents(conflict), strict=True):
                is_best = memory.id == conflict.recommended.keep
                with box(f"half {'best' if is_best else ''}", "article"):
                    _show_statement(memory, side, is_best)
                    link("Open this memory", memory_link(context, memory.id))
                    if context.may_write:
                        style = ButtonStyle.PRIMARY if is_best else ButtonStyle.PLAIN
                        label = f"Keep this: {shorten(memory.content, _MAX_LABEL)}"
                        made.append(button("Keep this", deciding(memory), style, aria_label=label))
        if context.may_write:
            with box("row ends ending"):
                reason.append(Control(ControlKind.TEXT, "Reason, for the history (optional)", ""))
                both = "Keep both" if len(conflict.memories) == 2 else "Keep all"
                button(both, deciding(None))
    return made[0] if made else None


def _show_statement(memory: Memory, side: MarkedText, is_best: bool) -> None:
    with box("row"):
        badge(memory.type)
        if is_best:
            badge("Recommended", "good")
    marked_text(side, DIFFERENT)
    bar(memory.confidence, "Confidence")
    with box("rows", "dl"):
        for name, text in (
            ("Key", memory.key),
            ("Belongs to", owner_text(memory)),
            ("Origin", author_text(memory)),
        ):
            if text:
                add_text(name, tag="dt")
                add_text(text, "breaking", "dd")
        add_text(statement_verb(memory).capitalize(), tag="dt")
        with box(tag="dd"):
            timestamp(memory.said_at)
        if memory.updated_at != memory.created_at:
            add_text("Changed", tag="dt")
            with box(tag="dd"):
                timestamp(memory.updated_at)
        add_text("Used", tag="dt")
        with box(tag="dd"):
            add_text(usage_text(memory))
            if memory.last_accessed_at is not None:
                add_text(", last ")
                timestamp(memory.last_accessed_at)


PAGE = PageRoute(CONFLICTS, build_page)
