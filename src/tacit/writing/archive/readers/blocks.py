"""The blocks of a Markdown text: headings, paragraphs, items of lists, tables, code."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


class Kind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"
    QUOTE = "quote"
    HTML = "html"
    RULE = "rule"


_KINDS = MappingProxyType(
    {
        "heading_open": Kind.HEADING,
        "paragraph_open": Kind.PARAGRAPH,
        "list_item_open": Kind.ITEM,
        "fence": Kind.CODE,
        "code_block": Kind.CODE,
        "table_open": Kind.TABLE,
        "blockquote_open": Kind.QUOTE,
        "html_block": Kind.HTML,
        "hr": Kind.RULE,
    }
)
_CLOSED = frozenset((Kind.HEADING, Kind.CODE, Kind.TABLE, Kind.HTML, Kind.RULE))
"""What follows one of these without a block of its own is a paragraph, not a part of it."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together, and the number of the first, from 1 on.

    A heading has a level from 1 on, and a title.
    """

    kind: Kind
    number: int
    lines: tuple[str, ...]
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class _Start:
    kind: Kind
    level: int = 0
    title: str = ""


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """The blocks of a text in order; every line that says something is in one of them."""
    if not lines:
        return []
    starts = {0: _Start(Kind.PARAGRAPH)} | _starts(_parser().parse("\n".join(lines)))
    firsts = sorted(first for first in starts if first < len(lines))
    found = (
        _block(starts[first], first, lines[first:end])
        for first, end in zip(firsts, [*firsts[1:], len(lines)], strict=True)
    )
    return [block for block in found if block.lines]


def _starts(tokens: "Sequence[Token]") -> dict[int, _Start]:
    """Where blocks begin, by line from 0 on."""
    starts: dict[int, _Start] = {}
    for place, token in enumerate(tokens):
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None or token.level != (kind is Kind.ITEM):
            continue
        first, end = token.map
        title = " ".join(tokens[place + 1].content.split()) if kind is Kind.HEADING else ""
        level = int(token.tag[1:]) if kind is Kind.HEADING else 0
        starts[first] = _Start(kind, level, title)
        if kind in _CLOSED:
            starts[end] = _Start(Kind.PARAGRAPH)
    return starts


def _block(start: _Start, first: int, lines: Sequence[str]) -> Block:
    """The block of some lines, without the blank ones around them."""
    said = [place for place, line in enumerate(lines) if line.strip()]
    kept = tuple(lines[said[0] : said[-1] + 1]) if said else ()
    number = first + 1 + (said[0] if said else 0)
    return Block(start.kind, number, kept, start.level, start.title)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # most programs that use Tacit never import a file

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
