"""Cuts: shortens a text at white space, and leaves no code fence open."""

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate

from tacit.language.neutralization import missing_closing_fence
from tacit.language.tokens import TextSize


def clip_text(text: str, *, tokens: int | None = None, bytes: int | None = None) -> str:  # noqa: A002
    """Clip a text to a size; it ends at white space, with every code fence closed.

    A first word that is too long is not cut: then nothing is left.
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
    """The first characters without a broken word at the end, and with fences closed."""
    if length >= len(text):
        return text
    start = text[:length]
    if start and not start[-1].isspace() and not text[length].isspace():
        start = start[: -len(start.rsplit(None, 1)[-1])]
    return _close_fence(start.rstrip())


def _close_fence(text: str) -> str:
    """Close the open code fence of a text, if it has one."""
    closing = missing_closing_fence(text.splitlines())
    return text if closing is None else f"{text}\n{closing}"


# Code fences


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def find_open_fence(lines: Iterable[str]) -> str:
    """The marker that closes the open fence of lines; empty if none is open."""
    return reduce(_fence_after, lines, "")


def find_last_end(lines: Sequence[str], most: int) -> int:
    """The number of lines, up to a limit, after which a text can end outside of code and gaps."""
    fences = accumulate(lines[:most], _fence_after, initial="")
    ends = (
        number
        for number, fence in enumerate(fences)
        if number and not fence and lines[number - 1].strip()
    )
    return max(ends, default=0)


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after a line."""
    found = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
    if found is None:
        return fence
    marks, rest = found.groups()
    if not fence:
        return "" if marks[0] == "`" and "`" in rest else marks
    return "" if marks.startswith(fence) and not rest.strip() else fence
