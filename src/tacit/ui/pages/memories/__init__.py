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


class MemoryTableView(Element, component="table.js"):
    """The table; its rows are data that the browser draws, so that a page of them is light.

    `on_select` gets the ids of the selected rows, of this and other pages.
    """

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
        """Show other rows, with the selected ones checked."""
        self.props["rows"] = list(rows)
        self.props["relevance"] = any(row["relevance"] is not None for row in rows)
        self.props["selected"] = list(selected)
        self.update()


async def build_list_page(context: PageContext) -> None:
    """All memories of a workspace, or those that the address asks for."""
    await MemoryList(context).build()


class MemoryList:
    """The table and its controls; of overlapping loads, the latest is shown."""

    _bar: FilterBar
    _table: MemoryTableView
    _actions: BulkActionBar
    _sort_control: Control

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._query = ListQuery.from_query(context.query)
        self._found = ListResult()
        self._previous_queries: list[ListQuery] = []
        self._selected: dict[str, Memory] = {}
        self._latest = LatestCall()
        self._total: int | None = None

    async def build(self) -> None:
        """Build the page and load the first rows."""
        self._build_buttons()
        self._bar = FilterBar(self._query, self.apply_query)
        with box("card memories-list"):
            with box("spread"):
                self._range = add_text("", "memories-span", "div", role="status")
                with box("row ends"):
                    self._clear = button("Clear filters", self.clear, ButtonStyle.QUIET)
                    self._sort_control = sort_control(self._query, self._sort)
            self._actions = BulkActionBar(self._context, self._selection_done)
            self._notices = box("stack")
            self._table = MemoryTableView(
                selectable=self._context.may_write, on_select=self._select
            )
            with box("memories-pages", "nav", aria_label="Pages of the table"):
                self._previous = button("Previous", self._previous_page)
                self._next = button("Next", self._next_page)
        self._update_controls(self._found)
        self._table.set_visibility(False)
        await self.reload()

    async def apply_query(self, query: ListQuery) -> None:
        """Apply another query, from its first page."""
        self._previous_queries.clear()
        self._total = None
        self._set_selection(())
        await self._show_page(query)

    async def clear(self) -> None:
        """Remove all filters."""
        self._bar.clear()
        await self.apply_query(ListQuery(sort=self._query.sort))

    async def reload(self) -> None:
        """Load the current page and the total again."""
        self._total = None
        await self._load()

    async def _load(self) -> None:
        """Load and show the current page; the total may arrive later."""
        query = self._query
        try:
            filters = query.filters()
        except InvalidInput as error:
            self._show_filter_problem(error)
            return
        counting = asyncio.create_task(self._count(query, filters))
        try:
            asked = call_api(find_memories, self._context.tacit, query, filters, system_clock())
            found = await self._latest.run(asked)
            if found is None:
                return
            self._show(found)
            if found.total is None and (total := await self._latest.run(counting)) is not None:
                self._total = total
                self._range.set_text(range_text(found.skipped, len(found.memories), total))
        finally:
            counting.cancel()

    async def _count(self, query: ListQuery, filters: Filters) -> int:
        """How many memories match; paging and sorting do not change that."""
        if query.is_by_meaning:
            return 0
        if self._total is None:
            return await call_api(self._context.tacit.count, **filters)
        return self._total

    def _build_buttons(self) -> None:
        with box("row memories-doors"):
            if self._context.may_write:
                button("New memory", self._new, ButtonStyle.PRIMARY)
                button("Import", self._import)
            if self._context.may_export:
                link("Export", self._context.link(EXPORT_PATH), "button plain")

    async def _new(self) -> None:
        open_new_dialog(self._context, self.reload)

    async def _import(self) -> None:
        await open_import_dialog(self._context, self.reload)

    async def _show_page(self, query: ListQuery) -> None:
        self._query = query
        self._bar.show_query(query)
        address = self._context.link(MEMORIES.path, **query.to_query())
        ui.run_javascript(f"history.replaceState(history.state, '', {json.dumps(address)})")
        await self._load()

    async def _sort(self, sort: Sort) -> None:
        self._previous_queries.clear()
        await self._show_page(replace(self._query, sort=sort, after=None, skipped=0))

    async def _next_page(self) -> None:
        found = self._found
        self._previous_queries.append(self._query)
        skipped = found.skipped + len(found.memories)
        await self._show_page(replace(self._query, after=found.memories[-1].id, skipped=skipped))

    async def _previous_page(self) -> None:
        first = replace(self._query, after=None, skipped=0)
        await self._show_page(self._previous_queries.pop() if self._previous_queries else first)

    def _show(self, found: ListResult) -> None:
        self._found, now = found, system_clock()
        rows = [
            to_row(each, now, memory_link(self._context, each.id), found.relevance.get(each.id))
            for each in found.memories
        ]
        self._selected |= {each.id: each for each in found.memories if each.id in self._selected}
        self._table.show(rows, self._selected)
        self._table.set_visibility(bool(rows))
        self._range.set_text(range_text(found.skipped, len(rows), found.total))
        self._show_notices(found)
        self._update_controls(found)

    def _show_filter_problem(self, error: InvalidInput) -> None:
        """Show which filter is invalid, and no rows."""
        self._latest.cancel()
        self._found = ListResult()
        self._table.show(())
        self._table.set_visibility(False)
        self._range.set_text("Nothing was looked for")
        self._notices.clear()
        with self._notices:
            empty(
                "A filter makes no sense",
                f"{filter_problem_text(error)}. Correct it, or clear the filters.",
            )
        self._update_controls(self._found)
        self._bar.show_problem(error)

    def _update_controls(self, found: ListResult) -> None:
        """Show the controls that apply to the current page."""
        self._previous.set_visibility(found.skipped > 0)
        self._next.set_visibility(found.has_more)
        self._clear.set_visibility(not self._query.is_unfiltered)
        self._sort_control.set_enabled(not self._query.is_by_meaning)

    def _show_notices(self, found: ListResult) -> None:
        """Show warnings about the result, or an empty state."""
        self._notices.clear()
        with self._notices:
            for left_out in (*found.degraded, *found.notes):
                notice(left_out)
            if not found.memories:
                self._show_empty()

    def _show_empty(self) -> None:
        if self._query.is_unfiltered and self._query.skipped == 0:
            empty(
                "Nothing is remembered yet",
                "Write a first memory, import a file, or let an agent learn from its turns.",
            )
        elif self._query.is_by_meaning:
            empty("Nothing comes close", "Meaning is looked for among live memories only.")
        else:
            empty("No memory matches", "Loosen a filter, or clear them all.")

    def _select(self, ids: Sequence[str]) -> None:
        known = {**self._selected, **{each.id: each for each in self._found.memories}}
        self._set_selection([known[id] for id in ids if id in known])

    def _set_selection(self, memories: Sequence[Memory]) -> None:
        self._selected = {each.id: each for each in memories}
        self._actions.show(tuple(self._selected.values()))

    async def _selection_done(self) -> None:
        """Clear the selection and load again after a bulk action."""
        self._set_selection(())
        await self.reload()


LIST = PageRoute(MEMORIES, build_list_page)
PAGES = (LIST, MEMORY)
