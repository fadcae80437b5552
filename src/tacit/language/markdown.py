"""Markdown as block tokens, in time and memory that its length bounds."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_DELIMITER_ROW = re.compile(r"(?!-\s)\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?")
_PIPE = re.compile(r"(?<!\\)\|")


def parse_markdown_blocks(text: str) -> "list[Token]":
    """The block tokens of a Markdown text; a table is a single pair of tokens without cells."""
    return _parser().parse(text)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # most programs that use Tacit never read a document

    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    return parser


def _table(state: "StateBlock", start: int, end: int, silent: bool) -> bool:
    """Find where a table ends.

    The parser's own rule fills every row up to the number of columns, so that a few kilobytes
    become hundreds of megabytes of cells, which nobody here reads.
    """
    if start + 2 > end or not _is_table_head(state, start):
        return False
    if silent:
        return True
    parent, state.parentType = state.parentType, "table"
    last = start + 2
    while last < end and not _ends_table(state, last, end):
        last += 1
    state.parentType = parent
    state.push("table_open", "table", 1).map = [start, last]
    state.push("table_close", "table", -1)
    state.line = last
    return True


def _is_table_head(state: "StateBlock", start: int) -> bool:
    if state.sCount[start + 1] < state.blkIndent:
        return False
    if state.is_code_block(start) or state.is_code_block(start + 1):
        return False
    head, delimiter = _line(state, start), _line(state, start + 1)
    if not _PIPE.search(head) or _DELIMITER_ROW.fullmatch(delimiter) is None:
        return False
    columns = _count_columns(head)
    return columns > 0 and columns == _count_columns(delimiter)


def _ends_table(state: "StateBlock", line: int, end: int) -> bool:
    if state.sCount[line] < state.blkIndent or not _line(state, line) or state.is_code_block(line):
        return True
    return any(rule(state, line, end, True) for rule in state.md.block.ruler.getRules("blockquote"))


def _line(state: "StateBlock", line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()


def _count_columns(row: str) -> int:
    """The cells between the pipes; those at the ends of the row stand around the cells."""
    cells = _PIPE.split(row)
    if not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return len(cells)
