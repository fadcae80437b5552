"""The changes page: what memory did by itself, with both wordings, and a button to undo it."""

from collections.abc import Awaitable, Callable

from nicegui.element import Element

from tacit.core.changes import Change
from tacit.core.memory import Memory
from tacit.turn.block import shorten
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import button, toast
from tacit.ui.kit.display import badge, bar, card, empty, notice
from tacit.ui.kit.elements import (
    ADDED,
    DIFFERENT,
    REMOVED,
    add_text,
    box,
    focus,
    heading,
    link,
    marked_text,
    timestamp,
)
from tacit.ui.navigation import CHANGES, MEMORIES, REVIEW, memory_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.changes.view_model import (
    KIND_LABELS,
    author_text,
    before_label,
    count_text,
    diff_change,
    reason_text,
    result_text,
)
from tacit.ui.paging import build_paging
from tacit.ui.text_diff import MarkedText
from tacit.writing.draft import Status, Written

_PAGE_SIZE = 20
_MAX_LABEL = 80
_ABOUT_UNDO = (
    "“Undo” lets the earlier statement hold again, beside what replaced it. Memory does not do it"
    " again; forget or edit the one that is wrong."
)


async def build_page(context: PageContext) -> None:
    """A page of changes."""
    await _ChangeList(context).load()


class _ChangeList:
    """The changes on a page, newest first."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._after = context.query.get("after")
        self._decided = box("stack decided")
        self._place = box("changes stack")

    async def load(self, place: int | None = None) -> None:
        """Load and show the changes; `place` is the index that gets the keyboard focus."""
        found = await call_api(
            self._context.tacit.changes.list, limit=_PAGE_SIZE + 1, after=self._after
        )
        self._place.clear()
        with self._place:
            head = heading(count_text(len(found), _PAGE_SIZE, is_first=self._after is None))
            head.props["tabindex"] = "-1"
            if found and self._context.may_write:
                add_text(_ABOUT_UNDO, "quiet", "p")
            links = [
                _show_change(self._context, change, self._undo_action(number, change))
                for number, change in enumerate(found[:_PAGE_SIZE])
            ]
            if not found:
                self._show_empty()
            last = found[_PAGE_SIZE - 1].id if len(found) > _PAGE_SIZE else None
            build_paging(self._context, CHANGES, last)
            if place is not None:
                focus(links[place] if place < len(links) else head)

    def _undo_action(self, number: int, change: Change) -> Callable[[], Awaitable[None]]:
        async def undo() -> None:
            try:
                written = await call_api(self._context.tacit.changes.undo, change.id)
            finally:
                await self.load(number)
            self._tell(written)

        return undo

    def _tell(self, written: Written) -> None:
        toast(result_text(written))
        if written.status is Status.QUEUED:
            with self._decided, notice(result_text(written)), box("row"):
                link("Open Review", self._context.link(REVIEW.path))

    def _show_empty(self) -> Element:
        if self._after is not None:
            return empty("No more changes", "Newer changes are on the pages before this one.")
        return empty(
            "No changes",
            "When memory replaces, merges, hides or lets expire a statement without a person, it"
            " is shown here.",
            [("View all memories", self._context.link(MEMORIES.path))],
        )


def _show_change(
    context: PageContext, change: Change, undo: Callable[[], Awaitable[None]]
) -> Element:
    """Show a change; returns what gets the focus after it was undone: its first link."""
    label, tone = KIND_LABELS[change.kind]
    was, now = diff_change(change)
    with card(classes="change"):
        with box("row"):
            badge(label, "neutral" if change.undone else tone)
            if change.undone:
                badge("Undone", "good")
            timestamp(change.at)
            add_text(author_text(change), "quiet")
        with box("columns"):
            removed, added = (DIFFERENT, DIFFERENT) if change.undone else (REMOVED, ADDED)
            first = _show_side(context, change.memory, before_label(change), was, removed)
            if change.other is not None and now is not None:
                _show_side(context, change.other, "Stands now", now, added)
        with box("row foot"):
            with box("stack tight"):
                add_text(reason_text(change), "breaking", "p")
                if change.likelihood is not None:
                    bar(change.likelihood, "Sure", shown=f"{change.likelihood:.0%}")
            if context.may_write and not change.undone:
                aria = f"Undo: {shorten(change.memory.content, _MAX_LABEL)}"
                button("Undo", undo, aria_label=aria)
    return first


def _show_side(
    context: PageContext, memory: Memory, label: str, words: MarkedText, mark: str
) -> Element:
    with box("half", "article"):
        add_text(label, "label")
        marked_text(words, mark)
        address = memory_link(context, memory.id)
        return link("Open this memory", address)


PAGE = PageRoute(CHANGES, build_page)
