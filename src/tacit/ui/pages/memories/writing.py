"""A new memory, written at the page."""

from collections.abc import Awaitable, Callable
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.ui.asking import ask
from tacit.ui.form.unsaved import Unsaved
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.dialog import dialog
from tacit.ui.kit.element import box
from tacit.ui.kit.toast import toast
from tacit.ui.pages.memories.fields import FieldControls
from tacit.ui.pages.memories.form import EMPTY, given
from tacit.ui.visit import Visit
from tacit.writing.outcome import Status, Written

_PART = "new memory"
_TOLD = {
    Status.CREATED: "Remembered.",
    Status.KNOWN: "This was known already.",
    Status.UPDATED: "This was known; what you added is kept too.",
    Status.RESTORED: "This had been forgotten or had ended, and is back.",
    Status.QUEUED: "It waits for a person at Review.",
}


def open_new(visit: Visit, after: Callable[[], Awaitable[Any]]) -> None:
    """Ask what to remember."""
    shown, inside = dialog("New memory", wide=True)
    shown.props["persistent"] = True  # a slip of the hand must not lose what is written
    unsaved = Unsaved()
    with inside:

        def changed() -> None:
            unsaved.mark(_PART, fields.values != EMPTY)

        fields = FieldControls(EMPTY, changed)

        async def leave() -> None:
            unsaved.mark(_PART, False)
            shown.close()

        async def keep() -> None:
            fields.accept()
            try:
                written = await ask(visit.tacit.remember, **given(fields.values))
            except InvalidInput as error:
                if not fields.object_to(error):
                    raise
                return
            await leave()
            toast(told(written))
            await after()

        with box("actions"):
            button("Cancel", leave)
            button("Remember", keep, Look.PRIMARY)
    shown.open()


def told(written: Written) -> str:
    """What became of a new memory, in words."""
    said = _TOLD.get(written.status, str(written.status).capitalize() + ".")
    replaced = len(written.superseded)
    if replaced == 0:
        return said
    return f"{said} It replaces {'an older one' if replaced == 1 else f'{replaced:,} older ones'}."
