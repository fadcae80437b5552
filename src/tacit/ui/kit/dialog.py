"""Questions before something that matters, and dialogs in general."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.element import Element

from tacit.ui.kit.button import Look, button
from tacit.ui.kit.element import box, heading, say


def dialog(title: str, *, wide: bool = False) -> tuple[ui.dialog, Element]:
    """A dialog and the element to fill; Escape closes it. Call `open()` when it is filled."""
    shown = ui.dialog()
    shown.props["aria-label"] = title
    with shown, box(f"card dialog {'wide' if wide else ''}") as inside:
        heading(title)
    shown.on("hide", shown.delete)
    return shown, inside


def buttons_of(
    shown: ui.dialog, text: str, act: Callable[[], Awaitable[Any]], look: Look = Look.PRIMARY
) -> None:
    """The last row of a dialog: go on, which closes it where that works out, or leave it."""

    async def go_on() -> None:
        await act()
        shown.close()

    async def leave() -> None:
        shown.close()

    with box("actions"):
        button("Cancel", leave)
        button(text, go_on, look)


def confirm(
    title: str, text: str, go_on: str, act: Callable[[], Awaitable[Any]], look: Look = Look.DANGER
) -> None:
    """Ask before something that cannot be undone."""
    shown, inside = dialog(title)
    with inside:
        say(text, tag="p")
        buttons_of(shown, go_on, act, look)
    shown.open()


def asking_button(
    text: str, act: Callable[[], Awaitable[Any]], title: str, about: str, **attributes: Any
) -> Element:
    """A button for what cannot be undone: it asks before it acts."""

    async def wish() -> None:
        confirm(title, about, text, act)

    return button(text, wish, Look.DANGER, **attributes)
