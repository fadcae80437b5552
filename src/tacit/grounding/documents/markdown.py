"""The blocks of a Markdown text: headings, paragraphs, list items, tables, fences."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tacit.grounding.documents.block import Block, partitioned
from tacit.language.markdown import parse_markdown_blocks

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = "---"
_WHOLE = frozenset(("fence", "code_block", "table_open", "list_item_open"))
_MARKS = re.compile(r"[`*]+|\s+#+\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """What belongs together in a Markdown text."""
    skipped = _front_matter(lines)
    tokens = parse_markdown_blocks("\n".join(lines[skipped:]))
    starts = [Block(0, 0)] if skipped else []
    for place, token in enumerate(tokens):
        if token.map is None or not _begins(tokens, place):
            continue
        first = token.map[0] + skipped
        if token.type == "heading_open":
            title = _plain(tokens[place + 1].content)
            starts.append(Block(first, first, int(token.tag[1:]), title))
        else:
            starts.append(Block(first, first, is_whole=token.type in _WHOLE))
    return partitioned(starts, len(lines))


def _begins(tokens: "Sequence[Token]", place: int) -> bool:
    """Whether a block begins here: at the top, or as an item of a list at the top."""
    token = tokens[place]
    if token.level == 0:
        return token.nesting >= 0
    return token.level == 1 and token.type == "list_item_open"


def _front_matter(lines: Sequence[str]) -> int:
    """How many lines at the beginning are about the file, not of it."""
    if not lines or lines[0].rstrip() != _FRONT_MATTER:
        return 0
    for number, line in enumerate(lines[1:], start=2):
        if line.rstrip() == _FRONT_MATTER:
            return number
    return 0


def _plain(title: str) -> str:
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", title)).split())
