"""The blocks of a reStructuredText: sections, paragraphs, directives, tables, literal blocks."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from tacit.grounding.documents.block import Block, partitioned

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+")
_BORDER = re.compile(r"=+( +=+)+")
_LABEL = re.compile(r"\.\. _[^:]+:")
_ROLE = re.compile(r"(?::[\w.:+-]{1,60}:)?`([^`<]+)(<[^`>]*>)?`")
_DIRECTIVE = re.compile(r"\.\. [\w-]+(?:::|\s*\|)|\.\. _[^:]+:|.*::$|:\w[\w-]*:`[^`]+`")
_ENOUGH = 2
_SHORTEST = 3


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """What belongs together in a reStructuredText."""
    levels: dict[str, int] = {}
    starts: list[Block] = []
    ends = _table_ends(lines)
    place = 0
    while place < len(lines):
        if not _is_start(lines, place):
            place += 1
        elif (size := _title_lines(lines, place)) and _is_free(lines, place):
            is_over = size == _SHORTEST
            mark = lines[place + size - 1][0] * (2 if is_over else 1)
            level = levels.setdefault(mark, len(levels) + 1)
            title = _plain(lines[place + is_over])
            starts.append(Block(_labelled(starts, lines, place), place, level, title))
            place += size
        else:
            end = _after_table(lines, place, ends)
            starts.append(Block(place, place, is_whole=end > place + 1))
            place = end
    return partitioned(starts, len(lines))


def looks_restructured(lines: Sequence[str]) -> bool:
    """Whether a plain text is written in reStructuredText."""
    signs = sum(bool(_DIRECTIVE.match(line)) for line in lines)
    titles = sum(bool(_title_lines(lines, place)) for place in range(len(lines)))
    return titles > 0 and signs + titles >= _ENOUGH


def _is_start(lines: Sequence[str], place: int) -> bool:
    """Whether a line may begin a block: what is indented belongs to what stands before it."""
    line = lines[place]
    is_flush = bool(line) and not line[0].isspace()
    return is_flush and (place == 0 or not lines[place - 1].strip() or _ends_title(lines, place))


def _ends_title(lines: Sequence[str], place: int) -> bool:
    return bool(_ADORNMENT.fullmatch(lines[place - 1].rstrip()))


def _is_free(lines: Sequence[str], place: int) -> bool:
    return place == 0 or not lines[place - 1].strip() or _ends_title(lines, place)


def _title_lines(lines: Sequence[str], place: int) -> int:
    """How many lines a section's title takes that begins here; 0 if none does."""
    if _is_title(lines, place, place + 1):
        return 2
    is_over = (
        place + 2 < len(lines)
        and _ADORNMENT.fullmatch(lines[place].rstrip())
        and lines[place].rstrip() == lines[place + 2].rstrip()
        and _is_title(lines, place + 1, place + 2)
    )
    return _SHORTEST if is_over else 0


def _is_title(lines: Sequence[str], place: int, under: int) -> bool:
    if under >= len(lines):
        return False
    title, line = lines[place].rstrip(), lines[under].rstrip()
    return (
        bool(title)
        and not _ADORNMENT.fullmatch(title)
        and bool(_ADORNMENT.fullmatch(line))
        and len(line) >= min(len(title.strip()), _SHORTEST + 1)
        and len(line) >= _SHORTEST
        and (not title[0].isspace() or under == place + 1)
    )


def _labelled(starts: list[Block], lines: Sequence[str], place: int) -> int:
    """Where a section begins: with the labels that stand directly before its title."""
    while starts and not starts[-1].level and _is_label(lines[starts[-1].first : place]):
        place = starts.pop().first
    return place


def _is_label(lines: Sequence[str]) -> bool:
    return all(not line.strip() or _LABEL.match(line) for line in lines)


def _table_ends(lines: Sequence[str]) -> list[int]:
    """The borders that a table can end with: nothing stands right below them."""
    return [
        place
        for place, line in enumerate(lines)
        if line.startswith("=")
        and (place + 1 == len(lines) or not lines[place + 1].strip())
        and _BORDER.fullmatch(line.rstrip())
    ]


def _after_table(lines: Sequence[str], place: int, ends: Sequence[int]) -> int:
    """The line behind a block's first; behind the whole where a table with blank lines begins."""
    later = bisect_left(ends, place + 2)
    is_table = later < len(ends) and _BORDER.fullmatch(lines[place].rstrip())
    return ends[later] + 1 if is_table else place + 1


def _plain(title: str) -> str:
    return " ".join(_ROLE.sub(_shown, title.replace("``", "")).replace("*", "").split())


def _shown(role: re.Match[str]) -> str:
    """What is read of a role: its words without the target behind them."""
    return role[1].rstrip() if role[2] else role[1]
