"""Cutting a Markdown text: each bullet, paragraph and row of a table is a passage."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from tacit.writing.archive.readers.blocks import Block, Kind, blocks_of
from tacit.writing.archive.readers.passage import Passage
from tacit.writing.archive.readers.wording import rows_of, words_of

_BOLD = re.compile(r"(\*\*|__)(?P<title>[^*_]{1,60}[^*_.!?。])\1:?")
_COMMENT = re.compile(r"<!--.*-->", re.DOTALL)
_BOLD_LEVEL, _LEAD_LEVEL = 7, 8
LONGEST_LEAD = 200
"""What is longer is a sentence, and not in front of others."""
_BARE = "is a heading with nothing below it; write a sentence there, or make it a bullet"
_HIDDEN = "is a comment; take it out of the comment marks to import it"


@dataclass(slots=True)
class _Above:
    """Something that leads over what follows; `is_told` once a passage has it in front."""

    level: int
    title: str
    number: int
    is_told: bool = False


def passages_of(
    lines: Sequence[str], above: Sequence[str] = (), name: str | None = None
) -> Iterator[Passage]:
    """The passages of a text in order, `above` in front of the headings of each.

    A heading that only repeats the name of the file is in front of none.
    """
    cutter = _Cutter(tuple(above), _spellings(name))
    blocks = blocks_of(lines)
    for block, following in zip_longest(blocks, blocks[1:]):
        yield from cutter.take(block, following)
    yield from cutter.close(0)


@dataclass(slots=True)
class _Cutter:
    """Goes over blocks: what leads over the next one, and the passage that may go on."""

    above: tuple[str, ...]
    unsaid: frozenset[str]
    leads: list[_Above] = field(default_factory=list)
    held: Passage | None = None
    code: list[str] = field(default_factory=list)

    def take(self, block: Block, following: Block | None) -> Iterator[Passage]:
        """Read a block; yields the passages that are complete by now."""
        if block.kind is Kind.CODE and self.held is not None:
            self.code.append(words_of(block))
            return
        yield from self.close(self._ends(block))
        lead = _lead(block, following)
        if lead is not None:
            lead.is_told = lead.title.casefold() in self.unsaid
            self.leads.append(replace(lead, title="") if lead.is_told else lead)
        elif block.kind is Kind.TABLE:
            yield from self._rows(block)
        elif block.kind is Kind.HTML and _COMMENT.fullmatch("\n".join(block.lines)):
            yield Passage(block.number, (), words_of(block), _HIDDEN)
        elif block.kind is not Kind.RULE and (words := words_of(block)):
            self.held = self._passage(block.number, words)

    def close(self, level: int) -> Iterator[Passage]:
        """End the passage that is held, and the headings from a level on."""
        if self.held is not None:
            yield replace(self.held, text="\n".join((self.held.text, *self.code)))
            self.held, self.code = None, []
        while self.leads and self.leads[-1].level >= level:
            lead = self.leads.pop()
            if not lead.is_told:
                bare = self._passage(lead.number, lead.title)
                yield bare if lead.level >= _BOLD_LEVEL else replace(bare, objection=_BARE)

    def _ends(self, block: Block) -> int:
        """From which level on headings end where a block begins."""
        if block.kind is Kind.HEADING:
            return block.level
        if _bold(block):
            return _BOLD_LEVEL
        return _LEAD_LEVEL + (block.kind is Kind.ITEM)

    def _rows(self, table: Block) -> Iterator[Passage]:
        rows = list(rows_of(table)) or [(table.number, words_of(table))]
        for number, words in rows:
            yield self._passage(number, words)

    def _passage(self, number: int, words: str) -> Passage:
        for lead in self.leads:
            lead.is_told = True
        return Passage(number, (*self.above, *(lead.title for lead in self.leads)), words)


def _lead(block: Block, following: Block | None) -> _Above | None:
    """What a block leads over, if it is a heading, a bold line or "as follows:" before a list."""
    if block.kind is Kind.HEADING:
        title = block.title.rstrip(":")
        is_short = len(title) <= LONGEST_LEAD
        return _Above(block.level, title, block.number) if is_short else None
    if following is None or block.kind is not Kind.PARAGRAPH:
        return None
    if bold := _bold(block):
        return _Above(_BOLD_LEVEL, bold.rstrip(":"), block.number)
    words = words_of(block)
    title = " ".join(words.rstrip(":").split())
    if following.kind is Kind.ITEM and words.endswith(":") and 0 < len(title) <= LONGEST_LEAD:
        return _Above(_LEAD_LEVEL, title, block.number)
    return None


def _bold(block: Block) -> str:
    """The words of a paragraph that is one short line in bold; empty if it is not."""
    found = _BOLD.fullmatch(block.lines[0].strip()) if len(block.lines) == 1 else None
    return found["title"].strip() if found and block.kind is Kind.PARAGRAPH else ""


def _spellings(name: str | None) -> frozenset[str]:
    """What a title is that says no more than the name of the file."""
    return frozenset((name.casefold(), name.rsplit(".", 1)[0].casefold())) if name else frozenset()
