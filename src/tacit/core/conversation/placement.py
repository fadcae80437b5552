"""Where a block stands in a history that is not ours."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A block, and the human message that it stands before.

    `anchor` is the digest of that message, `ordinal` its place among the human messages of the
    history, counted from 0; blocks are not counted.
    """

    id: str
    text: str
    anchor: str
    ordinal: int


def prune(
    placements: Sequence[Placement], keep: int
) -> tuple[tuple[Placement, ...], tuple[Placement, ...]]:
    """The newest `keep` placements, and those that must go; they come oldest first."""
    surplus = max(len(placements) - keep, 0)
    return tuple(placements[surplus:]), tuple(placements[:surplus])
