"""Actions on a session: pause, fork, compact, end, reset and clear."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.element import Element

from tacit.core.errors import InvalidInput
from tacit.language.compaction import CompactionLevel
from tacit.turn.compaction import Compaction
from tacit.turn.session_view import Reset, SessionReport
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import ButtonStyle, button, confirm, copy_button, dialog, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import figure, notice
from tacit.ui.kit.elements import add_text, box, focus, heading
from tacit.ui.navigation import session_link
from tacit.ui.page_context import PageContext
from tacit.ui.pages.sessions.view_model import (
    EXAMPLE_MESSAGES,
    HISTORY_FIELD,
    format_messages,
    parse_messages,
)

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


class SessionActions:
    """The buttons of a session; `reload` shows it again afterwards.

    `ground` is an element that a reload does not rebuild.
    """

    def __init__(
        self,
        context: PageContext,
        report: SessionReport,
        reload: Callable[[], Awaitable[Any]],
        ground: Element,
    ) -> None:
        self._context, self._tacit, self._reload = context, context.tacit, reload
        self._id, self._is_paused = report.session.id, report.is_paused
        self._ground = ground

    def build(self) -> Element:
        """Build the buttons; returns the first."""
        with box("row"):
            if self._is_paused:
                first = self._button("Resume", self._resume, ButtonStyle.PRIMARY)
            else:
                first = self._button("Pause", self._pause)
            self._button("Fork…", self._fork)
            self._button("Compact…", self._compact)
            self._button("End…", self._end)
            self._button("Reset…", self._reset, ButtonStyle.DANGER)
            self._button("Clear…", self._clear, ButtonStyle.DANGER)
        return first

    def _button(
        self, text: str, act: Callable[[], Awaitable[None]], style: ButtonStyle = ButtonStyle.PLAIN
    ) -> Element:
        """A button whose dialog survives a reload of the session."""

        async def pressed() -> None:
            with self._ground:
                await act()

        return button(text, pressed, style)

    async def _pause(self) -> None:
        await call_api(self._tacit.sessions.pause, session=self._id)
        await self._reload()
        toast("Paused: nothing is read for this session and nothing is written.", self._resume)

    async def _resume(self) -> None:
        await call_api(self._tacit.sessions.resume, session=self._id)
        await self._reload()
        toast("This session is served again.")

    async def _end(self) -> None:
        async def act() -> None:
            waiting = await call_api(self._tacit.end_session, self._id)
            toast(f"Ended. {_waiting_text(waiting)}")

        confirm("End this session?", _END, "End", act, ButtonStyle.PRIMARY)

    async def _reset(self) -> None:
        async def act() -> None:
            self._show_reset(
                await call_api(self._tacit.sessions.reset_memory_injection_tracking, self._id)
            )
            await self._reload()

        confirm("Reset what this session was shown?", _RESET, "Reset", act)

    async def _clear(self) -> None:
        async def act() -> None:
            self._show_reset(await call_api(self._tacit.sessions.clear, self._id))
            await self._reload()

        confirm("Clear the history of this session?", _CLEAR, "Clear", act)

    async def _fork(self) -> None:
        shown, inside = dialog("Fork this session")

        async def go() -> None:
            try:
                branch = await call_api(
                    self._tacit.sessions.fork, self._id, str(name.value or "").strip()
                )
            except InvalidInput as error:
                name.show_problem(error.problem)
                return
            ui.navigate.to(session_link(self._context, branch.id))

        async def leave() -> None:
            shown.close()

        with inside:
            add_text(_FORK, tag="p")
            name = Control(ControlKind.TEXT, "Id of the branch", f"{self._id}-2", on_enter=go)
            with box("actions"):
                button("Cancel", leave)
                button("Fork", go, ButtonStyle.PRIMARY)
        shown.open()

    async def _compact(self) -> None:
        open_compact_dialog(self._context, self._id, self._reload)

    def _show_reset(self, reset: Reset) -> None:
        memories = "memory" if reset.cleared == 1 else "memories"
        turns = "open turn was" if reset.abandoned_turns == 1 else "open turns were"
        abandoned = (
            f" {reset.abandoned_turns:,} {turns} abandoned." if reset.abandoned_turns else ""
        )
        toast(f"{reset.cleared:,} {memories} may come again.{abandoned}")


def _waiting_text(turns: int) -> str:
    if not turns:
        return "Nothing waits to be learned."
    return f"{'1 turn waits' if turns == 1 else f'{turns:,} turns wait'} for the model to read."


_ABOUT_COMPACTION = (
    "The server keeps no messages, so paste the history as your program holds it. Its oldest part"
    " is summed up, and memories whose blocks go with it may come again. Go on with the messages"
    " that come back; from then on the session counts on that."
)
_NOTHING_DROPPED = "Nothing had to go: this fills too little of the window. Choose how much goes."
_BY_USE = "auto"
_LEVELS = {
    _BY_USE: "By how full it is",
    CompactionLevel.BACKGROUND: "Background: the oldest 30%",
    CompactionLevel.AGGRESSIVE: "Aggressive: the older half",
    CompactionLevel.EMERGENCY: "Emergency: the older half, without a summary",
}


def open_compact_dialog(
    context: PageContext, session: str, reload: Callable[[], Awaitable[Any]]
) -> None:
    """Ask for the messages, compact them, and show the result."""
    shown, inside = dialog("Compact the history", wide=True)

    async def leave() -> None:
        shown.close()

    async def go() -> None:
        history.show_problem(None)
        try:
            messages = parse_messages(str(history.value or ""))
            chosen = None if level.value == _BY_USE else level.value
            done = await call_api(
                context.tacit.compact, session=session, history=messages, level=chosen
            )
        except InvalidInput as error:
            if not error.field.startswith(HISTORY_FIELD):
                raise
            history.show_problem(error.problem)
            return
        if not done.dropped:
            history.show_problem(_NOTHING_DROPPED)
            return
        await reload()
        inside.clear()
        with inside:
            focus(_show_compaction(done))
            with box("actions"):
                button("Close", leave)

    with inside:
        add_text(_ABOUT_COMPACTION, tag="p")
        history = Control(
            ControlKind.AREA, "Messages, as JSON", "", rows=8, placeholder=EXAMPLE_MESSAGES
        )
        level = Control(ControlKind.SELECT, "How much goes", _BY_USE, options=_LEVELS)
        with box("actions"):
            button("Cancel", leave)
            button("Compact", go, ButtonStyle.PRIMARY)
    shown.open()


def _show_compaction(done: Compaction) -> Element:
    """Show what was dropped, the tokens saved and the messages; returns the heading."""
    head = heading("Compacted")
    head.props["tabindex"] = "-1"
    with box("figures"):
        figure("messages went", f"{done.dropped:,}")
        figure("tokens", f"{done.tokens_before:,} → {done.tokens_after:,}")
        figure("memories may come again", f"{done.released:,}")
    for note in done.degraded:
        notice(note, "warn")
    if done.summary:
        heading("The summary", 3)
        add_text(done.summary, "passage", tabindex="0", role="region", aria_label="The summary")
    messages, label = format_messages(done.messages), "Messages to go on with"
    with box("spread"):
        heading(label, 3)
        copy_button(messages)
    add_text(messages, "block-text", "pre", tabindex="0", role="region", aria_label=label)
    return head
