"""The whole block: its sections, and what stands around them."""

from dataclasses import dataclass

from tacit.language.structure.templates import (
    FRAME_RULES,
    FRAME_TITLE,
    INJECTION_BLOCK_PREFIX,
    KNOWN_FACTS,
    PINNED,
    PREFACE,
    RELEVANT,
    RULER,
)
from tacit.turn.render.line import Line, Section, line_text


@dataclass(frozen=True, slots=True)
class Sections:
    """What a block shows, each section in the order of its lines."""

    facts: tuple[Line, ...] = ()
    pinned: tuple[Line, ...] = ()
    relevant: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands before and after the lines of a section."""

    before: str
    after: str = ""


def block(id: str, body: str) -> str:
    """The text to inject, named by its id; without a body there is no block."""
    return f"{INJECTION_BLOCK_PREFIX} #{id}\n{body}" if body else ""


def body(sections: Sections, *, read_only_marker: bool) -> str:
    """Everything after the first line, or nothing where there is nothing to show."""
    parts = [
        _framed(getattr(sections, section), section, read_only_marker)
        for section in Section
        if getattr(sections, section)
    ]
    return "\n\n".join([PREFACE, *parts]) if parts else ""


def frame(section: Section, *, read_only_marker: bool) -> Frame:
    """The frame of a section; only facts differ with the marker."""
    return _READ_ONLY if read_only_marker and section is Section.FACTS else _FRAMES[section]


def _framed(lines: tuple[Line, ...], section: Section, read_only_marker: bool) -> str:
    around = frame(section, read_only_marker=read_only_marker)
    return around.before + "\n".join(line_text(line, section) for line in lines) + around.after


_BREAK = "\n"
_READ_ONLY = Frame(f"{FRAME_TITLE}\n{RULER}\n\n", f"\n\n{_BREAK.join(FRAME_RULES)}\n\n{RULER}")
_FRAMES = {
    Section.FACTS: Frame(f"{KNOWN_FACTS}\n"),
    Section.PINNED: Frame(f"{PINNED}\n"),
    Section.RELEVANT: Frame(f"{RELEVANT}\n"),
}
