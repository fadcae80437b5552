"""Code fences in the lines of a file, which no cut leaves open."""

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def open_fence(lines: Iterable[str]) -> str:
    """What closes the fence that lines leave open; empty where none is open."""
    return reduce(_after, lines, "")


def last_end(lines: Sequence[str], most: int) -> int:
    """After how many lines, of so many at most, a text can end: outside of code, not at a gap."""
    fences = accumulate(lines[:most], _after, initial="")
    ends = (
        number
        for number, fence in enumerate(fences)
        if number and not fence and lines[number - 1].strip()
    )
    return max(ends, default=0)


def _after(fence: str, line: str) -> str:
    """The fence that is open after a line, by the one before it."""
    found = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
    if found is None:
        return fence
    marks, rest = found.groups()
    if not fence:
        return "" if marks[0] == "`" and "`" in rest else marks
    return "" if marks.startswith(fence) and not rest.strip() else fence
