"""Assembly: parts in a fixed order, each within its budget, and the whole within the total.

A budget counts the heading too. When the parts are too much together, documents give way first,
then what was said last, then the summary, then the hint, and what the user said last of all. The
memory block has a budget of its own, and is put in afterwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from tacit.grounding.clipping import clipped
from tacit.grounding.section import GAP, Excerpted, Part, Section, body_tokens
from tacit.language.neutralization import neutralize_lines, neutralize_once, remove_forged_end
from tacit.language.tokens import TextSize
from tacit.settings.grounding import GroundingSettings

DOCUMENTS_FLOOR = 120
"""So many tokens documents keep while others can give way too."""

_YIELDING = (Part.DOCUMENTS, Part.TAIL, Part.SUMMARY, Part.HINT, Part.USER)
_NO_ROOM = 8
"""A section with fewer tokens than this says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What there is to assemble; empty where a part is missing."""

    user: str
    summary: str = ""
    tail: str = ""
    excerpts: tuple[Excerpted, ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """The sections that stand in a prompt, in their order."""

    sections: tuple[Section, ...] = field(default_factory=tuple)

    @property
    def text(self) -> str:
        """The prompt."""
        return GAP.join(section.text for section in self.sections)

    def has(self, part: Part) -> bool:
        """Whether a part is in it."""
        return any(section.part is part for section in self.sections)

    def body(self, part: Part) -> str:
        """The words of a part; empty where it is not in it."""
        return next((each.body for each in self.sections if each.part is part), "")

    def with_body(self, part: Part, body: str) -> Self:
        """The same with other words of a part, or without it where there are none."""
        bodies = {each.part: each.body for each in self.sections} | {part: body}
        return replace(self, sections=tuple(_sections(bodies)))

    def tokens(self) -> dict[str, int]:
        """How much each part takes."""
        return {str(section.part): section.tokens for section in self.sections}


def assemble(parts: Parts, settings: GroundingSettings) -> Assembled:
    """The prompt of these parts within the budgets."""
    most = {
        Part.USER: settings.user_max_tokens,
        Part.SUMMARY: settings.memory_summary_max_tokens,
        Part.TAIL: settings.chat_tail_max_tokens,
        Part.DOCUMENTS: settings.qmd_max_tokens,
        Part.HINT: settings.hint_max_tokens,
    }
    room = {part: body_tokens(part, tokens) for part, tokens in most.items()}
    bodies = {
        Part.USER: clipped(parts.user, tokens=room[Part.USER]),
        Part.SUMMARY: _clipped(neutralize_lines(parts.summary.strip()), room[Part.SUMMARY]),
        Part.TAIL: _last(parts.tail.strip(), room[Part.TAIL]),
        Part.DOCUMENTS: _documents(parts.excerpts, room[Part.DOCUMENTS]),
        Part.HINT: clipped(parts.hint.strip(), tokens=room[Part.HINT]),
    }
    fitted = _within(bodies, parts, lambda size: size.tokens - settings.max_prompt_tokens)
    guarded = _within(fitted, parts, lambda size: size.bytes - settings.max_prompt_bytes)
    return Assembled(sections=tuple(_sections(guarded)))


def _sections(bodies: dict[Part, str]) -> list[Section]:
    return [Section(part=part, body=bodies[part]) for part in Part if bodies.get(part, "").strip()]


Excess = Callable[[TextSize], int]


def _within(bodies: dict[Part, str], parts: Parts, excess: Excess) -> dict[Part, str]:
    """The bodies once enough has given way."""
    bodies = dict(bodies)
    for part, floor in ((Part.DOCUMENTS, DOCUMENTS_FLOOR), *((each, 0) for each in _YIELDING)):
        if excess(_size(bodies)) <= 0:
            return bodies
        bodies[part] = _shorter(bodies, part, floor, parts, excess)
    return bodies


def _shorter(bodies: dict[Part, str], part: Part, floor: int, parts: Parts, excess: Excess) -> str:
    """As much of a part as there is room for, but not less than the floor."""
    if not bodies[part]:
        return ""
    if part is Part.DOCUMENTS:
        return _most(bodies, part, floor, excess, lambda tokens: _documents(parts.excerpts, tokens))
    whole = bodies[part]
    if part is Part.TAIL:
        return _most(bodies, part, floor, excess, lambda tokens: _last(whole, tokens))
    cut = _clipped if part is Part.SUMMARY else lambda text, tokens: clipped(text, tokens=tokens)
    return _most(bodies, part, floor, excess, lambda tokens: cut(whole, tokens))


def _most(
    bodies: dict[Part, str],
    part: Part,
    floor: int,
    excess: Excess,
    cut: Callable[[int], str],
) -> str:
    """The longest cut of a part with which all fits; the floor's where none does."""
    high = TextSize.of(bodies[part]).tokens
    low = min(floor, high)
    best = cut(low) if low else ""
    while low <= high:
        middle = (low + high) // 2
        tried = cut(middle) if middle >= _NO_ROOM else ""
        if excess(_size({**bodies, part: tried})) <= 0:
            best, low = tried, middle + 1
        else:
            high = middle - 1
    return best


def _size(bodies: dict[Part, str]) -> TextSize:
    """How large the prompt is; the memory block comes later and is not counted."""
    return TextSize.of(GAP.join(section.longest for section in _sections(bodies)))


def _documents(excerpts: Sequence[Excerpted], tokens: int) -> str:
    """As many excerpts as there is room for, the last one perhaps shortened."""
    written: list[str] = []
    for excerpt in excerpts:
        whole = excerpt.written
        left = tokens - TextSize.of(GAP.join([*written, ""])).tokens
        fitting = _clipped(whole, max(left, 0), own=len(excerpt.label) + 1)
        if "\n" not in fitting:  # nothing but where it stands
            break
        written.append(fitting)
        if fitting != whole:
            break
    return GAP.join(written)


def _last(text: str, tokens: int) -> str:
    """The last messages of a conversation that fit, whole; further lines of one are indented."""
    lines = text.splitlines()
    starts = [place for place, line in enumerate(lines) if not place or not line.startswith(" ")]
    low, high = 0, len(starts)
    while low < high:  # the first message from which on all fits
        middle = (low + high) // 2
        if TextSize.of("\n".join(lines[starts[middle] :])).tokens <= tokens:
            high = middle
        else:
            low = middle + 1
    return "\n".join(lines[starts[low] :]) if low < len(starts) else ""


def _clipped(neutral: str, tokens: int, own: int = 0) -> str:
    """The beginning of a text that was found, in which the cut makes nothing that structures it.

    The first characters, `own` in number, are no part of what was found.
    """
    room = tokens
    while True:
        cut = clipped(neutral, tokens=room)
        if cut == neutral:
            return neutral
        cut = remove_forged_end(cut)
        cut = cut[:own] + neutralize_once(cut[own:])
        excess = TextSize.of(cut).tokens - tokens
        if excess <= 0 or room <= 0:
            return cut if excess <= 0 else ""
        room -= excess
