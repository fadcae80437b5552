"""The lines of a block, matched to the memories and episodes that they show."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile

from tacit.core.episodes import is_episode_id
from tacit.core.memory import Memory
from tacit.turn.block import BlockSection, MemoryLine, frame_of, render_line

_MIN_COMMON_START = 12
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class BlockLine:
    """A line of the block; `memory` is the id of the memory that it shows."""

    text: str
    memory: str | None = None


def to_block_lines(
    block: str, injected: Iterable[str], memories: Mapping[str, Memory]
) -> tuple[BlockLine, ...]:
    """The lines of a block, each with its memory if that can be found.

    Lines are matched by their text; shortened or changed memories by their beginning, and episodes
    by the sentences that are quoted of them.
    """
    left = list(dict.fromkeys(injected))
    parsed = list(_parse_block(block))
    matches: dict[int, str] = {}
    for likeness in (_full_likeness, _partial_likeness):
        for place, (text, section) in enumerate(parsed):
            if section is None or place in matches:
                continue
            scores = {
                id: likeness(text, render_line(MemoryLine(memories[id]), section), section)
                for id in left
                if id in memories and is_episode_id(id) == (section is BlockSection.SAID)
            }
            best = max(scores, key=lambda id: scores[id], default=None)
            if best is not None and scores[best]:
                matches[place] = best
                left.remove(best)
    open_places = [
        place for place, (_, section) in enumerate(parsed) if section and place not in matches
    ]
    if len(open_places) == len(left) == 1:
        matches[open_places[0]] = left[0]
    return tuple(BlockLine(text, matches.get(place)) for place, (text, _) in enumerate(parsed))


def _parse_block(block: str) -> Iterator[tuple[str, BlockSection | None]]:
    """Each line, with its section if it shows a memory."""
    section: BlockSection | None = None
    for text in block.split("\n"):
        if text in _TITLES:
            section = _TITLES[text]
            yield text, None
        elif section is not None and _BEGINNINGS[section].match(text):
            yield text, section
        else:
            yield text, None


def _full_likeness(text: str, shown: str, _: BlockSection) -> int:
    """How much of a line is the whole of what it shows; 0 if that is not in it."""
    return len(shown) if text.startswith(shown) else 0


def _partial_likeness(text: str, shown: str, section: BlockSection) -> int:
    """How many characters of a line are like what it shows; 0 if these are too few."""
    if section is BlockSection.SAID:
        return _quoted_length(text, shown)
    pairs = zip(text, shown, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return common if common >= _MIN_COMMON_START else 0


def _quoted_length(text: str, shown: str) -> int:
    """The length of what a line quotes of an episode of its day."""
    (day, quoted), (shown_day, whole) = (line.split(": ", 1) for line in (text, shown))
    if day != shown_day:
        return 0
    return sum(len(each) for piece in quoted.split(_ELLIPSIS) if (each := piece.strip()) in whole)


_TITLES = {frame_of(section).before.split("\n")[0]: section for section in BlockSection}
_BEGINNINGS: Mapping[BlockSection, re.Pattern[str]] = {
    BlockSection.FRAME: re.compile("- "),
    BlockSection.STANDING: re.compile(r"\["),
    BlockSection.PINNED: re.compile(r"\["),
    BlockSection.FACTS: re.compile("- "),
    BlockSection.RELEVANT: re.compile(r"\["),
    BlockSection.SAID: re.compile(r"\d{4}-\d\d-\d\d(, \w+)?: "),
}
