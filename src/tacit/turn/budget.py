"""The budget: selects the memories that fit into a block, and shortens those that are too long."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import TypeVar

from tacit.language.prompt_templates import PREFACE
from tacit.language.tokens import TextSize, TokenCounter
from tacit.turn.block import (
    WIDEST_ID,
    BlockSection,
    BlockSections,
    MemoryLine,
    frame_of,
    render_block,
    render_line,
    shorten,
)

_PREFACED = render_block(WIDEST_ID, PREFACE)
_BARE = render_block(WIDEST_ID, "\n").strip()
SHARES = 4
"""No memory takes more than a quarter of a block, and nor do all standing rules together."""
_SAID_SHARE = 3
"""What was said earlier takes no more than a third of a block."""
_LEAST_WORTH_SHOWING = 20

Item = TypeVar("Item")


class BudgetRefusal(StrEnum):
    """The limit that a memory would have exceeded."""

    OVER_SLOTS = "over_slots"
    OVER_TOKENS = "over_tokens"
    OVER_CHARS = "over_chars"


@dataclass(frozen=True, slots=True)
class Offer:
    """A line, and the section it would stand in."""

    line: MemoryLine
    section: BlockSection


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLimits:
    """How many memories a block may show, how long it may be, and how its tokens are counted."""

    slots: int
    tokens: int
    characters: int
    counter: TokenCounter | None = None

    def measure(self, text: str) -> TextSize:
        """The size of a text, by the counter of these limits."""
        return TextSize.of(text, self.counter)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedBlock:
    """What the block shows, what was refused and why, by id, and the size of the block."""

    sections: BlockSections
    refused: Mapping[str, BudgetRefusal]
    tokens: int
    characters: int


def fit_offers(
    offers: Sequence[Offer],
    limits: BlockLimits,
    *,
    shares: int = SHARES,
    has_preface: bool = True,
) -> FittedBlock:
    """Take offers in their order; an offer that does not fit leaves its room to the next ones.

    None takes more than one of so many shares of the block.
    """
    filling = _BlockBuilder(limits, shares, _PREFACED if has_preface else _BARE)
    refused = {
        offer.line.memory.id: refusal
        for offer in offers
        if (refusal := filling.take(offer)) is not None
    }
    return FittedBlock(
        sections=filling.sections(),
        refused=refused,
        tokens=filling.size.tokens,
        characters=filling.size.characters,
    )


def take_shares(groups: Sequence[Sequence[Item]], most: int) -> list[Sequence[Item]]:
    """The first of each group, at most so many in all: equal shares, and what others leave."""
    longest = max(map(len, groups), default=0)
    in_turn = (
        at for place in range(longest) for at in range(len(groups)) if place < len(groups[at])
    )
    counts = Counter(islice(in_turn, most))
    return [group[: counts[at]] for at, group in enumerate(groups)]


class _BlockBuilder:
    """Builds a block; its size is always that of the rendered text."""

    def __init__(self, limits: BlockLimits, shares: int, opening: str) -> None:
        self.size = TextSize()
        self._opening = opening
        self._said = TextSize()
        self._taken: list[Offer] = []
        self._limits = limits
        self._share = _share_of(limits, shares)
        self._line_break = limits.measure("\n")

    def take(self, offer: Offer) -> BudgetRefusal | None:
        """Take the offer, or say why not."""
        if len(self._taken) >= self._limits.slots:
            return BudgetRefusal.OVER_SLOTS
        fair = _fit_to_share(offer, self._share)
        if isinstance(fair, BudgetRefusal):
            return fair
        shown, size = fair
        grown = self.size + self._surroundings(offer.section) + size
        is_said = offer.section is BlockSection.SAID
        said = self._said + self._line_break + size if is_said else self._said
        refusal = _find_broken_limit(grown, self._limits)
        if refusal is None and said.tokens > self._limits.tokens // _SAID_SHARE:
            refusal = BudgetRefusal.OVER_TOKENS
        if refusal is None:
            self.size = grown
            self._said = said
            self._taken.append(shown)
        return refusal

    def sections(self) -> BlockSections:
        """What was taken, by section; what was said is in the order in which it was said."""
        lines = {
            section: tuple(offer.line for offer in self._taken if offer.section is section)
            for section in BlockSection
        }
        said = sorted(
            lines[BlockSection.SAID], key=lambda line: (line.memory.created_at, line.memory.id)
        )
        return BlockSections(**{**lines, BlockSection.SAID: tuple(said)})

    def _surroundings(self, section: BlockSection) -> TextSize:
        """The size of what one more line adds around itself: the first opens its section."""
        if any(offer.section is section for offer in self._taken):
            return self._line_break
        around = frame_of(section)
        measure = self._limits.measure
        size = measure(f"\n\n{around.before}") + measure(around.after)
        return size if self._taken else measure(self._opening) + size


def _share_of(limits: BlockLimits, shares: int) -> BlockLimits:
    """The limits of one memory, a share of the whole."""
    return replace(
        limits, slots=1, tokens=limits.tokens // shares, characters=limits.characters // shares
    )


def _find_broken_limit(size: TextSize, limits: BlockLimits) -> BudgetRefusal | None:
    """The limit that a text exceeds; of two, the one that it reaches first as it grows."""
    is_over_tokens = size.tokens > limits.tokens
    if size.characters <= limits.characters:
        return BudgetRefusal.OVER_TOKENS if is_over_tokens else None
    tokens_first = size.tokens * limits.characters >= size.characters * limits.tokens
    return (
        BudgetRefusal.OVER_TOKENS if is_over_tokens and tokens_first else BudgetRefusal.OVER_CHARS
    )


def _fit_to_share(offer: Offer, share: BlockLimits) -> tuple[Offer, TextSize] | BudgetRefusal:
    """Return the offer and its size, shortened to its share, or why that cannot be done."""
    if len(_content(offer)) <= share.characters:
        size = _size(offer, share)
        if not _find_broken_limit(size, share):
            return offer, size
    return _shorten_to_share(offer, share)


def _shorten_to_share(offer: Offer, share: BlockLimits) -> tuple[Offer, TextSize] | BudgetRefusal:
    content = _content(offer)
    empty = _size(_with_content(offer, ""), share)
    room = min(len(content) - 1, share.characters - empty.characters)
    refusal = _find_broken_limit(_size(_shorten_to_least(offer), share), share)
    while room >= _LEAST_WORTH_SHOWING:
        shorter = _with_content(offer, shorten(content, room))
        size = _size(shorter, share)
        refusal = _find_broken_limit(size, share)
        if refusal is None:
            return shorter, size
        room = min(room - 1, _scale_room(room, size, share))
    return refusal or BudgetRefusal.OVER_CHARS


def _shorten_to_least(offer: Offer) -> Offer:
    """The shortest form of an offer that is worth showing."""
    content = _content(offer)
    if len(content) <= _LEAST_WORTH_SHOWING:
        return offer
    return _with_content(offer, shorten(content, _LEAST_WORTH_SHOWING))


def _scale_room(room: int, size: TextSize, share: BlockLimits) -> int:
    """Estimate the room that would fit, from the average size of a character."""
    by_tokens = room * share.tokens // size.tokens
    return min(by_tokens, room * share.characters // size.characters)


def _content(offer: Offer) -> str:
    line = offer.line
    return line.memory.content if line.content is None else line.content


def _with_content(offer: Offer, content: str) -> Offer:
    return replace(offer, line=replace(offer.line, content=content))


def _size(offer: Offer, limits: BlockLimits) -> TextSize:
    return limits.measure(render_line(offer.line, offer.section))
