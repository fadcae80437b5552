"""Blocks that other sessions of the workspace made, where a history brings them along.

None of them stays: it may hold what belongs to another user, project, agent or session. What is
relevant in it comes again in a block of the session itself.
"""

from collections.abc import Collection, Sequence

from tacit.conversation import Block
from tacit.messages import parts_of, text_in
from tacit.store import Unit


def load_foreign_blocks(unit: Unit, ids: Collection[str]) -> tuple[Block, ...]:
    """The blocks with these ids that any session made, also in turns that have not ended."""
    if not ids:
        return ()
    opened = (turn.block for turn in unit.receipts.showing(ids))
    return (*unit.blocks.made(ids), *(block for block in opened if block is not None))


def present_in(history: Sequence[object], blocks: Sequence[Block]) -> list[Block]:
    """The blocks whose words stand in a history, and those that have none any more.

    Ids are short: of several blocks with the same id only the one that stands there counts.
    """
    if not blocks:
        return []
    said = [text_in(part) or "" for message in history for part in parts_of(message)]
    return [block for block in blocks if any(block.placement.text in text for text in said)]
