"""Buttons and what they open: dialogs, toasts, and the browser's question about unsaved changes."""

import json
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

from nicegui import context, ui
from nicegui.element import Element

from tacit.ui.api_calls import report_errors
from tacit.ui.kit.elements import add_text, box, heading


class ButtonStyle(StrEnum):
    """How much a button stands out."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"
    QUIET = "quiet"


def button(
    text: str,
    act: Callable[[], Awaitable[Any]],
    style: ButtonStyle = ButtonStyle.PLAIN,
    *,
    enabled: bool = True,
    **attributes: Any,
) -> Element:
    """A button; it is disabled while `act` runs, and errors are shown on the page."""
    element = add_text(text, f"button {style}", "button", type="button", **attributes)

    async def pressed() -> None:
        if "disabled" in element.props:  # pressed again before the browser heard of it
            return
        set_enabled(element, False)
        try:
            await report_errors(act)()
        finally:
            if not element.is_deleted:
                set_enabled(element, True)

    element.on("click", pressed)
    set_enabled(element, enabled)
    return element


def set_enabled(element: Element, enabled: bool) -> None:
    """Enable or disable a button."""
    if enabled:
        element.props.pop("disabled", None)
    else:
        element.props["disabled"] = True
    element.update()


_COPY_HANDLER = """(event) => {
    const pressed = event.currentTarget;
    navigator.clipboard?.writeText(pressed.dataset.text).then(() => {
        pressed.textContent = "Copied";
        setTimeout(() => { pressed.textContent = pressed.dataset.name; }, 1500);
    });
}"""


def copy_button(text: str, name: str = "Copy", **attributes: str) -> Element:
    """A button that copies a text to the clipboard; browsers allow that in secure contexts."""
    element = add_text(name, "button quiet", "button", type="button", data_name=name, **attributes)
    element.props["data-text"] = text
    element.on("click", js_handler=_COPY_HANDLER)
    return element


def dialog(title: str, *, wide: bool = False) -> tuple[ui.dialog, Element]:
    """A dialog and the element to fill. Call `open()` when it is filled; Escape closes it."""
    shown = ui.dialog()
    shown.props["aria-label"] = title
    with shown, box(f"card dialog {'wide' if wide else ''}") as inside:
        heading(title)
    shown.on("hide", shown.delete)
    return shown, inside


def dialog_buttons(
    shown: ui.dialog,
    text: str,
    act: Callable[[], Awaitable[Any]],
    style: ButtonStyle = ButtonStyle.PRIMARY,
) -> None:
    """The last row of a dialog: Cancel, and a button that acts and then closes it."""

    async def go_on() -> None:
        await act()
        shown.close()

    async def leave() -> None:
        shown.close()

    with box("actions"):
        button("Cancel", leave)
        button(text, go_on, style)


def confirm(
    title: str,
    text: str,
    go_on: str,
    act: Callable[[], Awaitable[Any]],
    style: ButtonStyle = ButtonStyle.DANGER,
) -> None:
    """Ask for confirmation before something that cannot be undone."""
    shown, inside = dialog(title)
    with inside:
        add_text(text, tag="p")
        dialog_buttons(shown, go_on, act, style)
    shown.open()


def confirm_button(
    text: str, act: Callable[[], Awaitable[Any]], title: str, about: str, **attributes: Any
) -> Element:
    """A button that asks for confirmation before it acts."""

    async def ask() -> None:
        confirm(title, about, text, act)

    return button(text, ask, ButtonStyle.DANGER, **attributes)


_TOAST_SECONDS = 20
TOAST_AREA = "toasts"


def toast(text: str, undo: Callable[[], Awaitable[Any]] | None = None) -> None:
    """Show for a while what was done, with an Undo button if `undo` is given."""
    with _find_toast_area(), box("toast", role="status") as shown:

        def leave() -> None:
            if not shown.is_deleted:
                shown.delete()

        add_text(text)
        if undo is not None:

            async def take_back() -> None:
                await undo()
                leave()

            button("Undo", take_back, ButtonStyle.QUIET)
        ui.timer(_TOAST_SECONDS, leave, once=True)


def _find_toast_area() -> Element:
    """The area for toasts, whichever part of the page they come from."""
    client = context.client
    found = next((e for e in client.elements.values() if TOAST_AREA in e.classes), None)
    return found if found is not None else client.content


class UnsavedChanges:
    """The parts of a page with unsaved changes; the browser asks before the page is left."""

    def __init__(self) -> None:
        self._parts: set[str] = set()

    def mark(self, part: str, is_unsaved: bool) -> None:
        """Set whether a part has unsaved changes, and tell the browser if that is news."""
        before = bool(self._parts)
        if is_unsaved:
            self._parts.add(part)
        else:
            self._parts.discard(part)
        if bool(self._parts) != before:
            ui.run_javascript(f"window.tacitUnsaved = {json.dumps(not before)}")
