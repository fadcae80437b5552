"""Finding the messages that blocks stand before, in a history that may have changed since."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from tacit.core.blocks import Placement
from tacit.core.messages import is_human
from tacit.language.history.anchor import anchor_of

_Anchor = tuple[str, int]
"""A digest and an ordinal: placements that have both in common stand before one message."""


class _Alignment(NamedTuple):
    """Which human message each anchor was found at; of two, the better one is the greater."""

    placed: int = 0
    exact: int = 0
    nearness: int = 0
    found: tuple[tuple[_Anchor, int], ...] = ()

    def at(self, anchor: _Anchor, position: int) -> "_Alignment":
        """This alignment with one more anchor found."""
        distance = abs(position - anchor[1])
        return _Alignment(
            self.placed + 1,
            self.exact + (distance == 0),
            self.nearness - distance,
            (*self.found, (anchor, position)),
        )


def find(history: Sequence[object], placements: Sequence[Placement]) -> dict[str, int]:
    """The index of the message that each placement stands before, in a history without blocks.

    Where not every ordinal fits any more, as many as possible are found by their digests, each
    before a message of its own and all in the order given; then exact ordinals count, then
    nearness. A placement whose message is gone is absent.
    """
    if not placements:
        return {}
    humans = [index for index, message in enumerate(history) if is_human(message)]
    positions = _exact(history, humans, placements)
    if positions is None:
        digests = [anchor_of(history[index]) for index in humans]
        positions = _aligned(dict.fromkeys(map(_anchor, placements)), digests)
    return {
        placement.id: humans[positions[_anchor(placement)]]
        for placement in placements
        if _anchor(placement) in positions
    }


def _anchor(placement: Placement) -> _Anchor:
    return placement.anchor, placement.ordinal


def _exact(
    history: Sequence[object], humans: Sequence[int], placements: Sequence[Placement]
) -> dict[_Anchor, int] | None:
    """The positions if nothing moved, which is the rule, without a digest of every message."""
    anchors = dict.fromkeys(map(_anchor, placements))
    ordinals = [ordinal for _, ordinal in anchors]
    fits = ordinals == sorted(set(ordinals)) and all(
        ordinal < len(humans) and anchor_of(history[humans[ordinal]]) == digest
        for digest, ordinal in anchors
    )
    return {anchor: anchor[1] for anchor in anchors} if fits else None


def _aligned(anchors: Collection[_Anchor], digests: Sequence[str]) -> dict[_Anchor, int]:
    """The best alignment in order: `best[n]` is the best within the first n eligible messages."""
    wanted = {digest for digest, _ in anchors}
    eligible = [position for position, digest in enumerate(digests) if digest in wanted]
    best = [_Alignment()] * (len(eligible) + 1)
    for anchor in anchors:
        row = best[:1]
        for n, position in enumerate(eligible):
            options = [row[n], best[n + 1]]
            if digests[position] == anchor[0]:
                options.append(best[n].at(anchor, position))
            row.append(max(options))
        best = row
    return dict(best[-1].found)
