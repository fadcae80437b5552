"""Cuts: shortens a text at white space, and leaves no code fence open."""

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate

from tacit.language.neutralization import missing_closing_fence
from tacit.language.tokens import TextSize

# Clipping: as much of a text as there is room for, ended where a reader would end it.


def clip_text(text: str, *, tokens: int | None = None, bytes: int | None = None) -> str:  # noqa: A002
    """The beginning of a text that fits; it ends at white space, and with every code fence closed.

    A first word that is too long by itself is not cut: then nothing is left.
    """
    if _fits(text, tokens, bytes):
        return text
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits, closing fence and all
        middle = (low + high + 1) // 2
        if _fits(_cut_at_word(text, middle), tokens, bytes):
            low = middle
        else:
            high = middle - 1
    return _cut_at_word(text, low)


def _fits(text: str, tokens: int | None, bytes: int | None) -> bool:  # noqa: A002
    size = TextSize.of(text)
    return (tokens is None or size.tokens <= tokens) and (bytes is None or size.bytes <= bytes)


def _cut_at_word(text: str, length: int) -> str:
    """The first so many characters without a broken word at the end, and with fences closed."""
    if length >= len(text):
        return text
    start = text[:length]
    if start and not start[-1].isspace() and not text[length].isspace():
        start = start[: -len(start.rsplit(None, 1)[-1])]
    return _close_fence(start.rstrip())


def _close_fence(text: str) -> str:
    """The text with its open code fence closed, if it has one."""
    closing = missing_closing_fence(text.splitlines())
    return text if closing is None else f"{text}\n{closing}"


# Code fences in the lines of a file, which no cut leaves open.


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def find_open_fence(lines: Iterable[str]) -> str:
    """What closes the fence that lines leave open; empty where none is open."""
    return reduce(_fence_after, lines, "")


def find_last_end(lines: Sequence[str], most: int) -> int:
    """After how many lines, of so many at most, a text can end: outside of code, not at a gap."""
    fences = accumulate(lines[:most], _fence_after, initial="")
    ends = (
        number
        for number, fence in enumerate(fences)
        if number and not fence and lines[number - 1].strip()
    )
    return max(ends, default=0)


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after a line, by the one before it."""
    found = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
    if found is None:
        return fence
    marks, rest = found.groups()
    if not fence:
        return "" if marks[0] == "`" and "`" in rest else marks
    return "" if marks.startswith(fence) and not rest.strip() else fence
