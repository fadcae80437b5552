"""The blocks of a plain text: its paragraphs."""

from collections.abc import Sequence

from tacit.grounding.documents.block import Block, partitioned


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """Paragraphs, as blank lines part them."""
    starts = [
        Block(place, place)
        for place, line in enumerate(lines)
        if line.strip() and (place == 0 or not lines[place - 1].strip())
    ]
    return partitioned(starts, len(lines))
