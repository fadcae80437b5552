"""Text put into another text, and taken out again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Where a stretch of a text begins, and where it has ended."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text, and where it goes."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Spliced:
    """A text, and the stretches of it that were put in."""

    text: str
    spans: tuple[Span, ...] = ()

    def plus(self, insertions: Sequence[Insertion]) -> "Spliced":
        """With more put in, named from the first on; what goes inside a stretch makes it longer."""
        text, spans = self.text, list(self.spans)
        for each in reversed(insertions):
            text = text[: each.at] + each.text + text[each.at :]
            spans = _shifted(spans, each.at, len(each.text))
        return Spliced(text, tuple(spans))


def cut(text: str, spans: Sequence[Span]) -> str:
    """The text without some stretches."""
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _shifted(spans: Iterable[Span], at: int, length: int) -> list[Span]:
    """Where stretches are after one more of a length was put in, and that one."""
    shifted: list[Span] = []
    is_inside = False
    for start, end in spans:
        if start < at <= end:
            is_inside = True
            shifted.append((start, end + length))
        else:
            shifted.append((start + length, end + length) if start >= at else (start, end))
    return shifted if is_inside else sorted([*shifted, (at, at + length)])
