"""Charts of columns: how much there was of what, period by period."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nicegui.element import Element

from tacit.ui.kit.element import box, say


@dataclass(frozen=True, slots=True)
class Column:
    """A period: what it is called, and how much there was of each kind."""

    name: str
    parts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self.parts.values())

    @property
    def told(self) -> str:
        """The column in words."""
        parts = ", ".join(f"{count:,} {kind}" for kind, count in self.parts.items() if count)
        return f"{self.name}: {parts or 'nothing'}"


def chart(columns: Sequence[Column], tones: Mapping[str, str], about: str) -> Element:
    """Columns that stack kinds of things, each in its tone, with a legend and words for all."""
    most = max((column.total for column in columns), default=0)
    made = box("chart")
    with made:
        if len(tones) > 1:
            with box("legend"):
                for kind, tone in tones.items():
                    say(kind, f"key {tone}")
        with box("columns-of", role="img", aria_label=_words(columns, tones, about)):
            for column in columns:
                with box("column", title=column.told):
                    for kind, tone in tones.items():
                        if share := column.parts.get(kind, 0):
                            box(f"part {tone}").style(f"height: {100 * share / most:.2f}%")
    return made


def _words(columns: Sequence[Column], tones: Mapping[str, str], about: str) -> str:
    sums = {kind: sum(column.parts.get(kind, 0) for column in columns) for kind in tones}
    told = ", ".join(f"{count:,} {kind}" for kind, count in sums.items())
    return f"{about}: {told} in {len(columns)} periods"
