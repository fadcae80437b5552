"""One memory, as the block shows it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tacit.core.memory.kinds import Actor, Trust
from tacit.core.memory.record import Memory
from tacit.language.structure.neutral import neutralised
from tacit.language.structure.templates import (
    LABELS,
    SHORTENED,
    UNTRUSTED,
    UNVERIFIED,
    UNVERIFIED_BY,
    about_fact,
    about_hit,
    conflict_remark,
)


class Section(StrEnum):
    """The parts of a block, in the order they are shown."""

    FACTS = "facts"
    PINNED = "pinned"
    RELEVANT = "relevant"


@dataclass(frozen=True, slots=True)
class Line:
    """A memory to show; `conflict` quotes its rival, `content` replaces a content too long."""

    memory: Memory
    conflict: str | None = None
    content: str | None = None


def line_text(line: Line, section: Section) -> str:
    """The line as it stands in a section; it never has a line break."""
    return " ".join([_STATEMENTS[section](line), *_remarks(line)])


def trust_remark(trust: Trust, source: Actor) -> str | None:
    """What a line says of words that no person stands behind."""
    if trust is Trust.TRUSTED:
        return None
    return UNTRUSTED if trust is Trust.UNTRUSTED else UNVERIFIED_BY.get(source, UNVERIFIED)


def _fact(line: Line) -> str:
    memory = line.memory
    return f"- {_named(line)} {about_fact(memory.type, memory.scope, memory.confidence)}"


def _pinned(line: Line) -> str:
    return f"{LABELS[line.memory.type]} {_named(line)}"


def _relevant(line: Line) -> str:
    return f"{_pinned(line)} {about_hit(line.memory.importance)}"


def _named(line: Line) -> str:
    """The content, under its key if it has one: a value means little without it."""
    key = line.memory.key
    return _content(line) if key is None else f"{neutralised(key)}: {_content(line)}"


def _content(line: Line) -> str:
    return neutralised(line.memory.content if line.content is None else line.content)


def _remarks(line: Line) -> Iterator[str]:
    if line.content is not None:
        yield f"({SHORTENED})"
    if (doubt := trust_remark(line.memory.trust, line.memory.source)) is not None:
        yield f"({doubt})"
    if line.conflict is not None:
        yield conflict_remark(neutralised(line.conflict))


_STATEMENTS = {Section.FACTS: _fact, Section.PINNED: _pinned, Section.RELEVANT: _relevant}
