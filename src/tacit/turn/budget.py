"""What fits: of the memories worth showing, those that the block has room for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tacit.language.structure.templates import PREFACE
from tacit.language.tokens import Size
from tacit.turn.render.excerpt import shortened
from tacit.turn.render.line import Line, Section, line_text
from tacit.turn.render.sections import Sections, block, frame

_OPENING = Size.of(block("0" * 8, PREFACE))
_LINE_BREAK = Size.of("\n")
_LARGEST_SHARE = 4
_LEAST_WORTH_SHOWING = 20


class Refusal(StrEnum):
    """The limit that a memory would have broken."""

    OVER_SLOTS = "over_slots"
    OVER_TOKENS = "over_tokens"
    OVER_CHARS = "over_chars"


@dataclass(frozen=True, slots=True)
class Offer:
    """A line, and where it would stand."""

    line: Line
    section: Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many memories a block may show, and how long the whole of it may be."""

    slots: int
    tokens: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What the block shows, what was refused and why, by id, and how long the block is."""

    sections: Sections
    refused: Mapping[str, Refusal]
    tokens: int
    characters: int


def fit(offers: Sequence[Offer], limits: Limits, *, read_only_marker: bool) -> Fitted:
    """Take offers in their order; what does not fit leaves its room to what comes after it."""
    filling = _Filling(limits, read_only_marker)
    refused = {
        offer.line.memory.id: refusal
        for offer in offers
        if (refusal := filling.take(offer)) is not None
    }
    return Fitted(
        sections=filling.sections(),
        refused=refused,
        tokens=filling.size.tokens,
        characters=filling.size.characters,
    )


class _Filling:
    """A block as it fills up; its size is always that of the rendered text."""

    def __init__(self, limits: Limits, read_only_marker: bool) -> None:
        self.size = Size()
        self._taken: list[Offer] = []
        self._limits = limits
        self._share = _share(limits)
        self._read_only_marker = read_only_marker

    def take(self, offer: Offer) -> Refusal | None:
        """Take the offer, or say why not."""
        if len(self._taken) >= self._limits.slots:
            return Refusal.OVER_SLOTS
        fair = _fair(offer, self._share)
        if isinstance(fair, Refusal):
            return fair
        shown, size = fair
        grown = self.size + self._surroundings(offer.section) + size
        refusal = _broken(grown, self._limits)
        if refusal is None:
            self.size = grown
            self._taken.append(shown)
        return refusal

    def sections(self) -> Sections:
        """What was taken, section by section."""
        return Sections(
            **{
                section: tuple(offer.line for offer in self._taken if offer.section is section)
                for section in Section
            }
        )

    def _surroundings(self, section: Section) -> Size:
        """What one more line of a section brings along: the first opens its section."""
        if any(offer.section is section for offer in self._taken):
            return _LINE_BREAK
        around = frame(section, read_only_marker=self._read_only_marker)
        size = Size.of(f"\n\n{around.before}") + Size.of(around.after)
        return size if self._taken else _OPENING + size


def _share(limits: Limits) -> Limits:
    """What one memory may take of the whole."""
    return Limits(
        slots=1,
        tokens=limits.tokens // _LARGEST_SHARE,
        characters=limits.characters // _LARGEST_SHARE,
    )


def _broken(size: Size, limits: Limits) -> Refusal | None:
    """The limit that a text breaks; of two, the one that it reaches first as it grows."""
    is_over_tokens = size.tokens > limits.tokens
    if size.characters <= limits.characters:
        return Refusal.OVER_TOKENS if is_over_tokens else None
    tokens_first = size.tokens * limits.characters >= size.characters * limits.tokens
    return Refusal.OVER_TOKENS if is_over_tokens and tokens_first else Refusal.OVER_CHARS


def _fair(offer: Offer, share: Limits) -> tuple[Offer, Size] | Refusal:
    """The offer and its size, shortened to its share, or why that cannot be done."""
    if len(_content(offer)) <= share.characters:
        size = _size(offer)
        if not _broken(size, share):
            return offer, size
    return _shortened(offer, share)


def _shortened(offer: Offer, share: Limits) -> tuple[Offer, Size] | Refusal:
    content = _content(offer)
    empty = _size(_with_content(offer, ""))
    room = min(len(content) - 1, share.characters - empty.characters)
    refusal = _broken(_size(_least(offer)), share)
    while room >= _LEAST_WORTH_SHOWING:
        shorter = _with_content(offer, shortened(content, room))
        size = _size(shorter)
        refusal = _broken(size, share)
        if refusal is None:
            return shorter, size
        room = min(room - 1, _scaled(room, size, share))
    return refusal or Refusal.OVER_CHARS


def _least(offer: Offer) -> Offer:
    """The least of an offer that is worth showing."""
    content = _content(offer)
    if len(content) <= _LEAST_WORTH_SHOWING:
        return offer
    return _with_content(offer, shortened(content, _LEAST_WORTH_SHOWING))


def _scaled(room: int, size: Size, share: Limits) -> int:
    """The room that would do, were every character of the text as large as the average."""
    by_tokens = room * share.tokens // size.tokens
    return min(by_tokens, room * share.characters // size.characters)


def _content(offer: Offer) -> str:
    line = offer.line
    return line.memory.content if line.content is None else line.content


def _with_content(offer: Offer, content: str) -> Offer:
    return replace(offer, line=replace(offer.line, content=content))


def _size(offer: Offer) -> Size:
    return Size.of(line_text(offer.line, offer.section))
