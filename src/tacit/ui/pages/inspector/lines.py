"""The lines of a block, and the memory that each shows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile

from tacit.core.memory.record import Memory
from tacit.turn.block import BlockSection, MemoryLine, frame_of, render_line

_LEAST_ALIKE = 12


@dataclass(frozen=True, slots=True)
class BlockLine:
    """One line as the model reads it; `memory` is the id of what it shows."""

    text: str
    memory: str | None = None


def lines_of(
    block: str, injected: Iterable[str], memories: Mapping[str, Memory]
) -> tuple[BlockLine, ...]:
    """Every line of a block, with its memory where that can be told.

    Lines are told by their words; what was shortened or has changed since, by how it begins.
    """
    left = list(dict.fromkeys(injected))
    parsed = list(_parsed(block))
    told: dict[int, str] = {}
    for is_same in (_is_whole, _is_alike):
        for place, (text, section) in enumerate(parsed):
            if section is None or place in told:
                continue
            best = _best(text, section, left, memories)
            if best is not None and is_same(text, _shown(memories[best], section)):
                told[place] = best
                left.remove(best)
    open_places = [
        place for place, (_, section) in enumerate(parsed) if section and place not in told
    ]
    if len(open_places) == len(left) == 1:
        told[open_places[0]] = left[0]
    return tuple(BlockLine(text, told.get(place)) for place, (text, _) in enumerate(parsed))


def _parsed(block: str) -> Iterator[tuple[str, BlockSection | None]]:
    """Each line, with the section of those that show a memory."""
    section: BlockSection | None = None
    for text in block.split("\n"):
        if text in _TITLES:
            section = _TITLES[text]
            yield text, None
        elif section is not None and text.startswith(_BEGINNINGS[section]):
            yield text, section
        else:
            yield text, None


def _best(
    text: str, section: BlockSection, ids: Iterable[str], memories: Mapping[str, Memory]
) -> str | None:
    known = [id for id in ids if id in memories]
    return max(known, key=lambda id: _likeness(text, _shown(memories[id], section)), default=None)


def _shown(memory: Memory, section: BlockSection) -> str:
    return render_line(MemoryLine(memory), section)


def _likeness(text: str, shown: str) -> int:
    """How many characters two lines begin with alike."""
    pairs = zip(text, shown, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_whole(text: str, shown: str) -> bool:
    return text.startswith(shown)


def _is_alike(text: str, shown: str) -> bool:
    return _likeness(text, shown) >= _LEAST_ALIKE


_TITLES = {
    frame_of(section, read_only_marker=marked).before.split("\n")[0]: section
    for section in BlockSection
    for marked in (False, True)
}
_BEGINNINGS = {BlockSection.FACTS: "- ", BlockSection.PINNED: "[", BlockSection.RELEVANT: "["}
