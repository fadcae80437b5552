"""The dialog that makes room in a history."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui.element import Element

from tacit.core.errors import InvalidInput
from tacit.language.history.usage import Level
from tacit.turn.compaction import Compaction
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import figure, notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.copying import copying
from tacit.ui.kit.dialog import dialog
from tacit.ui.kit.element import box, heading, say
from tacit.ui.kit.focus import focus
from tacit.ui.pages.sessions.pasted import EXAMPLE, FIELD, pasted, written
from tacit.ui.visit import Visit

_ABOUT = (
    "The server keeps no messages, so paste the history as your program holds it. Its oldest part"
    " is summed up, and memories whose blocks go with it may come again. Go on with the messages"
    " that come back; from then on the session counts on that."
)
_NOTHING = "Nothing had to go: this fills too little of the window. Choose how much goes."
_BY_USE = "auto"
_LEVELS = {
    _BY_USE: "By how full it is",
    Level.BACKGROUND: "Background: the oldest 30%",
    Level.AGGRESSIVE: "Aggressive: the older half",
    Level.EMERGENCY: "Emergency: the older half, without a summary",
}


def compacting(visit: Visit, session: str, reload: Callable[[], Awaitable[Any]]) -> None:
    """Ask for the messages, and show what is left of them."""
    shown, inside = dialog("Compact the history", wide=True)

    async def leave() -> None:
        shown.close()

    async def go() -> None:
        history.object_to(None)
        try:
            messages = pasted(str(history.value or ""))
            chosen = None if level.value == _BY_USE else level.value
            done = await ask(visit.tacit.compact, session=session, history=messages, level=chosen)
        except InvalidInput as error:
            if not error.field.startswith(FIELD):
                raise
            history.object_to(error.problem)
            return
        if not done.dropped:
            history.object_to(_NOTHING)
            return
        await reload()
        inside.clear()
        with inside:
            focus(_show(done))
            with box("actions"):
                button("Close", leave)

    with inside:
        say(_ABOUT, tag="p")
        history = Control(Kind.AREA, "Messages, as JSON", "", rows=8, placeholder=EXAMPLE)
        level = Control(Kind.SELECT, "How much goes", _BY_USE, options=_LEVELS)
        with box("actions"):
            button("Cancel", leave)
            button("Compact", go, Look.PRIMARY)
    shown.open()


def _show(done: Compaction) -> Element:
    """What went, what that saves, and the messages to go on with; returns the heading."""
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
        say(done.summary, "passage", tabindex="0", role="region", aria_label="The summary")
    messages, label = written(done.messages), "Messages to go on with"
    with box("spread"):
        heading(label, 3)
        copying(messages)
    say(messages, "block-text", "pre", tabindex="0", role="region", aria_label=label)
    return head
