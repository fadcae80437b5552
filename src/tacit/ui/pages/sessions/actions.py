"""What can be done with a session."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.element import Element

from tacit.core.errors import InvalidInput
from tacit.turn.session_report import Reset, SessionReport
from tacit.ui.addresses import session_at
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.dialog import confirm, dialog
from tacit.ui.kit.element import box, say
from tacit.ui.kit.toast import toast
from tacit.ui.pages.sessions.compacting import compacting
from tacit.ui.visit import Visit

_RESET = (
    "Everything that was shown in this session may be shown again, and the blocks that stand in"
    " its history count as gone. This cannot be undone."
)
_CLEAR = (
    "Use this when the conversation itself was emptied. All that a reset does happens, and turns"
    " that have begun but not ended are dropped. This cannot be undone."
)
_END = (
    "Says that the conversation is over, so that a model, if one is set, reads the rest of it at"
    " once and learns from it. Nothing is closed: a further turn goes on as before."
)
_FORK = "The branch sees the same blocks. What it is shown from then on is its own."


class Actions:
    """The buttons of a session; `reload` shows it as it is afterwards, `ground` stays the same."""

    def __init__(
        self,
        visit: Visit,
        report: SessionReport,
        reload: Callable[[], Awaitable[Any]],
        ground: Element,
    ) -> None:
        self._visit, self._tacit, self._reload = visit, visit.tacit, reload
        self._id, self._is_paused = report.session.id, report.is_paused
        self._ground = ground

    def build(self) -> Element:
        """One button each; returns the first."""
        with box("row"):
            if self._is_paused:
                first = self._button("Resume", self._resume, Look.PRIMARY)
            else:
                first = self._button("Pause", self._pause)
            self._button("Fork…", self._fork)
            self._button("Compact…", self._compact)
            self._button("End…", self._end)
            self._button("Reset…", self._reset, Look.DANGER)
            self._button("Clear…", self._clear, Look.DANGER)
        return first

    def _button(
        self, text: str, act: Callable[[], Awaitable[None]], look: Look = Look.PLAIN
    ) -> Element:
        """A button whose dialog outlives it, since the session is shown anew behind it."""

        async def pressed() -> None:
            with self._ground:
                await act()

        return button(text, pressed, look)

    async def _pause(self) -> None:
        await ask(self._tacit.pause, session=self._id)
        await self._reload()
        toast("Paused: nothing is read for this session and nothing is written.", self._resume)

    async def _resume(self) -> None:
        await ask(self._tacit.resume, session=self._id)
        await self._reload()
        toast("This session is served again.")

    async def _end(self) -> None:
        async def act() -> None:
            waiting = await ask(self._tacit.end_session, self._id)
            toast(f"Ended. {_waiting(waiting)}")

        confirm("End this session?", _END, "End", act, Look.PRIMARY)

    async def _reset(self) -> None:
        async def act() -> None:
            self._told(await ask(self._tacit.reset_memory_injection_tracking, self._id))
            await self._reload()

        confirm("Reset what this session was shown?", _RESET, "Reset", act)

    async def _clear(self) -> None:
        async def act() -> None:
            self._told(await ask(self._tacit.clear, self._id))
            await self._reload()

        confirm("Clear the history of this session?", _CLEAR, "Clear", act)

    async def _fork(self) -> None:
        shown, inside = dialog("Fork this session")

        async def go() -> None:
            try:
                branch = await ask(self._tacit.fork, self._id, str(name.value or "").strip())
            except InvalidInput as error:
                name.object_to(error.problem)
                return
            ui.navigate.to(session_at(self._visit, branch.id))

        async def leave() -> None:
            shown.close()

        with inside:
            say(_FORK, tag="p")
            name = Control(Kind.TEXT, "Id of the branch", f"{self._id}-2", on_enter=go)
            with box("actions"):
                button("Cancel", leave)
                button("Fork", go, Look.PRIMARY)
        shown.open()

    async def _compact(self) -> None:
        compacting(self._visit, self._id, self._reload)

    def _told(self, reset: Reset) -> None:
        memories = "memory" if reset.cleared == 1 else "memories"
        turns = "open turn was" if reset.abandoned_turns == 1 else "open turns were"
        abandoned = (
            f" {reset.abandoned_turns:,} {turns} abandoned." if reset.abandoned_turns else ""
        )
        toast(f"{reset.cleared:,} {memories} may come again.{abandoned}")


def _waiting(turns: int) -> str:
    if not turns:
        return "Nothing waits to be learned."
    return f"{'1 turn waits' if turns == 1 else f'{turns:,} turns wait'} for the model to read."
