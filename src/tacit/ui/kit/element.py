"""Plain elements: boxes and words. What is said is always text, never markup."""

from typing import Any, TypeVar

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

AnyElement = TypeVar("AnyElement", bound=Element)


def box(classes: str = "", tag: str = "div", **attributes: Any) -> Element:
    """An element to put others into; `aria_label` is written aria-label."""
    return _with(ui.element(tag), classes, attributes)


def say(text: str, classes: str = "", tag: str = "span", **attributes: Any) -> "Words":
    """Words."""
    return _with(Words(tag=tag, text=text), classes, attributes)


def link(text: str, address: str, classes: str = "", **attributes: Any) -> Element:
    """Words that lead to another page."""
    return say(text, classes, "a", href=address, **attributes)


def heading(text: str, level: int = 2, classes: str = "") -> Element:
    """The heading of a part of a page."""
    return say(text, classes, f"h{level}")


class Words(TextElement):
    """An element with text; `set_text` says something else, and the element stays."""


def _with(element: AnyElement, classes: str, attributes: dict[str, Any]) -> AnyElement:
    if classes:
        element.classes(classes)
    for name, value in attributes.items():
        if value is not None and value is not False:
            element.props[name.rstrip("_").replace("_", "-")] = value
    return element
