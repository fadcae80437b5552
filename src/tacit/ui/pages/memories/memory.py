"""The page of one memory: what it says, what can be done with it, and all that is known of it."""

from collections.abc import Sequence

from nicegui.element import Element

from tacit.core.access.role import Role
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.memory.audit import AuditEntry
from tacit.core.memory.kinds import Action, State
from tacit.core.memory.record import Memory
from tacit.runtime.clock import system_clock
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import badge, card, empty
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.dialog import dialog
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.toast import toast
from tacit.ui.page import Page
from tacit.ui.pages.memories.chronicle import last_known
from tacit.ui.pages.memories.deed import Deed, Forgetting, Restoring, expiring, pinning, run
from tacit.ui.pages.memories.details import show_details
from tacit.ui.pages.memories.editing import Editor
from tacit.ui.pages.memories.marks import show_marks
from tacit.ui.pages.memories.neighbours import Neighbours
from tacit.ui.pages.memories.outcome import Outcome
from tacit.ui.pages.memories.past import show_history
from tacit.ui.pages.memories.uses import show_uses
from tacit.ui.rooms import MEMORIES
from tacit.ui.visit import Visit
from tacit.writing.erasure import Erasure

_WORD = "ERASE"
_ERASING = (
    "The words of this memory, its history, links and vectors, and every block and turn that shows"
    " them, are overwritten. It cannot be undone. Copies outside, such as backups and exports,"
    " are not reached. To hide it instead, forget it."
)


async def build(visit: Visit) -> None:
    """The memory that the address names."""
    await MemoryPage(visit, visit.query["id"]).build()


class MemoryPage:
    """One memory and everything around it, built anew whenever it changes."""

    def __init__(self, visit: Visit, id: str) -> None:
        self._visit = visit
        self._id = id
        self._is_edited = False

    async def build(self) -> None:
        """Show it."""
        link("All memories", self._visit.link(MEMORIES.path), "memory-back")
        self._place = box("stack")
        await self.show()

    async def show(self) -> None:
        """Show it as it is now; an open form stays, what is being written is worth more."""
        if self._is_edited:
            return
        try:
            memory, history = await self._read()
        except (NotFound, InvalidInput):
            memory, history = None, ()
        self._place.clear()
        with self._place:
            if memory is None:
                self._gone(history)
            else:
                await self._fill(memory, history)

    async def _fill(self, memory: Memory, history: Sequence[AuditEntry]) -> None:
        with box("columns memory-page"):
            with box("stack"):
                self._statement(memory)
                show_details(self._visit, memory)
            with box("stack"):
                links = card("Links")
                show_uses(self._visit, memory)
                await show_marks(self._visit, memory)
        neighbours = Neighbours(self._visit, memory, links)
        await neighbours.build()
        show_history(self._visit, history, neighbours.words)

    async def _read(self) -> tuple[Memory | None, Sequence[AuditEntry]]:
        """The memory and its history; a forgotten one is what its history says."""
        tacit = self._visit.tacit
        history = await ask(tacit.history, self._id)
        try:
            return await ask(tacit.get, self._id), history
        except NotFound:
            return last_known(history, self._visit.workspace), history

    def _gone(self, history: Sequence[AuditEntry]) -> None:
        if any(entry.action is Action.ERASE for entry in history):
            empty("This memory was erased", "Its words are gone for good; only its dates are left.")
            show_history(self._visit, history, {})
        else:
            empty("There is no such memory here", "It may be of another workspace.")

    def _statement(self, memory: Memory) -> None:
        with card(classes="memory-statement") as place:
            with box("row"):
                badge(str(memory.type), "accent")
                _state_badge(memory)
                if memory.pinned:
                    badge("pinned", "good")
                if memory.key:
                    say(memory.key, "code", "code")
            say(memory.content, "statement", "p")
            if self._visit.may_write:
                with box("row"):
                    self._buttons(memory, place)

    def _buttons(self, memory: Memory, place: Element) -> None:
        if memory.forgotten:
            self._deed("Restore", Restoring(), Look.PRIMARY)
        else:
            self._edit_button(memory, place)
            self._deed("Unpin" if memory.pinned else "Pin", pinning(not memory.pinned))
            if memory.state(system_clock()) is not State.PAST:
                self._deed("Expire now", expiring(system_clock()))
            self._deed("Forget", Forgetting(), Look.DANGER)
        if self._visit.may(Role.ADMIN):
            button("Erase", self._ask_to_erase, Look.DANGER)

    def _edit_button(self, memory: Memory, place: Element) -> None:
        async def edit() -> None:
            place.clear()
            with place:
                self._is_edited = True
                Editor(self._visit, memory, self._leave_editor)

        button("Edit", edit, Look.PRIMARY)

    async def _leave_editor(self) -> None:
        self._is_edited = False
        await self.show()

    def _deed(self, name: str, deed: Deed, look: Look = Look.PLAIN) -> None:
        async def act() -> None:
            with self._place:
                await self._do(deed)

        button(name, act, look)

    async def _do(self, deed: Deed) -> None:
        """Do it, show the memory as it is then, and offer to undo it."""
        step = next(iter(deed.steps(self._visit.tacit, [self._id])))
        outcome, _ = await ask(run, step)

        async def undo() -> None:
            back, _ = await ask(run, next(iter(deed.back(self._visit.tacit, outcome.done))))
            toast(_told(back, "put back"))
            await self.show()

        toast(_told(outcome, deed.past), undo if outcome.done else None)
        await self.show()

    async def _ask_to_erase(self) -> None:
        shown, inside = dialog("Erase this memory for good")

        async def erase() -> None:
            if word.value != _WORD:
                word.object_to(f"Type {_WORD} to go on.")
                return
            erasure = await ask(self._visit.tacit.erase, self._id)
            shown.close()
            with self._place:
                toast(_told_erasure(erasure))
                await self.show()

        async def leave() -> None:
            shown.close()

        with inside:
            say(_ERASING, tag="p")
            word = Control(Kind.TEXT, f"Type {_WORD}", "")
            with box("actions"):
                button("Cancel", leave)
                button("Erase for good", erase, Look.DANGER)
        shown.open()


def _state_badge(memory: Memory) -> None:
    state = memory.state(system_clock())
    badge(str(state), "good" if state is State.LIVE else "warn")


def _told_erasure(erasure: Erasure) -> str:
    """How much of each kind went, and what could not be reached."""
    gone = [
        f"{count:,} {kind.replace('_', ' ')}" for kind, count in erasure.removed.items() if count
    ]
    left = "; ".join(erasure.not_reached)
    return f"Erased: {', '.join(gone) or 'nothing'}.{' Not reached: ' + left if left else ''}"


def _told(outcome: Outcome, past: str) -> str:
    """What became of the one memory."""
    if outcome.done:
        return f"The memory is {past}."
    if outcome.queued:
        return "Only a person may do this; it waits at Review."
    return "; ".join(outcome.failures) or "Nothing had to be done."


PAGE = Page(MEMORIES, build, path=f"{MEMORIES.path}/{{id}}", title="Memory")
