"""The blocks of Markdown, reStructuredText and plain text: lines that belong together."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.language.markdown import parse_markdown_blocks

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines from `first` up to `last`, exclusive, from 0 on; a heading has a level from 1 on.

    A block that `is_whole` is cut only if it is very long.
    """

    first: int
    last: int
    level: int = 0
    title: str = ""
    is_whole: bool = False


def partition_lines(starts: list[TextBlock], lines: int) -> list[TextBlock]:
    """Extend blocks to the next one, so that no line is left over."""
    if not lines:
        return []
    known = {block.first: block for block in starts if block.first < lines}
    known.setdefault(0, TextBlock(0, 0))
    firsts = sorted(known)
    ends = [*firsts[1:], lines]
    return [replace(known[first], last=end) for first, end in zip(firsts, ends, strict=True)]


# Markdown


_FRONT_MATTER = "---"
_WHOLE_BLOCKS = frozenset(("fence", "code_block", "table_open", "list_item_open"))
_MARKS = re.compile(r"[`*]+|\s+#+\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def split_markdown(lines: Sequence[str]) -> list[TextBlock]:
    """Split a Markdown text into blocks."""
    skipped = _count_front_matter(lines)
    tokens = parse_markdown_blocks("\n".join(lines[skipped:]))
    starts = [TextBlock(0, 0)] if skipped else []
    for place, token in enumerate(tokens):
        if token.map is None or not _is_block_start(tokens, place):
            continue
        first = token.map[0] + skipped
        if token.type == "heading_open":
            title = _plain_markdown(tokens[place + 1].content)
            starts.append(TextBlock(first, first, int(token.tag[1:]), title))
        else:
            starts.append(TextBlock(first, first, is_whole=token.type in _WHOLE_BLOCKS))
    return partition_lines(starts, len(lines))


def _is_block_start(tokens: "Sequence[Token]", place: int) -> bool:
    """Whether a block begins here: at the top level, or as an item of a top-level list."""
    token = tokens[place]
    if token.level == 0:
        return token.nesting >= 0
    return token.level == 1 and token.type == "list_item_open"


def _count_front_matter(lines: Sequence[str]) -> int:
    """The number of lines of front matter."""
    if not lines or lines[0].rstrip() != _FRONT_MATTER:
        return 0
    for number, line in enumerate(lines[1:], start=2):
        if line.rstrip() == _FRONT_MATTER:
            return number
    return 0


def _plain_markdown(title: str) -> str:
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", title)).split())


# Plain text


def split_plain(lines: Sequence[str]) -> list[TextBlock]:
    """Split a plain text into paragraphs."""
    starts = [
        TextBlock(place, place)
        for place, line in enumerate(lines)
        if line.strip() and (place == 0 or not lines[place - 1].strip())
    ]
    return partition_lines(starts, len(lines))


# reStructuredText


_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+")
_BORDER = re.compile(r"=+( +=+)+")
_LABEL = re.compile(r"\.\. _[^:]+:")
_ROLE = re.compile(r"(?::[\w.:+-]{1,60}:)?`([^`<]+)(<[^`>]*>)?`")
_DIRECTIVE = re.compile(r"\.\. [\w-]+(?:::|\s*\|)|\.\. _[^:]+:|.*::$|:\w[\w-]*:`[^`]+`")
_ENOUGH = 2
_SHORTEST = 3


def split_restructured(lines: Sequence[str]) -> list[TextBlock]:
    """Split a reStructuredText into blocks."""
    levels: dict[str, int] = {}
    starts: list[TextBlock] = []
    ends = _table_ends(lines)
    place = 0
    while place < len(lines):
        if not _is_start(lines, place):
            place += 1
        elif (size := _title_lines(lines, place)) and _is_free(lines, place):
            is_over = size == _SHORTEST
            mark = lines[place + size - 1][0] * (2 if is_over else 1)
            level = levels.setdefault(mark, len(levels) + 1)
            title = _plain_restructured(lines[place + is_over])
            starts.append(
                TextBlock(_find_labelled_start(starts, lines, place), place, level, title)
            )
            place += size
        else:
            end = _after_table(lines, place, ends)
            starts.append(TextBlock(place, place, is_whole=end > place + 1))
            place = end
    return partition_lines(starts, len(lines))


def is_restructured(lines: Sequence[str]) -> bool:
    """Whether a plain text is written in reStructuredText."""
    signs = sum(bool(_DIRECTIVE.match(line)) for line in lines)
    titles = sum(bool(_title_lines(lines, place)) for place in range(len(lines)))
    return titles > 0 and signs + titles >= _ENOUGH


def _is_start(lines: Sequence[str], place: int) -> bool:
    """Whether a line may begin a block: indented lines belong to what precedes them."""
    line = lines[place]
    is_flush = bool(line) and not line[0].isspace()
    return is_flush and (place == 0 or not lines[place - 1].strip() or _is_title_end(lines, place))


def _is_title_end(lines: Sequence[str], place: int) -> bool:
    return bool(_ADORNMENT.fullmatch(lines[place - 1].rstrip()))


def _is_free(lines: Sequence[str], place: int) -> bool:
    return place == 0 or not lines[place - 1].strip() or _is_title_end(lines, place)


def _title_lines(lines: Sequence[str], place: int) -> int:
    """The number of lines of a section title that begins here; 0 if none does."""
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


def _find_labelled_start(starts: list[TextBlock], lines: Sequence[str], place: int) -> int:
    """The start of a section, including the labels directly before its title."""
    while starts and not starts[-1].level and _is_label(lines[starts[-1].first : place]):
        place = starts.pop().first
    return place


def _is_label(lines: Sequence[str]) -> bool:
    return all(not line.strip() or _LABEL.match(line) for line in lines)


def _table_ends(lines: Sequence[str]) -> list[int]:
    """The borders that can end a table: nothing follows directly below them."""
    return [
        place
        for place, line in enumerate(lines)
        if line.startswith("=")
        and (place + 1 == len(lines) or not lines[place + 1].strip())
        and _BORDER.fullmatch(line.rstrip())
    ]


def _after_table(lines: Sequence[str], place: int, ends: Sequence[int]) -> int:
    """The line after a block's first line, or after a table with blank lines."""
    later = bisect_left(ends, place + 2)
    is_table = later < len(ends) and _BORDER.fullmatch(lines[place].rstrip())
    return ends[later] + 1 if is_table else place + 1


def _plain_restructured(title: str) -> str:
    return " ".join(_ROLE.sub(_role_text, title.replace("``", "")).replace("*", "").split())


def _role_text(role: re.Match[str]) -> str:
    """The text of a role without its target."""
    return role[1].rstrip() if role[2] else role[1]
