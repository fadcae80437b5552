"""Parts of a page that are left out for now."""

from nicegui.element import Element


def hide(element: Element, is_hidden: bool) -> None:
    """Leave an element out, or not; the browser hears of it where that is new."""
    if bool(element.props.get("hidden")) == is_hidden:
        return
    if is_hidden:
        element.props["hidden"] = True
    else:
        element.props.pop("hidden", None)
    element.update()
