"""Buttons: plain ones of the page, which show when they are at work."""

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

from nicegui.element import Element

from tacit.ui.asking import handled
from tacit.ui.kit.element import say


class Look(StrEnum):
    """How much a button stands out."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"
    QUIET = "quiet"


def button(
    text: str,
    act: Callable[[], Awaitable[Any]],
    look: Look = Look.PLAIN,
    *,
    enabled: bool = True,
    **attributes: Any,
) -> Element:
    """A button; while it works it cannot be pressed again, and what fails is told at the page."""
    made = say(text, f"button {look}", "button", type="button", **attributes)

    async def pressed() -> None:
        if "disabled" in made.props:  # pressed again before the browser heard of it
            return
        enable(made, False)
        try:
            await handled(act)()
        finally:
            if not made.is_deleted:
                enable(made, True)

    made.on("click", pressed)
    enable(made, enabled)
    return made


def enable(made: Element, enabled: bool) -> None:
    """Let a button be pressed, or not."""
    if enabled:
        made.props.pop("disabled", None)
    else:
        made.props["disabled"] = True
    made.update()
