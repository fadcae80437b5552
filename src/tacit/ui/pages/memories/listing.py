"""The page of all memories: filters, a table, and what is done with those that are selected."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

from nicegui import ui

from tacit.core.errors import InvalidInput
from tacit.core.memory.filters import Filters
from tacit.core.memory.kinds import Sort
from tacit.core.memory.record import Memory
from tacit.runtime.clock import system_clock
from tacit.ui.addresses import memory_at
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import empty, notice
from tacit.ui.kit.control import Control
from tacit.ui.kit.element import box, link, say
from tacit.ui.latest import Latest
from tacit.ui.pages.memories.acting import Actions
from tacit.ui.pages.memories.archives import EXPORT
from tacit.ui.pages.memories.filters import FilterBar, sort_control
from tacit.ui.pages.memories.finding import Found, find
from tacit.ui.pages.memories.importing import open_import
from tacit.ui.pages.memories.row import row_of, span
from tacit.ui.pages.memories.table import Table
from tacit.ui.pages.memories.wish import Wish, refused
from tacit.ui.pages.memories.writing import open_new
from tacit.ui.rooms import MEMORIES
from tacit.ui.visit import Visit


async def build(visit: Visit) -> None:
    """All memories of a workspace, or those that the address asks for."""
    await Listing(visit).build()


class Listing:
    """The table with all that steers it; of several looks, the last one counts."""

    _bar: FilterBar
    _table: Table
    _actions: Actions
    _order: Control

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._wish = Wish.of(visit.query)
        self._found = Found()
        self._before: list[Wish] = []
        self._selected: dict[str, Memory] = {}
        self._latest = Latest()
        self._total: int | None = None

    async def build(self) -> None:
        """Build the page and look for the first time."""
        self._doors()
        self._bar = FilterBar(self._wish, self.wish_for)
        with box("card memories-list"):
            with box("spread"):
                self._span = say("", "memories-span", "div", role="status")
                with box("row ends"):
                    self._clear = button("Clear filters", self.clear, Look.QUIET)
                    self._order = sort_control(self._wish, self._sort)
            self._actions = Actions(self._visit, self._selection_done)
            self._said = box("stack")
            self._table = Table(selectable=self._visit.may_write, on_select=self._select)
            with box("memories-pages", "nav", aria_label="Pages of the table"):
                self._previous = button("Previous", self._go_back)
                self._next = button("Next", self._go_on)
        self._steer(self._found)
        self._table.set_visibility(False)
        await self.look()

    async def wish_for(self, wish: Wish) -> None:
        """Look for something else, from its first page on."""
        self._before.clear()
        self._total = None
        self._choose(())
        await self._go(wish)

    async def clear(self) -> None:
        """Look for everything."""
        self._bar.clear()
        await self.wish_for(Wish(sort=self._wish.sort))

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
            asked = ask(find, self._visit.tacit, wish, filters, system_clock())
            found = await self._latest.of(asked)
            if found is None:
                return
            self._show(found)
            if found.total is None and (total := await self._latest.of(counting)) is not None:
                self._total = total
                self._span.set_text(span(found.skipped, len(found.memories), total))
        finally:
            counting.cancel()

    async def _count(self, wish: Wish, filters: Filters) -> int:
        """How many there are in all; paging and sorting do not change that."""
        if wish.is_by_meaning:
            return 0
        if self._total is None:
            return await ask(self._visit.tacit.count, **filters)
        return self._total

    def _doors(self) -> None:
        with box("row memories-doors"):
            if self._visit.may_write:
                button("New memory", self._new, Look.PRIMARY)
                button("Import", self._import)
            if self._visit.may_export:
                link("Export", self._visit.link(EXPORT), "button plain")

    async def _new(self) -> None:
        open_new(self._visit, self.look)

    async def _import(self) -> None:
        await open_import(self._visit, self.look)

    async def _go(self, wish: Wish) -> None:
        self._wish = wish
        self._bar.follow(wish)
        aim = self._visit.link(MEMORIES.path, **wish.query)
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

    def _show(self, found: Found) -> None:
        self._found, now = found, system_clock()
        rows = [
            row_of(each, now, memory_at(self._visit, each.id), found.relevance.get(each.id))
            for each in found.memories
        ]
        self._selected |= {each.id: each for each in found.memories if each.id in self._selected}
        self._table.show(rows, self._selected)
        self._table.set_visibility(bool(rows))
        self._span.set_text(span(found.skipped, len(rows), found.total))
        self._say(found)
        self._steer(found)

    def _refuse(self, error: InvalidInput) -> None:
        """Say which filter makes no sense; rows that another one found would mislead."""
        self._latest.drop()
        self._found = Found()
        self._table.show(())
        self._table.set_visibility(False)
        self._span.set_text("Nothing was looked for")
        self._said.clear()
        with self._said:
            empty("A filter makes no sense", f"{refused(error)}. Correct it, or clear the filters.")
        self._steer(self._found)
        self._bar.object_to(error)

    def _steer(self, found: Found) -> None:
        """Let go where there is something to go to."""
        self._previous.set_visibility(found.skipped > 0)
        self._next.set_visibility(found.has_more)
        self._clear.set_visibility(not self._wish.is_free)
        self._order.enable(not self._wish.is_by_meaning)

    def _say(self, found: Found) -> None:
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
