"""The page of one memory: its statement, its buttons, and everything known about it."""

from collections.abc import Sequence
from contextlib import suppress

from nicegui.element import Element

from tacit.core.changes import AuditEntry
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.keys import Role
from tacit.core.kinds import Action, State
from tacit.core.memory import Memory
from tacit.runtime.clock import system_clock
from tacit.turn.block import shorten
from tacit.ui.api_calls import call_api
from tacit.ui.erase_dialog import open_erase_dialog
from tacit.ui.kit.buttons import ButtonStyle, button, toast
from tacit.ui.kit.display import badge, card, empty
from tacit.ui.kit.elements import add_text, box, link
from tacit.ui.navigation import MEMORIES
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.memories.bulk_actions import (
    BulkAction,
    BulkForget,
    BulkRestore,
    BulkResult,
    expire_action,
    pin_action,
    run_step,
)
from tacit.ui.pages.memories.details import show_details, show_history, show_marks, show_usage
from tacit.ui.pages.memories.editor import MemoryEditor
from tacit.ui.pages.memories.links import MAX_LABEL, LinksPanel
from tacit.ui.pages.memories.view_model import last_known_memory, successor_ids

_ERASE_WARNING = (
    "The words of this memory, its history, links and vectors, and every block and turn that shows"
    " them, are overwritten. It cannot be undone. Copies outside, such as backups and exports,"
    " are not reached. To hide it instead, forget it."
)


async def build_memory_page(context: PageContext) -> None:
    """The memory that the address names."""
    await MemoryPage(context, context.query["id"]).build()


class MemoryPage:
    """One memory and everything around it, rebuilt whenever it changes."""

    def __init__(self, context: PageContext, id: str) -> None:
        self._context = context
        self._id = id
        self._is_edited = False

    async def build(self) -> None:
        """Build the page."""
        link("All memories", self._context.link(MEMORIES.path), "memory-back")
        self._place = box("stack")
        await self.show()

    async def show(self) -> None:
        """Load and show the memory, unless it is being edited."""
        if self._is_edited:
            return
        try:
            memory, history = await self._read()
        except (NotFound, InvalidInput):
            memory, history = None, ()
        self._place.clear()
        with self._place:
            if memory is None:
                self._show_missing(history)
            else:
                await self._fill(memory, history)

    async def _fill(self, memory: Memory, history: Sequence[AuditEntry]) -> None:
        successors = await self._load_successors(memory, history)
        with box("columns memory-page"):
            with box("stack"):
                self._show_statement(memory)
                show_details(self._context, memory, successors)
            with box("stack"):
                links = card("Links")
                show_usage(self._context, memory)
                await show_marks(self._context, memory)
        links_panel = LinksPanel(self._context, memory, links, successors)
        await links_panel.build()
        show_history(self._context, history, {**links_panel.texts, **successors})

    async def _read(self) -> tuple[Memory | None, Sequence[AuditEntry]]:
        """The memory and its history; a forgotten one is restored from its history."""
        tacit = self._context.tacit
        history = await call_api(tacit.memories.history, self._id)
        try:
            return await call_api(tacit.get, self._id), history
        except NotFound:
            return last_known_memory(history, self._context.workspace), history

    async def _load_successors(
        self, memory: Memory, history: Sequence[AuditEntry]
    ) -> dict[str, str]:
        """The words of what replaced the memory, by id, unless that is forgotten or erased."""
        found: dict[str, str] = {}
        for id in successor_ids(memory, history):
            with suppress(NotFound):
                successor = await call_api(self._context.tacit.get, id)
                found[id] = shorten(successor.content, MAX_LABEL)
        return found

    def _show_missing(self, history: Sequence[AuditEntry]) -> None:
        if any(entry.action is Action.ERASE for entry in history):
            empty("This memory was erased", "Its words are gone for good; only its dates are left.")
            show_history(self._context, history, {})
        else:
            empty("There is no such memory here", "It may be of another workspace.")

    def _show_statement(self, memory: Memory) -> None:
        with card(classes="memory-statement") as place:
            with box("row"):
                badge(str(memory.type), "accent")
                _state_badge(memory)
                if memory.pinned:
                    badge("pinned", "good")
                if memory.key:
                    add_text(memory.key, "code", "code")
            add_text(memory.content, "statement", "p")
            if self._context.may_write:
                with box("row"):
                    self._build_buttons(memory, place)

    def _build_buttons(self, memory: Memory, place: Element) -> None:
        if memory.forgotten:
            self._add_button("Restore", BulkRestore(), ButtonStyle.PRIMARY)
        else:
            self._edit_button(memory, place)
            self._add_button("Unpin" if memory.pinned else "Pin", pin_action(not memory.pinned))
            if memory.state(system_clock()) is not State.PAST:
                self._add_button("Expire now", expire_action(system_clock()))
            self._add_button("Forget", BulkForget(), ButtonStyle.DANGER)
        if self._context.may(Role.ADMIN):
            button("Erase", self._open_erase_dialog, ButtonStyle.DANGER)

    def _edit_button(self, memory: Memory, place: Element) -> None:
        async def edit() -> None:
            place.clear()
            with place:
                self._is_edited = True
                MemoryEditor(self._context, memory, self._leave_editor)

        button("Edit", edit, ButtonStyle.PRIMARY)

    async def _leave_editor(self) -> None:
        self._is_edited = False
        await self.show()

    def _add_button(
        self, name: str, action: BulkAction, style: ButtonStyle = ButtonStyle.PLAIN
    ) -> None:
        async def act() -> None:
            with self._place:
                await self._run_action(action)

        button(name, act, style)

    async def _run_action(self, action: BulkAction) -> None:
        """Run an action, show the memory again, and offer to undo it."""
        step = next(iter(action.steps(self._context.tacit, [self._id])))
        outcome, _ = await call_api(run_step, step)

        async def undo() -> None:
            back, _ = await call_api(
                run_step, next(iter(action.undo_steps(self._context.tacit, outcome.done)))
            )
            toast(_result_text(back, "put back"))
            await self.show()

        toast(_result_text(outcome, action.past_tense), undo if outcome.done else None)
        await self.show()

    async def _open_erase_dialog(self) -> None:
        open_erase_dialog(
            "Erase this memory for good",
            _ERASE_WARNING,
            lambda: call_api(self._context.tacit.erase, self._id),
            self.show,
        )


def _state_badge(memory: Memory) -> None:
    state = memory.state(system_clock())
    badge(str(state), "good" if state is State.LIVE else "warn")


def _result_text(outcome: BulkResult, past: str) -> str:
    """The result of an action on this memory."""
    if outcome.done:
        return f"The memory is {past}."
    if outcome.queued:
        return "Only a person may do this; it waits at Review."
    return "; ".join(outcome.failures) or "Nothing had to be done."


MEMORY_ROUTE = PageRoute(
    MEMORIES, build_memory_page, path=f"{MEMORIES.path}/{{id}}", title="Memory"
)
