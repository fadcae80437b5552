"""Bars: how much of something there is, at a glance and in words."""

from nicegui.element import Element

from tacit.ui.kit.element import box, say


def bar(value: float, label: str, *, tone: str = "accent", shown: str | None = None) -> Element:
    """A small bar from 0 to 1, with its name before it and its value behind."""
    share = min(max(value, 0.0), 1.0)
    told = shown if shown is not None else f"{value:.2f}"
    made = box("bar", role="img", aria_label=f"{label}: {told}")
    with made:
        say(label, "name")
        with box("track"):
            box(f"fill {tone}").style(f"width: {100 * share:.1f}%")
        say(told, "told")
    return made
