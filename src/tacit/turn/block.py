"""The block: how memories are rendered as the text that is injected."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tacit.core.episodes import EpisodeRole
from tacit.core.kinds import Actor, Trust
from tacit.core.memory import Memory
from tacit.language.neutralization import neutralize_line
from tacit.language.prompt_templates import (
    FRAME_RULES,
    FRAME_TITLE,
    INJECTION_BLOCK_PREFIX,
    KNOWN_FACTS,
    LABELS,
    PINNED,
    PREFACE,
    RELEVANT,
    RULER,
    SAID_EARLIER,
    SHORTENED,
    UNTRUSTED,
    UNVERIFIED,
    UNVERIFIED_BY,
    format_conflict_remark,
    format_day,
    format_fact_remark,
    format_hit_remark,
)
from tacit.language.sentences import find_sentence_ends
from tacit.store.episodes import role_of


class BlockSection(StrEnum):
    """The parts of a block, in the order they are shown."""

    FACTS = "facts"
    PINNED = "pinned"
    RELEVANT = "relevant"
    SAID = "said"


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A memory or an episode to show.

    `conflict` quotes what contradicts it, and `content` replaces long content.
    """

    memory: Memory
    conflict: str | None = None
    content: str | None = None


def render_line(line: MemoryLine, section: BlockSection) -> str:
    """Render a memory as a line of a section, without line breaks."""
    remarks = () if section is BlockSection.SAID else _render_remarks(line)
    return " ".join([_STATEMENTS[section](line), *remarks])


def describe_trust(trust: Trust, source: Actor) -> str | None:
    """The remark on a memory that does not come from a person; None if it is trusted."""
    if trust is Trust.TRUSTED:
        return None
    return UNTRUSTED if trust is Trust.UNTRUSTED else UNVERIFIED_BY.get(source, UNVERIFIED)


def _render_fact(line: MemoryLine) -> str:
    memory = line.memory
    remark = format_fact_remark(memory.type, memory.scope, memory.confidence)
    return f"- {_render_content(line)} {remark}"


def _render_pinned(line: MemoryLine) -> str:
    return f"{LABELS[line.memory.type]} {_render_content(line)}"


def _render_hit(line: MemoryLine) -> str:
    return f"{_render_pinned(line)} {format_hit_remark(line.memory.importance)}"


def _render_episode(line: MemoryLine) -> str:
    """What was said, after its day; an assistant's words are marked."""
    said = line.memory
    speaker = "" if role_of(said) is EpisodeRole.USER else str(role_of(said))
    return f"{format_day(said.created_at, speaker)} {_content_of(line)}"


def _render_content(line: MemoryLine) -> str:
    """The content, after its key if it has one: a value means little without it."""
    key = line.memory.key
    return _content_of(line) if key is None else f"{neutralize_line(key)}: {_content_of(line)}"


def _content_of(line: MemoryLine) -> str:
    return neutralize_line(line.memory.content if line.content is None else line.content)


def _render_remarks(line: MemoryLine) -> Iterator[str]:
    if line.content is not None:
        yield f"({SHORTENED})"
    if (doubt := describe_trust(line.memory.trust, line.memory.source)) is not None:
        yield f"({doubt})"
    if line.conflict is not None:
        yield format_conflict_remark(neutralize_line(line.conflict))


_STATEMENTS = {
    BlockSection.FACTS: _render_fact,
    BlockSection.PINNED: _render_pinned,
    BlockSection.RELEVANT: _render_hit,
    BlockSection.SAID: _render_episode,
}


# The sections of a block


@dataclass(frozen=True, slots=True)
class BlockSections:
    """The lines of a block, by section."""

    facts: tuple[MemoryLine, ...] = ()
    pinned: tuple[MemoryLine, ...] = ()
    relevant: tuple[MemoryLine, ...] = ()
    said: tuple[MemoryLine, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionFrame:
    """The text before and after the lines of a section."""

    before: str
    after: str = ""


def render_block(id: str, body: str) -> str:
    """Render the text to inject, headed by its id; empty if there is no body."""
    return f"{INJECTION_BLOCK_PREFIX} #{id}\n{body}" if body else ""


def render_body(sections: BlockSections, *, read_only_marker: bool) -> str:
    """Render everything after the first line; empty if there is nothing to show."""
    parts = [
        _render_section(getattr(sections, section), section, read_only_marker)
        for section in BlockSection
        if getattr(sections, section)
    ]
    return "\n\n".join([PREFACE, *parts]) if parts else ""


def frame_of(section: BlockSection, *, read_only_marker: bool) -> SectionFrame:
    """The frame of a section; the marker only changes that of facts."""
    return _READ_ONLY if read_only_marker and section is BlockSection.FACTS else _FRAMES[section]


def _render_section(
    lines: tuple[MemoryLine, ...], section: BlockSection, read_only_marker: bool
) -> str:
    around = frame_of(section, read_only_marker=read_only_marker)
    return around.before + "\n".join(render_line(line, section) for line in lines) + around.after


_BREAK = "\n"
_READ_ONLY = SectionFrame(
    f"{FRAME_TITLE}\n{RULER}\n\n", f"\n\n{_BREAK.join(FRAME_RULES)}\n\n{RULER}"
)
_FRAMES = {
    BlockSection.FACTS: SectionFrame(f"{KNOWN_FACTS}\n"),
    BlockSection.PINNED: SectionFrame(f"{PINNED}\n"),
    BlockSection.RELEVANT: SectionFrame(f"{RELEVANT}\n"),
    BlockSection.SAID: SectionFrame(f"{SAID_EARLIER}\n"),
}


# Excerpts


_ELLIPSIS = "…"
_WORDS = re.compile(r"(?s:.*)\S(?=\s)")
_JOINER = "\u200d"
_ATTACHED = re.compile(
    "[\u200c\u200d\u0e33\u0eb3\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def shorten(text: str, characters: int) -> str:
    """Shorten a text to a number of characters, with an ellipsis.

    It is cut after a sentence, or else after a word, if that uses at least half of the room.
    """
    if len(text) <= characters:
        return text
    room = characters - len(f" {_ELLIPSIS}")
    start = (
        text[: _cluster_start(text, _find_cut(text[: room + 1], room))].rstrip() if room > 0 else ""
    )
    return f"{start} {_ELLIPSIS}" if start else _ELLIPSIS[: max(characters, 0)]


def _find_cut(text: str, room: int) -> int:
    """Find where to cut a text that has one character more than there is room for."""
    ends = [end for end in find_sentence_ends(text, room // 2) if end <= room]
    found = _WORDS.match(text, room // 2)
    return ends[-1] if ends else found.end() if found else room


def _cluster_start(text: str, at: int) -> int:
    """The last position up to `at` that splits no grapheme."""
    while at > 0 and _is_inside(text, at):
        at -= 1
    return at


def _is_inside(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if unicodedata.category(after).startswith("M") or _ATTACHED.match(after):
        return True
    return before == _JOINER or before + after == "\r\n" or _splits_flag(text, at)


def _splits_flag(text: str, at: int) -> bool:
    """Whether a cut splits a flag: flags are pairs of letters."""
    before = text[:at]
    return text[at] in _FLAG_LETTERS and (at - len(before.rstrip(_FLAG_LETTERS))) % 2 == 1
