"""Copying a text with one press."""

from nicegui.element import Element

from tacit.ui.kit.element import say

_COPY = """(event) => {
    const pressed = event.currentTarget;
    navigator.clipboard?.writeText(pressed.dataset.text).then(() => {
        pressed.textContent = "Copied";
        setTimeout(() => { pressed.textContent = pressed.dataset.name; }, 1500);
    });
}"""


def copying(text: str, name: str = "Copy", **attributes: str) -> Element:
    """A button that copies a text; the browser does it, where the page came safely."""
    made = say(name, "button quiet", "button", type="button", data_name=name, **attributes)
    made.props["data-text"] = text
    made.on("click", js_handler=_COPY)
    return made
