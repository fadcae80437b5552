"""What goes on over lines in Markdown: code fences, comments and other blocks of HTML.

A text that is put into a prompt must not leave one open, or it swallows what comes after it.
"""

import re
from collections.abc import Sequence

_FENCE = re.compile(r"(?P<indent> {0,3})(?P<marks>`{3,}(?=[^`]*$)|~{3,})(?P<rest>.*)", re.DOTALL)
_BLOCK = re.compile(
    r" {0,3}(?:(?P<comment><!--)|(?P<data><!\[CDATA\[)|(?P<other><\?)|(?P<declared><![a-z])"
    r"|<(?P<raw>pre|script|style|textarea)(?=[\s>]|$)|(?P<element></?[a-z]))",
    re.IGNORECASE,
)
_ENDS = {
    "comment": re.compile("-->"),
    "data": re.compile(r"\]\]>"),
    "other": re.compile(r"\?>"),
    "declared": re.compile(">"),
    "raw": re.compile("</(?:pre|script|style|textarea)>", re.IGNORECASE),
}
_ENDS["element"] = _BLANK = re.compile(r"^\s*$")
_OPENING = re.compile(r"^ {0,3}(?:```|~~~|<[!?psta])", re.IGNORECASE | re.MULTILINE)


def is_fence(line: str) -> bool:
    """Whether a line opens or closes a fence."""
    return _FENCE.match(line) is not None


def last_lines(lines: Sequence[str], count: int) -> list[str]:
    """The last so many lines; a fence that is open where they begin or end is opened or closed."""
    cut = max(len(lines) - count, 0)
    opening = _open_after(lines[:cut], None)
    kept = [*([opening] if opening else []), *lines[cut:]]
    unclosed = _open_after(lines[cut:], opening)
    return [*kept, _closing(unclosed)] if unclosed else kept


def unclosed(lines: Sequence[str]) -> str | None:
    """What would close the fence in which some lines end; None where all are closed."""
    opening = _open_after(lines, None)
    return None if opening is None else _closing(opening)


def closed(text: str) -> str:
    """The text with nothing left open in it: an open fence is closed, other openings are marked.

    A backslash goes before a block of HTML that does not end, or not before a fence, and before an
    indented fence with lines in it that are indented less: readers differ on where those end.
    """
    if not _OPENING.search(text):
        return text
    scan = _Scan(text.split("\n"))
    return "\n".join(scan.settled())


class _Scan:
    """A walk through lines that knows what is open at each of them."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._opening: re.Match[str] | None = None
        self._end: re.Pattern[str] | None = None
        self._doubtful: list[int] = []
        """Lines that get a backslash unless what is open ends as it should."""

    def settled(self) -> list[str]:
        """The lines with marks where they are needed, and what closes the last fence."""
        for number, line in enumerate(self._lines):
            if self._opening is not None:
                self._in_fence(self._opening, number, line)
            elif self._end is not None:
                self._in_block(self._end, number, line)
            else:
                self._outside(number, line)
        if self._end not in (None, _BLANK):
            self._mark()
        return self._lines if self._opening is None else [*self._lines, _closing(self._opening[0])]

    def _outside(self, number: int, line: str) -> None:
        self._doubtful = [number]
        self._opening = _FENCE.match(line)
        block = _BLOCK.match(line)
        if block is not None:
            end = _ENDS[block.lastgroup or ""]
            self._end = None if end.search(line, block.end()) else end

    def _in_block(self, end: re.Pattern[str], number: int, line: str) -> None:
        block = _BLOCK.match(line)
        is_stronger = end is _BLANK and block is not None and block.lastgroup != "element"
        if end.search(line):
            self._end = None
        elif is_stronger or _FENCE.match(line):
            self._mark()
            self._outside(number, line)
        elif block is not None:
            self._doubtful.append(number)

    def _in_fence(self, opening: re.Match[str], number: int, line: str) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent < len(opening["indent"]):
            self._mark()
            self._outside(number, line)
        elif _closes(line, opening):
            self._opening = None
        elif _FENCE.match(line):
            self._doubtful.append(number)

    def _mark(self) -> None:
        for number in self._doubtful:
            line = self._lines[number]
            words = line.lstrip(" ")
            self._lines[number] = f"{line[: len(line) - len(words)]}\\{words}"
        self._opening = self._end = None


def _open_after(lines: Sequence[str], fence: str | None) -> str | None:
    """The line that opened the fence in which these lines end."""
    opening = None if fence is None else _FENCE.match(fence)
    for line in lines:
        if opening is None:
            opening = _FENCE.match(line)
        elif _closes(line, opening):
            opening = None
    return None if opening is None else opening[0]


def _closes(line: str, opening: re.Match[str]) -> bool:
    found = _FENCE.match(line)
    return (
        found is not None
        and found["marks"].startswith(opening["marks"])
        and not found["rest"].strip()
    )


def _closing(fence: str) -> str:
    """What closes a fence, indented as it is: so it also does in an item of a list."""
    found = _FENCE.match(fence)
    return "" if found is None else found["indent"] + found["marks"]
