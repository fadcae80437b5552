"""The prompt: its sections in a fixed order, each within its budget, and all within the total.

A budget counts the heading too. When the parts exceed the total, documents are shortened first,
then the tail of the conversation, the summary, the hint, and the user's own message last. The
memory block has a budget of its own and is added afterwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from tacit.grounding.text_cuts import clip_text
from tacit.language.neutralization import (
    neutralize_line,
    neutralize_lines,
    neutralize_once,
    remove_forged_end,
)
from tacit.language.prompt_templates import (
    DOCUMENTS_TITLE,
    HINT_TITLE,
    REQUEST_TITLE,
    SUMMARY_TITLE,
    TAIL_TITLE,
    format_excerpt_label,
)
from tacit.language.tokens import TextSize, estimate_tokens
from tacit.settings.grounding import GroundingSettings

# Sections


class PromptPart(StrEnum):
    """The parts of a prompt."""

    USER = "user"
    MEMORY = "memory"
    SUMMARY = "summary"
    TAIL = "tail"
    DOCUMENTS = "documents"
    HINT = "hint"


SECTION_TITLES = {
    PromptPart.SUMMARY: SUMMARY_TITLE,
    PromptPart.TAIL: TAIL_TITLE,
    PromptPart.DOCUMENTS: DOCUMENTS_TITLE,
    PromptPart.HINT: HINT_TITLE,
}

SECTION_GAP = "\n\n"
_HEADINGS = {
    **{part: f"{title}\n" for part, title in SECTION_TITLES.items()},
    PromptPart.USER: f"{REQUEST_TITLE}{SECTION_GAP}",
}
"""The longer of the two headings that a part can have, so that a budget holds for both."""


def body_tokens(part: PromptPart, tokens: int) -> int:
    """The budget of a part without its heading."""
    return max(tokens - estimate_tokens(_HEADINGS.get(part, "")), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSection:
    """One part of a prompt: its title, if it has one, and its body."""

    part: PromptPart
    body: str

    @property
    def text(self) -> str:
        """The section as it stands in the prompt."""
        title = SECTION_TITLES.get(self.part)
        return self.body if title is None else f"{title}\n{self.body}"

    @property
    def longest(self) -> str:
        """The section with the longer of its possible headings."""
        return f"{_HEADINGS.get(self.part, '')}{self.body}"

    @property
    def tokens(self) -> int:
        """The size of the section."""
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptExcerpt:
    """A passage of a document, and its source."""

    source: str
    heading: str
    text: str

    @property
    def label(self) -> str:
        """The line above it in a prompt, which names its source."""
        return format_excerpt_label(neutralize_line(self.source), neutralize_line(self.heading))

    @property
    def written(self) -> str:
        """The excerpt as it stands in a prompt, neutralised."""
        return f"{self.label}\n{neutralize_lines(self.text.strip())}"


# Assembly


DOCUMENTS_FLOOR = 120
"""Documents keep this many tokens while other parts can be shortened too."""

_YIELDING_PARTS = (
    PromptPart.DOCUMENTS,
    PromptPart.TAIL,
    PromptPart.SUMMARY,
    PromptPart.HINT,
    PromptPart.USER,
)
_LEAST_TOKENS = 8
"""A section with fewer tokens than this says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptInput:
    """The parts to assemble; empty if a part is missing."""

    user: str
    summary: str = ""
    tail: str = ""
    excerpts: tuple[PromptExcerpt, ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledPrompt:
    """The sections of a prompt, in their order."""

    sections: tuple[PromptSection, ...] = field(default_factory=tuple)

    @property
    def text(self) -> str:
        """The prompt."""
        return SECTION_GAP.join(section.text for section in self.sections)

    def has(self, part: PromptPart) -> bool:
        """Whether the prompt has a part."""
        return any(section.part is part for section in self.sections)

    def body(self, part: PromptPart) -> str:
        """The body of a part; empty if the prompt does not have it."""
        return next((each.body for each in self.sections if each.part is part), "")

    def with_body(self, part: PromptPart, body: str) -> Self:
        """The prompt with another body of a part, or without the part if it is empty."""
        bodies = {each.part: each.body for each in self.sections} | {part: body}
        return replace(self, sections=tuple(_build_sections(bodies)))

    def tokens(self) -> dict[str, int]:
        """The size of each part."""
        return {str(section.part): section.tokens for section in self.sections}


def assemble_prompt(parts: PromptInput, settings: GroundingSettings) -> AssembledPrompt:
    """Assemble the parts within their budgets."""
    most = {
        PromptPart.USER: settings.user_max_tokens,
        PromptPart.SUMMARY: settings.memory_summary_max_tokens,
        PromptPart.TAIL: settings.chat_tail_max_tokens,
        PromptPart.DOCUMENTS: settings.qmd_max_tokens,
        PromptPart.HINT: settings.hint_max_tokens,
    }
    room = {part: body_tokens(part, tokens) for part, tokens in most.items()}
    bodies = {
        PromptPart.USER: clip_text(parts.user, tokens=room[PromptPart.USER]),
        PromptPart.SUMMARY: _clip_neutral(
            neutralize_lines(parts.summary.strip()), room[PromptPart.SUMMARY]
        ),
        PromptPart.TAIL: _fit_last_messages(parts.tail.strip(), room[PromptPart.TAIL]),
        PromptPart.DOCUMENTS: _fit_excerpts(parts.excerpts, room[PromptPart.DOCUMENTS]),
        PromptPart.HINT: clip_text(parts.hint.strip(), tokens=room[PromptPart.HINT]),
    }
    fitted = _fit_within(bodies, parts, lambda size: size.tokens - settings.max_prompt_tokens)
    guarded = _fit_within(fitted, parts, lambda size: size.bytes - settings.max_prompt_bytes)
    return AssembledPrompt(sections=tuple(_build_sections(guarded)))


def _build_sections(bodies: dict[PromptPart, str]) -> list[PromptSection]:
    return [
        PromptSection(part=part, body=bodies[part])
        for part in PromptPart
        if bodies.get(part, "").strip()
    ]


Excess = Callable[[TextSize], int]


def _fit_within(
    bodies: dict[PromptPart, str], parts: PromptInput, excess: Excess
) -> dict[PromptPart, str]:
    """Shorten bodies until all fit."""
    bodies = dict(bodies)
    for part, floor in (
        (PromptPart.DOCUMENTS, DOCUMENTS_FLOOR),
        *((each, 0) for each in _YIELDING_PARTS),
    ):
        if excess(_measure(bodies)) <= 0:
            return bodies
        bodies[part] = _shorten_part(bodies, part, floor, parts, excess)
    return bodies


def _shorten_part(
    bodies: dict[PromptPart, str], part: PromptPart, floor: int, parts: PromptInput, excess: Excess
) -> str:
    """Shorten a part to the room that is left, but not below the floor."""
    if not bodies[part]:
        return ""
    if part is PromptPart.DOCUMENTS:
        return _find_longest_cut(
            bodies, part, floor, excess, lambda tokens: _fit_excerpts(parts.excerpts, tokens)
        )
    whole = bodies[part]
    if part is PromptPart.TAIL:
        return _find_longest_cut(
            bodies, part, floor, excess, lambda tokens: _fit_last_messages(whole, tokens)
        )
    cut = (
        _clip_neutral
        if part is PromptPart.SUMMARY
        else lambda text, tokens: clip_text(text, tokens=tokens)
    )
    return _find_longest_cut(bodies, part, floor, excess, lambda tokens: cut(whole, tokens))


def _find_longest_cut(
    bodies: dict[PromptPart, str],
    part: PromptPart,
    floor: int,
    excess: Excess,
    cut: Callable[[int], str],
) -> str:
    """The longest cut of a part with which all fits; the floor if none does."""
    high = TextSize.of(bodies[part]).tokens
    low = min(floor, high)
    best = cut(low) if low else ""
    while low <= high:
        middle = (low + high) // 2
        tried = cut(middle) if middle >= _LEAST_TOKENS else ""
        if excess(_measure({**bodies, part: tried})) <= 0:
            best, low = tried, middle + 1
        else:
            high = middle - 1
    return best


def _measure(bodies: dict[PromptPart, str]) -> TextSize:
    """The size of the prompt without the memory block, which is added later."""
    return TextSize.of(SECTION_GAP.join(section.longest for section in _build_sections(bodies)))


def _fit_excerpts(excerpts: Sequence[PromptExcerpt], tokens: int) -> str:
    """As many excerpts as fit; the last one may be shortened."""
    written: list[str] = []
    for excerpt in excerpts:
        whole = excerpt.written
        left = tokens - TextSize.of(SECTION_GAP.join([*written, ""])).tokens
        fitting = _clip_neutral(whole, max(left, 0), own=len(excerpt.label) + 1)
        if "\n" not in fitting:  # nothing but where it stands
            break
        written.append(fitting)
        if fitting != whole:
            break
    return SECTION_GAP.join(written)


def _fit_last_messages(text: str, tokens: int) -> str:
    """The last whole messages of a conversation that fit; further lines of one are indented."""
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


def _clip_neutral(neutral: str, tokens: int, own: int = 0) -> str:
    """Clip a text that was found, so that the cut creates no structure.

    The first characters, `own` in number, are not part of what was found.
    """
    room = tokens
    while True:
        cut = clip_text(neutral, tokens=room)
        if cut == neutral:
            return neutral
        cut = remove_forged_end(cut)
        cut = cut[:own] + neutralize_once(cut[own:])
        excess = TextSize.of(cut).tokens - tokens
        if excess <= 0 or room <= 0:
            return cut if excess <= 0 else ""
        room -= excess
