"""Tables: headings, and a body to put rows into."""

from collections.abc import Collection, Sequence

from nicegui.element import Element

from tacit.ui.kit.element import box, say


def table(
    label: str,
    headings: Sequence[str],
    classes: str = "",
    *,
    numbers: Collection[str] = (),
    unseen: Collection[str] = (),
) -> Element:
    """A table that scrolls where it is too wide; gives its body.

    `numbers` are headings over figures, and `unseen` those that are there to be read aloud only.
    """
    with (
        box("scroll", tabindex="0", role="region", aria_label=label),
        box(f"table {classes}".strip(), "table"),
    ):
        with box(tag="thead"), box(tag="tr"):
            for name in headings:
                look = "number" if name in numbers else "unseen" if name in unseen else ""
                say(name, look, "th", scope="col")
        return box(tag="tbody")
