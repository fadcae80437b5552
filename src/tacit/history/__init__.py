"""The history of a conversation: blocks in it, where they stand, and how room is made in it."""

from tacit.history.alignment import find
from tacit.history.anchor import anchor_of
from tacit.history.blocks import (
    block_id,
    digests_to,
    headers_in,
    id_in,
    ids_in,
    is_injection_block,
)
from tacit.history.compaction import Plan, compacted, plan, plan_at
from tacit.history.insertion import place
from tacit.history.placement import Placement, prune
from tacit.history.removal import without_blocks
from tacit.history.summary import is_summary
from tacit.history.transcript import transcript
from tacit.history.usage import Level, estimated, level_of
from tacit.structure.templates import INJECTION_BLOCK_PREFIX, SUMMARY_PREFIX

__all__ = [
    "INJECTION_BLOCK_PREFIX",
    "SUMMARY_PREFIX",
    "Level",
    "Placement",
    "Plan",
    "anchor_of",
    "block_id",
    "compacted",
    "digests_to",
    "estimated",
    "find",
    "headers_in",
    "id_in",
    "ids_in",
    "is_injection_block",
    "is_summary",
    "level_of",
    "place",
    "plan",
    "plan_at",
    "prune",
    "transcript",
    "without_blocks",
]
