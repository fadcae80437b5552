"""Elements that show data: cards, badges, notices, disclosures, tables, bars and charts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from nicegui.element import Element

from tacit.ui.kit.elements import add_text, box, heading, link


def card(title: str | None = None, text: str | None = None, classes: str = "") -> Element:
    """A card with an optional heading and a line below it; put more into it."""
    element = box(f"card {classes}", "section")
    with element:
        if title is not None:
            heading(title)
        if text is not None:
            add_text(text, "quiet", "p")
    return element


def badge(text: str, tone: str = "neutral", **attributes: str) -> Element:
    """A word with a colour: neutral, good, warn, bad, accent."""
    return add_text(text, f"badge {tone}", **attributes)


def figure(label: str, value: str, note: str = "") -> Element:
    """A number with its label."""
    element = box("figure")
    with element:
        add_text(value, "value")
        add_text(label, "label")
        if note:
            add_text(note, "quiet note")
    return element


def empty(title: str, what_to_do: str, links: Iterable[tuple[str, str]] = ()) -> Element:
    """An empty state: what is missing, and what to do about it."""
    element = box("empty")
    with element:
        add_text(title, "title", "p")
        add_text(what_to_do, "quiet", "p")
        for text, address in links:
            link(text, address, "button plain")
    return element


def notice(text: str, tone: str = "warn", title: str | None = None) -> Element:
    """A message that stands out; put buttons into it."""
    element = box(f"notice {tone}", role="alert" if tone == "bad" else "status")
    with element:
        if title:
            add_text(title, "title", "strong")
        add_text(text, tag="p")
    return element


class Disclosure:
    """A heading that opens and closes what is below it; fill `inside`."""

    def __init__(
        self,
        title: str,
        *,
        level: int = 3,
        note: str | None = None,
        is_open: bool = False,
        classes: str = "",
    ) -> None:
        self._is_searched = False
        with box(f"disclosure {classes}", "details", open=is_open) as self.element:
            with box(tag="summary") as self.summary:
                heading(title, level)
                if note is not None:
                    badge(note)
            self.inside: Element = box("inside")

    def open_for_search(self, is_match: bool) -> None:
        """Open it while a search matches something in it, and close it afterwards."""
        if is_match != self._is_searched:
            self._is_searched = is_match
            self.open(is_match)

    def open(self, is_open: bool = True) -> None:
        """Open or close it, whatever the person did before."""
        self.element.run_method("toggleAttribute", "open", is_open)


def table(
    label: str,
    headings: Sequence[str],
    classes: str = "",
    *,
    numbers: Collection[str] = (),
    unseen: Collection[str] = (),
) -> Element:
    """A table that scrolls if it is too wide; returns its body.

    `numbers` are headings of numeric columns, `unseen` those for screen readers only.
    """
    with (
        box("scroll", tabindex="0", role="region", aria_label=label),
        box(f"table {classes}".strip(), "table"),
    ):
        with box(tag="thead"), box(tag="tr"):
            for name in headings:
                classes = "number" if name in numbers else "unseen" if name in unseen else ""
                add_text(name, classes, "th", scope="col")
        return box(tag="tbody")


def bar(value: float, label: str, *, tone: str = "accent", shown: str | None = None) -> Element:
    """A small bar from 0 to 1, with its label before it and its value after it."""
    share = min(max(value, 0.0), 1.0)
    text = shown if shown is not None else f"{value:.2f}"
    element = box("bar", role="img", aria_label=f"{label}: {text}")
    with element:
        add_text(label, "name")
        with box("track"):
            box(f"fill {tone}").style(f"width: {100 * share:.1f}%")
        add_text(text, "told")
    return element


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """A period: its name, and a count for each kind."""

    name: str
    parts: Mapping[str, int]

    @property
    def total(self) -> int:
        """The sum of all counts."""
        return sum(self.parts.values())

    @property
    def description(self) -> str:
        """The column in words."""
        parts = ", ".join(f"{count:,} {kind}" for kind, count in self.parts.items() if count)
        return f"{self.name}: {parts or 'nothing'}"


def chart(columns: Sequence[ChartColumn], tones: Mapping[str, str], about: str) -> Element:
    """Stacked columns with a legend, and a description for screen readers."""
    most = max((column.total for column in columns), default=0)
    element = box("chart")
    with element:
        if len(tones) > 1:
            with box("legend"):
                for kind, tone in tones.items():
                    add_text(kind, f"key {tone}")
        with box("columns-of", role="img", aria_label=_describe_chart(columns, tones, about)):
            for column in columns:
                with box("column", title=column.description):
                    for kind, tone in tones.items():
                        if share := column.parts.get(kind, 0):
                            box(f"part {tone}").style(f"height: {100 * share / most:.2f}%")
    return element


def _describe_chart(columns: Sequence[ChartColumn], tones: Mapping[str, str], about: str) -> str:
    sums = {kind: sum(column.parts.get(kind, 0) for column in columns) for kind in tones}
    text = ", ".join(f"{count:,} {kind}" for kind, count in sums.items())
    return f"{about}: {text} in {len(columns)} periods"
