"""Blocks that other sessions of the workspace made, where a history brings them along.

None of them stays: it may hold what belongs to another user, project, agent or session. What is
relevant in it comes again in a block of the session itself.
"""

from collections.abc import Collection, Sequence

from tacit.core.conversation.block import Block
from tacit.core.messages.parts import parts_of, text_in
from tacit.language.history.blocks import headers_in
from tacit.store.protocols.unit import Unit


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
    made: dict[str, list[Block]] = {}
    for block in blocks:
        made.setdefault(block.id, []).append(block)
    texts = (text_in(part) for message in history for part in parts_of(message)) if made else ()
    found = {
        (block.id, block.placement.text)
        for text in texts
        if text is not None
        for id, place in headers_in(text)
        for block in made.get(id, ())
        if text.startswith(block.placement.text, place)
    }
    return [each for each in blocks if (each.id, each.placement.text) in found]
