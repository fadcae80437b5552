"""Code fences of Markdown: which lines open and close one, as CommonMark has it.

A fence of backticks or tildes is closed by at least as many of the same sign, alone on a line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import reduce
from typing import NamedTuple, Self

_FENCE = re.compile(r"(?P<indent> {0,3})(?P<marks>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)", re.DOTALL)
_LEAD = re.compile(r"\s*+(?:(?:[-*+•–]|\d{1,9}[.)])\s++)?")
"""Indentation and the marker of a list, in which a fence may stand."""


class CodeFence(NamedTuple):
    """A line that opens or closes a block of code."""

    line: str
    indent: str
    marks: str
    info: str
    """The words after the marks, such as the language."""

    @classmethod
    def of(cls, line: str) -> Self | None:
        """The fence of a line, if it is one and not indented like code."""
        found = _FENCE.match(line)
        return cls(line, **found.groupdict()) if found else None

    @property
    def closing(self) -> str:
        """The line that closes it, with the same indentation, as lists need it."""
        return self.indent + self.marks

    def is_closed_by(self, line: str) -> bool:
        """Whether a line closes it."""
        found = CodeFence.of(line)
        return found is not None and found.marks.startswith(self.marks) and not found.info.strip()


def fence_after(fence: CodeFence | None, line: str) -> CodeFence | None:
    """The fence that is open after a line, given the one that is open before it."""
    if fence is None:
        return CodeFence.of(line)
    return None if fence.is_closed_by(line) else fence


def missing_closing_fence(lines: Iterable[str]) -> str | None:
    """The line that would close the open fence of lines; None if none is open."""
    fence = reduce(fence_after, lines, None)
    return None if fence is None else fence.closing


def take_last_lines(lines: Sequence[str], count: int) -> list[str]:
    """Return the last lines; a fence that is open at their start or end is opened or closed."""
    cut = max(len(lines) - count, 0)
    opening = reduce(fence_after, lines[:cut], None)
    kept = [*([opening.line] if opening else []), *lines[cut:]]
    unclosed = reduce(fence_after, lines[cut:], opening)
    return [*kept, unclosed.closing] if unclosed else kept


class LineKind(Enum):
    """What a line of Markdown is, as far as fences tell."""

    TEXT = "text"
    FENCE = "fence"
    CODE = "code"


def classify_lines(lines: Iterable[str]) -> Iterator[LineKind]:
    """Tell text, fences and fenced code apart.

    A fence may have any indentation, and open after the marker of a list: people indent code in
    lists, and where lines are read one by one nothing says how far a list is indented.
    """
    fence: CodeFence | None = None
    for line in lines:
        if fence is None:
            fence = CodeFence.of(_LEAD.sub("", line, count=1))
            yield LineKind.TEXT if fence is None else LineKind.FENCE
        elif fence.is_closed_by(line.lstrip()):
            fence = None
            yield LineKind.FENCE
        else:
            yield LineKind.CODE
