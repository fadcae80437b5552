"""The block: how memories are rendered as the text that is injected."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from tacit.core.episodes import EpisodeRole
from tacit.core.kinds import Actor, MemoryType, Trust
from tacit.core.memory import Memory
from tacit.language.neutralization import neutralize_line
from tacit.language.prompt_templates import (
    FRAME_RULES,
    FRAME_TITLE,
    INJECTION_BLOCK_PREFIX,
    KNOWN_FACTS,
    LABELS,
    LESS_SURE,
    PINNED,
    PREFACE,
    RELEVANT,
    RULER,
    SAID_EARLIER,
    SHORTENED,
    STANDING_RULES,
    UNTRUSTED,
    UNVERIFIED,
    UNVERIFIED_BY,
    DayLabel,
    format_author_remark,
    format_conflict_remark,
    format_day,
    format_day_remark,
    format_fact_remark,
    format_hit_remark,
    format_replaced_remark,
)
from tacit.language.relative_dates import depends_on_day, find_named_days
from tacit.language.sentences import find_sentence_ends
from tacit.store.episodes import role_of

_QUOTED_CHARACTERS = 120


class BlockSection(StrEnum):
    """The parts of a block, in the order they are shown."""

    FRAME = "frame"
    STANDING = "standing"
    PINNED = "pinned"
    FACTS = "facts"
    RELEVANT = "relevant"
    SAID = "said"


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A memory or an episode to show.

    `conflict` quotes what stands against it and `replaces` what it stands for, `content` replaces
    long content, and `days` says when it was said or is true. A value that is `less_sure`
    stands for older ones that were surer. `author` is the user who wrote it, if another one reads
    it.
    """

    memory: Memory
    conflict: str | None = None
    content: str | None = None
    days: str | None = None
    less_sure: bool = False
    author: str | None = None
    replaces: str | None = None


def render_line(line: MemoryLine, section: BlockSection) -> str:
    """Render a memory as a line of a section, without line breaks."""
    is_said = section is BlockSection.SAID
    remarks = _render_said_remarks(line) if is_said else _render_remarks(line)
    return " ".join([_STATEMENTS[section](line), *remarks])


def describe_trust(trust: Trust, source: Actor) -> str | None:
    """The remark on a memory that does not come from a person; None if it is trusted."""
    if trust is Trust.TRUSTED:
        return None
    return UNTRUSTED if trust is Trust.UNTRUSTED else UNVERIFIED_BY.get(source, UNVERIFIED)


def describe_days(memory: Memory, now: datetime, *, in_conflict: bool = False) -> str | None:
    """The remark on when a memory was said and is true; None if that does not matter.

    It matters for events, todos, everything that is relative to the day it was said, and to tell
    two statements apart that conflict. A todo or an event that is over says so.
    """
    days = find_days(memory, now, in_conflict=in_conflict)
    return format_day_remark(days) if days else None


def find_days(memory: Memory, now: datetime, *, in_conflict: bool = False) -> dict[DayLabel, date]:
    """The days that matter for a memory, by what they stand for."""
    said = memory.said_at.date()
    named = find_named_days(memory.content, said) if memory.type in _ON_A_DAY else None
    is_open = memory.type in _ON_A_DAY and named is None
    parts: dict[DayLabel, date] = {}
    if is_open or in_conflict or depends_on_day(memory.content):
        parts[DayLabel.SAID] = said
    if memory.valid_from is not None:
        parts[DayLabel.SINCE] = memory.valid_from.date()
    is_kept_until = memory.explicit or memory.type not in _ON_A_DAY
    ends = [memory.valid_to, memory.expires_at if is_kept_until else None]
    if ends := [end for end in ends if end is not None]:
        parts[DayLabel.UNTIL] = (min(ends) - datetime.resolution).date()
    if named is not None and named.last < now.date():
        on_a_day, within_days = _ON_A_DAY[memory.type]
        parts[on_a_day if named.is_one_day else within_days] = named.last
    return parts


_ON_A_DAY = {
    MemoryType.EVENT: (DayLabel.WAS_ON, DayLabel.OVER_BY),
    MemoryType.TODO: (DayLabel.WAS_DUE, DayLabel.WAS_DUE_BY),
}
"""The types that are about a day or several, and what a line says of them once they have passed."""


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
    if line.author is not None:
        yield format_author_remark(neutralize_line(line.author))
    if line.less_sure:
        yield f"({LESS_SURE})"
    if line.days is not None:
        yield line.days
    yield from _render_quotes(line)


def _render_said_remarks(line: MemoryLine) -> Iterator[str]:
    """A person's words that may be somebody else's are marked; an assistant's are anyway."""
    said = line.memory
    if role_of(said) is EpisodeRole.USER and said.trust is not Trust.TRUSTED:
        yield f"({UNVERIFIED})"
    yield from _render_quotes(line)


def _render_quotes(line: MemoryLine) -> Iterator[str]:
    if line.replaces is not None:
        yield format_replaced_remark(neutralize_line(line.replaces))
    if line.conflict is not None:
        yield format_conflict_remark(neutralize_line(line.conflict))


_STATEMENTS = {
    BlockSection.FRAME: _render_fact,
    BlockSection.STANDING: _render_pinned,
    BlockSection.PINNED: _render_pinned,
    BlockSection.FACTS: _render_fact,
    BlockSection.RELEVANT: _render_hit,
    BlockSection.SAID: _render_episode,
}


# The sections of a block


@dataclass(frozen=True, slots=True)
class BlockSections:
    """The lines of a block, by section."""

    frame: tuple[MemoryLine, ...] = ()
    standing: tuple[MemoryLine, ...] = ()
    pinned: tuple[MemoryLine, ...] = ()
    facts: tuple[MemoryLine, ...] = ()
    relevant: tuple[MemoryLine, ...] = ()
    said: tuple[MemoryLine, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionFrame:
    """The text before and after the lines of a section."""

    before: str
    after: str = ""


WIDEST_ID = "0b0b0b0b"
"""An id that takes as many tokens as any other."""


def render_block(id: str, body: str) -> str:
    """Render the text to inject, headed by its id; empty if there is no body."""
    return f"{INJECTION_BLOCK_PREFIX} #{id}\n{body}" if body else ""


def render_body(sections: BlockSections, *, has_preface: bool = True) -> str:
    """Render everything after the first line; empty if there is nothing to show.

    A block that stands behind another one of the same turn has no preface of its own.
    """
    parts = [
        _render_section(getattr(sections, section), section)
        for section in BlockSection
        if getattr(sections, section)
    ]
    if not parts:
        return ""
    return "\n\n".join([PREFACE, *parts]) if has_preface else "\n" + "\n\n".join(parts)


def frame_of(section: BlockSection) -> SectionFrame:
    """The frame of a section."""
    return _FRAMES[section]


def _render_section(lines: tuple[MemoryLine, ...], section: BlockSection) -> str:
    around = frame_of(section)
    return around.before + "\n".join(render_line(line, section) for line in lines) + around.after


_BREAK = "\n"
_FRAMES = {
    BlockSection.FRAME: SectionFrame(
        f"{FRAME_TITLE}\n{RULER}\n\n", f"\n\n{_BREAK.join(FRAME_RULES)}\n\n{RULER}"
    ),
    BlockSection.STANDING: SectionFrame(f"{STANDING_RULES}\n"),
    BlockSection.PINNED: SectionFrame(f"{PINNED}\n"),
    BlockSection.FACTS: SectionFrame(f"{KNOWN_FACTS}\n"),
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


def quote_other(memory: Memory, when: str) -> str:
    """What conflicts with a line, quoted, and when it was said."""
    return f"{quote(memory)}, {when}"


def quote(memory: Memory) -> str:
    """The words of a memory in another line, in quotation marks."""
    return f'"{shorten(memory.content, _QUOTED_CHARACTERS)}"'


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
