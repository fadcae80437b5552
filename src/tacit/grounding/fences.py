"""Code fences in lines, kept whole where only the last lines are wanted."""

import re
from collections.abc import Sequence

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def is_fence(line: str) -> bool:
    """Whether a line opens or closes a fence."""
    return _FENCE.match(line) is not None


def last_lines(lines: Sequence[str], count: int) -> list[str]:
    """The last so many lines; a fence that is open where they begin or end is opened or closed."""
    cut = max(len(lines) - count, 0)
    opening = _open_after(lines[:cut], None)
    kept = [*([opening] if opening else []), *lines[cut:]]
    unclosed = _open_after(lines[cut:], opening)
    return [*kept, _marks(unclosed)] if unclosed else kept


def unclosed(lines: Sequence[str]) -> str | None:
    """What would close the fence in which some lines end; None where all are closed."""
    opening = _open_after(lines, None)
    return None if opening is None else _marks(opening)


def _open_after(lines: Sequence[str], fence: str | None) -> str | None:
    """The line that opened the fence in which these lines end."""
    marks = "" if fence is None else _marks(fence)
    for line in lines:
        found = _FENCE.match(line)
        if found is None:
            continue
        if fence is None:
            fence, marks = line.strip(), found[1]
        elif found[1].startswith(marks) and not found[2].strip():
            fence = None
    return fence


def _marks(fence: str) -> str:
    found = _FENCE.match(fence)
    return found[1] if found else ""
