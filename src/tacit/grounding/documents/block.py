"""A block: lines of a text that belong together."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Block:
    """Lines from `first` up to, without, `last`, from 0 on; a heading has a level from 1 on.

    What `is_whole` is cut only where it is very long.
    """

    first: int
    last: int
    level: int = 0
    title: str = ""
    is_whole: bool = False


def partitioned(starts: list[Block], lines: int) -> list[Block]:
    """Blocks that begin where these do and reach to the next, so that no line is left over."""
    if not lines:
        return []
    known = {block.first: block for block in starts if block.first < lines}
    known.setdefault(0, Block(0, 0))
    firsts = sorted(known)
    ends = [*firsts[1:], lines]
    return [replace(known[first], last=end) for first, end in zip(firsts, ends, strict=True)]
