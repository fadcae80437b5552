"""Cards, badges, empty states and notices: the furniture of every page."""

from collections.abc import Iterable

from nicegui.element import Element

from tacit.ui.kit.element import box, heading, link, say


def card(title: str | None = None, text: str | None = None, classes: str = "") -> Element:
    """A card with a heading and a line about it; put more into it."""
    made = box(f"card {classes}", "section")
    with made:
        if title is not None:
            heading(title)
        if text is not None:
            say(text, "quiet", "p")
    return made


def badge(text: str, tone: str = "neutral", **attributes: str) -> Element:
    """A word with a colour: neutral, good, warn, bad, accent."""
    return say(text, f"badge {tone}", **attributes)


def figure(label: str, value: str, note: str = "") -> Element:
    """A number that matters, with what it is."""
    made = box("figure")
    with made:
        say(value, "value")
        say(label, "label")
        if note:
            say(note, "quiet note")
    return made


def empty(title: str, what_to_do: str, links: Iterable[tuple[str, str]] = ()) -> Element:
    """Nothing is here yet: why, and what to do about it."""
    made = box("empty")
    with made:
        say(title, "title", "p")
        say(what_to_do, "quiet", "p")
        for text, address in links:
            link(text, address, "button plain")
    return made


def notice(text: str, tone: str = "warn", title: str | None = None) -> Element:
    """Something to know before going on; put buttons into it."""
    made = box(f"notice {tone}", role="alert" if tone == "bad" else "status")
    with made:
        if title:
            say(title, "title", "strong")
        say(text, tag="p")
    return made
