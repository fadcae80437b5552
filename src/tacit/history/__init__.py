"""The history of a conversation: blocks in it, where they stand, and how they leave it."""

from tacit.history.alignment import find
from tacit.history.anchor import anchor_of
from tacit.history.blocks import (
    INJECTION_BLOCK_PREFIX,
    block_id,
    digests_to,
    id_in,
    is_injection_block,
)
from tacit.history.insertion import place
from tacit.history.placement import Placement, prune
from tacit.history.removal import without_blocks

__all__ = [
    "INJECTION_BLOCK_PREFIX",
    "Placement",
    "anchor_of",
    "block_id",
    "digests_to",
    "find",
    "id_in",
    "is_injection_block",
    "place",
    "prune",
    "without_blocks",
]
