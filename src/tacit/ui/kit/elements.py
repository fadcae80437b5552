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
    """An element to put others into; `aria_label` is written aria-label."""
    return _set_attributes(ui.element(tag), classes, attributes)


def add_text(text: str, classes: str = "", tag: str = "span", **attributes: Any) -> "Text":
    """Words."""
    return _set_attributes(Text(tag=tag, text=text), classes, attributes)


def link(text: str, address: str, classes: str = "", **attributes: Any) -> Element:
    """Words that lead to another page."""
    return add_text(text, classes, "a", href=address, **attributes)


def heading(text: str, level: int = 2, classes: str = "") -> Element:
    """The heading of a part of a page."""
    return add_text(text, classes, f"h{level}")


class Text(TextElement):
    """An element with text; `set_text` says something else, and the element stays."""


def _set_attributes(element: AnyElement, classes: str, attributes: dict[str, Any]) -> AnyElement:
    if classes:
        element.classes(classes)
    for name, value in attributes.items():
        if value is not None and value is not False:
            element.props[name.rstrip("_").replace("_", "-")] = value
    return element


def timestamp(at: datetime | str | None, *, none: str = "–", short: bool = False) -> Element:
    """A time as the viewer's clock tells it; the exact one is its title."""
    if at is None:
        return add_text(none, "quiet")
    told = at if isinstance(at, str) else to_rfc3339(at)
    return add_text(told, "moment", "tacit-time", datetime=told, short=short)


REMOVED, ADDED, DIFFERENT = "del", "ins", "mark"
"""How words are marked that only one text has: the older, the newer, or one of two."""

_LONG_TEXT = 1_000


def marked_text(side: MarkedText, mark: str = ADDED) -> Element:
    """A text in pieces; a long one scrolls, by keyboard too."""
    is_long = sum(len(piece.text) for piece in side) > _LONG_TEXT
    element = box("compared", "p", tabindex="0" if is_long else None)
    with element:
        for piece in side:
            add_text(piece.text, tag=mark if piece.is_unique else "span")
    return element


def set_hidden(element: Element, is_hidden: bool) -> None:
    """Leave an element out, or not; the browser hears of it where that is new."""
    if bool(element.props.get("hidden")) == is_hidden:
        return
    if is_hidden:
        element.props["hidden"] = True
    else:
        element.props.pop("hidden", None)
    element.update()


_TRIES, _PAUSE_MS = 20, 25


def focus(element: Element) -> None:
    """Go on from an element, as soon as the browser has drawn it."""
    name = str(element.props.get("id", element.html_id))
    ui.run_javascript(
        f"""(function seek(tries) {{
            const found = document.getElementById({json.dumps(name)});
            if (found) found.focus();
            else if (tries > 0) setTimeout(() => seek(tries - 1), {_PAUSE_MS});
        }})({_TRIES})"""
    )
