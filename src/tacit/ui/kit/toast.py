"""Toasts: what has just been done, and how to undo it."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import context, ui
from nicegui.element import Element

from tacit.ui.kit.button import Look, button
from tacit.ui.kit.element import box, say

_SECONDS = 20
AREA = "toasts"


def toast(text: str, undo: Callable[[], Awaitable[Any]] | None = None) -> None:
    """Say what was done; with `undo`, for as long as a person may need to think again."""
    with _area(), box("toast", role="status") as shown:

        def leave() -> None:
            if not shown.is_deleted:
                shown.delete()

        say(text)
        if undo is not None:

            async def take_back() -> None:
                await undo()
                leave()

            button("Undo", take_back, Look.QUIET)
        ui.timer(_SECONDS, leave, once=True)


def _area() -> Element:
    """Where toasts stand, whichever part of the page they come from."""
    client = context.client
    found = next((e for e in client.elements.values() if AREA in e.classes), None)
    return found if found is not None else client.content
