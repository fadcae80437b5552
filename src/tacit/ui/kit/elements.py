"""Plain HTML elements: boxes, text, links, timestamps, and texts with marked differences.

Text is always set as text, never as markup.
"""

import json
from datetime import datetime
from typing import Any, TypeVar

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from tacit.core.times import to_rfc3339
from tacit.ui.text_diff import MarkedText

AnyElement = TypeVar("AnyElement", bound=Element)


def box(classes: str = "", tag: str = "div", **attributes: Any) -> Element:
    """An element to put others into; `aria_label` becomes the attribute aria-label."""
    return _set_attributes(ui.element(tag), classes, attributes)


def add_text(text: str, classes: str = "", tag: str = "span", **attributes: Any) -> "Text":
    """An element with a text."""
    return _set_attributes(Text(tag=tag, text=text), classes, attributes)


def link(text: str, address: str, classes: str = "", **attributes: Any) -> Element:
    """A link to another page."""
    return add_text(text, classes, "a", href=address, **attributes)


def heading(text: str, level: int = 2, classes: str = "") -> Element:
    """A heading."""
    return add_text(text, classes, f"h{level}")


class Text(TextElement):
    """An element with a text; `set_text` changes it in place."""


def _set_attributes(element: AnyElement, classes: str, attributes: dict[str, Any]) -> AnyElement:
    if classes:
        element.classes(classes)
    for name, value in attributes.items():
        if value is not None and value is not False:
            element.props[name.rstrip("_").replace("_", "-")] = value
    return element


def timestamp(at: datetime | str | None, *, none: str = "–", short: bool = False) -> Element:
    """A time in the viewer's own time zone; the tooltip shows it in UTC."""
    if at is None:
        return add_text(none, "quiet")
    time = at if isinstance(at, str) else to_rfc3339(at)
    return add_text(time, "moment", "tacit-time", datetime=time, short=short)


REMOVED, ADDED, DIFFERENT = "del", "ins", "mark"
"""The tags of words that only one text has: the older, the newer, or one of two equal texts."""

_LONG_TEXT = 1_000


def marked_text(side: MarkedText, mark: str = ADDED) -> Element:
    """A text with its own words marked; a long one scrolls, also by keyboard."""
    is_long = sum(len(piece.text) for piece in side) > _LONG_TEXT
    element = box("compared", "p", tabindex="0" if is_long else None)
    with element:
        for piece in side:
            add_text(piece.text, tag=mark if piece.is_unique else "span")
    return element


def set_hidden(element: Element, is_hidden: bool) -> None:
    """Hide or show an element; the browser is told only if that changes."""
    if bool(element.props.get("hidden")) == is_hidden:
        return
    if is_hidden:
        element.props["hidden"] = True
    else:
        element.props.pop("hidden", None)
    element.update()


_TRIES, _PAUSE_MS = 20, 25


def focus(element: Element) -> None:
    """Move the keyboard focus to an element as soon as the browser has drawn it."""
    name = str(element.props.get("id", element.html_id))
    ui.run_javascript(
        f"""(function seek(tries) {{
            const found = document.getElementById({json.dumps(name)});
            if (found) found.focus();
            else if (tries > 0) setTimeout(() => seek(tries - 1), {_PAUSE_MS});
        }})({_TRIES})"""
    )
