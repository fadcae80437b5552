"""The memories page: filters, a table, and actions on the selected memories."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from tacit.core.errors import InvalidInput
from tacit.core.kinds import Sort
from tacit.core.memory import Filters, Memory
from tacit.runtime.clock import system_clock
from tacit.ui.api_calls import LatestCall, call_api
from tacit.ui.kit.buttons import ButtonStyle, button
from tacit.ui.kit.control import Control
from tacit.ui.kit.display import empty, notice
from tacit.ui.kit.elements import add_text, box, link
from tacit.ui.navigation import MEMORIES, memory_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.memories.editor import open_new_dialog
from tacit.ui.pages.memories.import_export import EXPORT_PATH, open_import_dialog
from tacit.ui.pages.memories.list_query import (
    ListQuery,
    ListResult,
    filter_problem_text,
    find_memories,
)
from tacit.ui.pages.memories.memory_page import MEMORY_ROUTE as MEMORY
from tacit.ui.pages.memories.toolbars import BulkActionBar, FilterBar, sort_control
from tacit.ui.pages.memories.view_model import range_text, to_row

# The table of memories: rows are data, drawn by the browser, so that a page of them is light.


class MemoryTable(Element, component="table.js"):
    """Memories in rows; `on_select` hears of the ids that are selected, here and on other pages."""

    def __init__(self, *, selectable: bool, on_select: Callable[[Sequence[str]], Any]) -> None:
        super().__init__()
        self.props["selectable"] = selectable
        self.props["rows"] = []
        self.props["selected"] = []
        self.props["relevance"] = False

        def selected(event: GenericEventArguments) -> None:
            on_select([str(id) for id in event.args["ids"]])

        self.on("select", selected)

    def show(self, rows: Sequence[dict[str, Any]], selected: Iterable[str] = ()) -> None:
        """Show other rows, with those selected that still are."""
        self.props["rows"] = list(rows)
        self.props["relevance"] = any(row["relevance"] is not None for row in rows)
        self.props["selected"] = list(selected)
        self.update()


# The page of all memories: filters, a table, and what is done with those that are selected.


async def build_list_page(context: PageContext) -> None:
    """All memories of a workspace, or those that the address asks for."""
    await MemoryList(context).build()


class MemoryList:
    """The table with all that steers it; of several looks, the last one counts."""

    _bar: FilterBar
    _table: MemoryTable
    _actions: BulkActionBar
    _order: Control

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._wish = ListQuery.of(context.query)
        self._found = ListResult()
        self._before: list[ListQuery] = []
        self._selected: dict[str, Memory] = {}
        self._latest = LatestCall()
        self._total: int | None = None

    async def build(self) -> None:
        """Build the page and look for the first time."""
        self._doors()
        self._bar = FilterBar(self._wish, self.wish_for)
        with box("card memories-list"):
            with box("spread"):
                self._span = add_text("", "memories-span", "div", role="status")
                with box("row ends"):
                    self._clear = button("Clear filters", self.clear, ButtonStyle.QUIET)
                    self._order = sort_control(self._wish, self._sort)
            self._actions = BulkActionBar(self._context, self._selection_done)
            self._said = box("stack")
            self._table = MemoryTable(selectable=self._context.may_write, on_select=self._select)
            with box("memories-pages", "nav", aria_label="Pages of the table"):
                self._previous = button("Previous", self._go_back)
                self._next = button("Next", self._go_on)
        self._steer(self._found)
        self._table.set_visibility(False)
        await self.look()

    async def wish_for(self, wish: ListQuery) -> None:
        """Look for something else, from its first page on."""
        self._before.clear()
        self._total = None
        self._choose(())
        await self._go(wish)

    async def clear(self) -> None:
        """Look for everything."""
        self._bar.clear()
        await self.wish_for(ListQuery(sort=self._wish.sort))

    async def look(self) -> None:
        """Find and show what is wished for, whatever was known before."""
        self._total = None
        await self._look()

    async def _look(self) -> None:
        """Find and show what is wished for; how many there are may come later."""
        wish = self._wish
        try:
            filters = wish.filters()
        except InvalidInput as error:
            self._refuse(error)
            return
        counting = asyncio.create_task(self._count(wish, filters))
        try:
            asked = call_api(find_memories, self._context.tacit, wish, filters, system_clock())
            found = await self._latest.of(asked)
            if found is None:
                return
            self._show(found)
            if found.total is None and (total := await self._latest.of(counting)) is not None:
                self._total = total
                self._span.set_text(range_text(found.skipped, len(found.memories), total))
        finally:
            counting.cancel()

    async def _count(self, wish: ListQuery, filters: Filters) -> int:
        """How many there are in all; paging and sorting do not change that."""
        if wish.is_by_meaning:
            return 0
        if self._total is None:
            return await call_api(self._context.tacit.count, **filters)
        return self._total

    def _doors(self) -> None:
        with box("row memories-doors"):
            if self._context.may_write:
                button("New memory", self._new, ButtonStyle.PRIMARY)
                button("Import", self._import)
            if self._context.may_export:
                link("Export", self._context.link(EXPORT_PATH), "button plain")

    async def _new(self) -> None:
        open_new_dialog(self._context, self.look)

    async def _import(self) -> None:
        await open_import_dialog(self._context, self.look)

    async def _go(self, wish: ListQuery) -> None:
        self._wish = wish
        self._bar.follow(wish)
        aim = self._context.link(MEMORIES.path, **wish.query)
        ui.run_javascript(f"history.replaceState(history.state, '', {json.dumps(aim)})")
        await self._look()

    async def _sort(self, sort: Sort) -> None:
        self._before.clear()
        await self._go(replace(self._wish, sort=sort, after=None, skipped=0))

    async def _go_on(self) -> None:
        found = self._found
        self._before.append(self._wish)
        skipped = found.skipped + len(found.memories)
        await self._go(replace(self._wish, after=found.memories[-1].id, skipped=skipped))

    async def _go_back(self) -> None:
        first = replace(self._wish, after=None, skipped=0)
        await self._go(self._before.pop() if self._before else first)

    def _show(self, found: ListResult) -> None:
        self._found, now = found, system_clock()
        rows = [
            to_row(each, now, memory_link(self._context, each.id), found.relevance.get(each.id))
            for each in found.memories
        ]
        self._selected |= {each.id: each for each in found.memories if each.id in self._selected}
        self._table.show(rows, self._selected)
        self._table.set_visibility(bool(rows))
        self._span.set_text(range_text(found.skipped, len(rows), found.total))
        self._say(found)
        self._steer(found)

    def _refuse(self, error: InvalidInput) -> None:
        """Say which filter makes no sense; rows that another one found would mislead."""
        self._latest.drop()
        self._found = ListResult()
        self._table.show(())
        self._table.set_visibility(False)
        self._span.set_text("Nothing was looked for")
        self._said.clear()
        with self._said:
            empty(
                "A filter makes no sense",
                f"{filter_problem_text(error)}. Correct it, or clear the filters.",
            )
        self._steer(self._found)
        self._bar.object_to(error)

    def _steer(self, found: ListResult) -> None:
        """Let go where there is something to go to."""
        self._previous.set_visibility(found.skipped > 0)
        self._next.set_visibility(found.has_more)
        self._clear.set_visibility(not self._wish.is_free)
        self._order.enable(not self._wish.is_by_meaning)

    def _say(self, found: ListResult) -> None:
        """What there is to know about the rows, or about there being none."""
        self._said.clear()
        with self._said:
            if found.degraded:
                notice("Words only: " + "; ".join(found.degraded))
            if not found.memories:
                self._nothing()

    def _nothing(self) -> None:
        if self._wish.is_free and self._wish.skipped == 0:
            empty(
                "Nothing is remembered yet",
                "Write a first memory, import a file, or let an agent learn from its turns.",
            )
        elif self._wish.is_by_meaning:
            empty("Nothing comes close", "Meaning is looked for among live memories only.")
        else:
            empty("No memory matches", "Loosen a filter, or clear them all.")

    def _select(self, ids: Sequence[str]) -> None:
        known = {**self._selected, **{each.id: each for each in self._found.memories}}
        self._choose([known[id] for id in ids if id in known])

    def _choose(self, memories: Sequence[Memory]) -> None:
        self._selected = {each.id: each for each in memories}
        self._actions.show(tuple(self._selected.values()))

    async def _selection_done(self) -> None:
        """What was selected is not what it was; look again."""
        self._choose(())
        await self.look()


# Memories: all of them in a table, and each on a page of its own.


LIST = PageRoute(MEMORIES, build_list_page)
PAGES = (LIST, MEMORY)
