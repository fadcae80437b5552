"""Reads Markdown: each bullet, paragraph and table row is a memory under its headings."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING

from tacit.language.code_fences import LineKind, classify_lines
from tacit.language.markdown import parse_markdown_blocks
from tacit.writing.archive.source_file import Passage, SourceEntry, SourceFile

if TYPE_CHECKING:
    from markdown_it.token import Token


# Blocks: headings, paragraphs, list items, tables, code


class BlockKind(StrEnum):
    """The kind of a block."""

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
        "heading_open": BlockKind.HEADING,
        "paragraph_open": BlockKind.PARAGRAPH,
        "list_item_open": BlockKind.ITEM,
        "fence": BlockKind.CODE,
        "code_block": BlockKind.CODE,
        "table_open": BlockKind.TABLE,
        "blockquote_open": BlockKind.QUOTE,
        "html_block": BlockKind.HTML,
        "hr": BlockKind.RULE,
    }
)
_CLOSED = frozenset(
    (BlockKind.HEADING, BlockKind.CODE, BlockKind.TABLE, BlockKind.HTML, BlockKind.RULE)
)
"""What follows one of these without a block of its own is a paragraph, not a part of it."""


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """Lines that belong together, and the number of the first, from 1 on.

    A heading has a level from 1 on, and a title.
    """

    kind: BlockKind
    number: int
    lines: tuple[str, ...]
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class _BlockStart:
    kind: BlockKind
    level: int = 0
    title: str = ""


def split_blocks(lines: Sequence[str]) -> list[MarkdownBlock]:
    """Split a text into blocks; every line with text is in one of them."""
    if not lines:
        return []
    starts = {0: _BlockStart(BlockKind.PARAGRAPH)} | _find_starts(
        parse_markdown_blocks("\n".join(lines))
    )
    firsts = sorted(first for first in starts if first < len(lines))
    found = (
        _build_block(starts[first], first, lines[first:end])
        for first, end in zip(firsts, [*firsts[1:], len(lines)], strict=True)
    )
    return [block for block in found if block.lines]


def _find_starts(tokens: "Sequence[Token]") -> dict[int, _BlockStart]:
    """The lines where blocks begin, from 0 on."""
    starts: dict[int, _BlockStart] = {}
    for place, token in enumerate(tokens):
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None or token.level != (kind is BlockKind.ITEM):
            continue
        first, end = token.map
        title = " ".join(tokens[place + 1].content.split()) if kind is BlockKind.HEADING else ""
        level = int(token.tag[1:]) if kind is BlockKind.HEADING else 0
        starts[first] = _BlockStart(kind, level, title)
        if kind in _CLOSED:
            starts[end] = _BlockStart(BlockKind.PARAGRAPH)
    return starts


def _build_block(start: _BlockStart, first: int, lines: Sequence[str]) -> MarkdownBlock:
    """The block of some lines, without blank lines around them."""
    said = [place for place, line in enumerate(lines) if line.strip()]
    kept = tuple(lines[said[0] : said[-1] + 1]) if said else ()
    number = first + 1 + (said[0] if said else 0)
    return MarkdownBlock(start.kind, number, kept, start.level, start.title)


# The words of a block, without its markup


_MARKER = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])(?:\s+|$)")
_QUOTED = re.compile(r"^ {0,3}> ?")
_SEPARATE_KINDS = re.compile(r"\s*(?:[-*+•]\s|\d{1,9}[.)]\s|[|>#])|\s{4}")
_TABLE_CELL = re.compile(r"(?<!\\)\|")
_HARD_BREAKS = ("  ", "\\")
_LONGEST_HEADER = 1_000


def marker_width(line: str) -> int:
    """The width of the bullet or number of a line; 0 if it has none."""
    found = _MARKER.match(line)
    return found.end() if found else 0


def block_words(block: MarkdownBlock) -> str:
    """The text of a block."""
    lines = block.lines
    if block.kind is BlockKind.ITEM:
        return unwrap_lines(_without_marker(lines))
    if block.kind is BlockKind.QUOTE:
        return unwrap_lines([_QUOTED.sub("", line, count=1) for line in lines])
    if block.kind is BlockKind.PARAGRAPH:
        return unwrap_lines([line.lstrip() for line in lines])
    if block.kind is BlockKind.HEADING:
        return block.title
    return "\n".join(lines)


def unwrap_lines(lines: Sequence[str]) -> str:
    """Join lines that were only broken to fit a width."""
    kept: list[str] = []
    before = ""
    for line, kind in zip(lines, classify_lines(lines), strict=True):
        is_new = kind is not LineKind.TEXT or not _is_continued(before, line)
        kept.append(f"\n{line.rstrip()}" if is_new else f" {line.strip()}")
        before = "" if kind is LineKind.FENCE else line
    return "".join(kept).strip()


def table_rows(table: MarkdownBlock) -> Iterator[tuple[int, str]]:
    """The rows of a table, each with its line number and named columns.

    A table with very long column names is not split into rows, since each would repeat them.
    """
    if len(table.lines[0]) > _LONGEST_HEADER:
        return
    header = _split_cells(table.lines[0])
    for number, line in enumerate(table.lines[2:], start=table.number + 2):
        pairs = zip_longest(header, _split_cells(line), fillvalue="")
        told = [f"{title}: {cell}" if title else cell for title, cell in pairs if cell]
        if told:
            yield number, "; ".join(told)


def _is_continued(before: str, line: str) -> bool:
    """Whether a line continues the one before it."""
    if not before.strip() or not line.strip() or before.endswith(_HARD_BREAKS):
        return False
    return not _SEPARATE_KINDS.match(line)


def _without_marker(lines: Sequence[str]) -> list[str]:
    """The lines of a list item, without its bullet or number and indentation."""
    width = marker_width(lines[0])
    rest = (line[min(width, len(line) - len(line.lstrip())) :] for line in lines[1:])
    return [lines[0][width:], *rest]


def _split_cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if not inner.endswith("\\|"):
        inner = inner.removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in _TABLE_CELL.split(inner)]


# Passages: each bullet, paragraph and table row


_BOLD = re.compile(r"(\*\*|__)(?P<title>[^*_]{1,60}[^*_.!?。])\1:?")
_COMMENT = re.compile(r"<!--.*-->", re.DOTALL)
_BOLD_LEVEL, _LEAD_LEVEL = 7, 8
LONGEST_LEAD = 200
"""A longer line is a sentence, and leads nothing."""
_BARE = "is a heading with nothing below it; write a sentence there, or make it a bullet"
_HIDDEN = "is a comment; take it out of the comment marks to import it"


@dataclass(slots=True)
class _LeadIn:
    """A heading or lead-in of what follows; `is_told` once a passage has it in front."""

    level: int
    title: str
    number: int
    is_told: bool = False


def split_passages(
    lines: Sequence[str], above: Sequence[str] = (), name: str | None = None
) -> Iterator[Passage]:
    """Split a text into passages, each under its headings, with `above` before them.

    A heading that only repeats the file name is left out.
    """
    cutter = _PassageSplitter(tuple(above), _spellings(name))
    blocks = split_blocks(lines)
    for block, following in zip_longest(blocks, blocks[1:]):
        yield from cutter.take(block, following)
    yield from cutter.close(0)


@dataclass(slots=True)
class _PassageSplitter:
    """Walks over blocks, and keeps the current headings and the passage that may go on."""

    above: tuple[str, ...]
    unsaid: frozenset[str]
    leads: list[_LeadIn] = field(default_factory=list)
    held: Passage | None = None
    code: list[str] = field(default_factory=list)

    def take(self, block: MarkdownBlock, following: MarkdownBlock | None) -> Iterator[Passage]:
        """Read a block; yields the passages that are complete."""
        if block.kind is BlockKind.CODE and self.held is not None:
            self.code.append(block_words(block))
            return
        yield from self.close(self._ends(block))
        lead = _lead_of(block, following)
        if lead is not None:
            lead.is_told = lead.title.casefold() in self.unsaid
            self.leads.append(replace(lead, title="") if lead.is_told else lead)
        elif block.kind is BlockKind.TABLE:
            yield from self._rows(block)
        elif block.kind is BlockKind.HTML and _COMMENT.fullmatch("\n".join(block.lines)):
            yield Passage(block.number, (), block_words(block), _HIDDEN)
        elif block.kind is not BlockKind.RULE and (words := block_words(block)):
            self.held = self._passage(block.number, words)

    def close(self, level: int) -> Iterator[Passage]:
        """End the current passage, and the headings from a level on."""
        if self.held is not None:
            yield replace(self.held, text="\n".join((self.held.text, *self.code)))
            self.held, self.code = None, []
        while self.leads and self.leads[-1].level >= level:
            lead = self.leads.pop()
            if not lead.is_told:
                bare = self._passage(lead.number, lead.title)
                yield bare if lead.level >= _BOLD_LEVEL else replace(bare, objection=_BARE)

    def _ends(self, block: MarkdownBlock) -> int:
        """The level from which on headings end where a block begins."""
        if block.kind is BlockKind.HEADING:
            return block.level
        if _bold_words(block):
            return _BOLD_LEVEL
        return _LEAD_LEVEL + (block.kind is BlockKind.ITEM)

    def _rows(self, table: MarkdownBlock) -> Iterator[Passage]:
        rows = list(table_rows(table)) or [(table.number, block_words(table))]
        for number, words in rows:
            yield self._passage(number, words)

    def _passage(self, number: int, words: str) -> Passage:
        for lead in self.leads:
            lead.is_told = True
        return Passage(number, (*self.above, *(lead.title for lead in self.leads)), words)


def _lead_of(block: MarkdownBlock, following: MarkdownBlock | None) -> _LeadIn | None:
    """What a block introduces, if it is a heading, a bold line, or "as follows:" before a list."""
    if block.kind is BlockKind.HEADING:
        title = block.title.rstrip(":")
        is_short = len(title) <= LONGEST_LEAD
        return _LeadIn(block.level, title, block.number) if is_short else None
    if following is None or block.kind is not BlockKind.PARAGRAPH:
        return None
    if bold := _bold_words(block):
        return _LeadIn(_BOLD_LEVEL, bold.rstrip(":"), block.number)
    words = block_words(block)
    title = " ".join(words.rstrip(":").split())
    if following.kind is BlockKind.ITEM and words.endswith(":") and 0 < len(title) <= LONGEST_LEAD:
        return _LeadIn(_LEAD_LEVEL, title, block.number)
    return None


def _bold_words(block: MarkdownBlock) -> str:
    """The words of a paragraph that is one short bold line; empty if it is not."""
    found = _BOLD.fullmatch(block.lines[0].strip()) if len(block.lines) == 1 else None
    return found["title"].strip() if found and block.kind is BlockKind.PARAGRAPH else ""


def _spellings(name: str | None) -> frozenset[str]:
    """The titles that say no more than the file name."""
    return frozenset((name.casefold(), name.rsplit(".", 1)[0].casefold())) if name else frozenset()


# Entries


def read_markdown(sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read the entries of a Markdown file."""
    return read_passages(sheet, lambda passage: [passage])


def read_passages(
    sheet: SourceFile, revised: Callable[[Passage], Iterable[Passage]]
) -> Iterator[SourceEntry]:
    """Read the entries of passages after a revision; each carries the front matter."""
    front = sheet.front
    about = {"front_matter": front.said} if front.said else {}
    if front.problem:
        yield SourceEntry.left_out(1, "front matter", front.problem)
    for passage in split_passages(sheet.body, name=sheet.name):
        for each in revised(passage):
            yield sheet.entry(shift_passage(each, front.lines), **about)


def shift_passage(passage: Passage, lines: int) -> Passage:
    """Move a passage down by a number of lines."""
    return replace(passage, number=passage.number + lines)
