"""The words of a block, without the marks that only say what kind of block it is."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tacit.writing.archive.readers.blocks import Block, Kind

_MARKER = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])(?:\s+|$)")
FENCE = re.compile(r"\s*(?:```|~~~)")
_QUOTED = re.compile(r"^ {0,3}> ?")
_SEPARATE = re.compile(r"\s*(?:[-*+•]\s|\d{1,9}[.)]\s|[|>#])|\s{4}")
_CELL = re.compile(r"(?<!\\)\|")
_HARD_BREAKS = ("  ", "\\")
_LONGEST_HEADER = 1_000


def marker_width(line: str) -> int:
    """How much of a line its bullet or number takes; 0 if it has none."""
    found = _MARKER.match(line)
    return found.end() if found else 0


def words_of(block: Block) -> str:
    """What a block says."""
    lines = block.lines
    if block.kind is Kind.ITEM:
        return unwrapped(_without_marker(lines))
    if block.kind is Kind.QUOTE:
        return unwrapped([_QUOTED.sub("", line, count=1) for line in lines])
    if block.kind is Kind.PARAGRAPH:
        return unwrapped([line.lstrip() for line in lines])
    if block.kind is Kind.HEADING:
        return block.title
    return "\n".join(lines)


def unwrapped(lines: Sequence[str]) -> str:
    """A text whose lines were only broken to fit a width, with these breaks taken out."""
    kept: list[str] = []
    before, is_code = "", False
    for line in lines:
        is_fence = bool(FENCE.match(line))
        is_new = is_code or is_fence or not _continues(before, line)
        kept.append(f"\n{line.rstrip()}" if is_new else f" {line.strip()}")
        is_code ^= is_fence
        before = "" if is_fence else line
    return "".join(kept).strip()


def rows_of(table: Block) -> Iterator[tuple[int, str]]:
    """The rows of a table, each with the number of its line and its columns named.

    One whose columns have very long names is not told by rows, as each would repeat them.
    """
    if len(table.lines[0]) > _LONGEST_HEADER:
        return
    header = _cells(table.lines[0])
    for number, line in enumerate(table.lines[2:], start=table.number + 2):
        pairs = zip_longest(header, _cells(line), fillvalue="")
        told = [f"{title}: {cell}" if title else cell for title, cell in pairs if cell]
        if told:
            yield number, "; ".join(told)


def _continues(before: str, line: str) -> bool:
    """Whether a line goes on where the one before it was broken."""
    if not before.strip() or not line.strip() or before.endswith(_HARD_BREAKS):
        return False
    return not _SEPARATE.match(line)


def _without_marker(lines: Sequence[str]) -> list[str]:
    """The lines of an item moved to the left, the bullet or number taken off."""
    width = marker_width(lines[0])
    rest = (line[min(width, len(line) - len(line.lstrip())) :] for line in lines[1:])
    return [lines[0][width:], *rest]


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if not inner.endswith("\\|"):
        inner = inner.removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(inner)]
