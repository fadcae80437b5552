"""Placement: which blocks stay in the history, which leave it, and what that re-caches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tacit.core.open_turn import SettlementPlan
from tacit.core.sessions import Block, BlockState, prune_placements
from tacit.language.compaction import estimate_history_tokens
from tacit.language.injection_blocks import insert_blocks, locate_placements
from tacit.language.tokens import estimate_tokens
from tacit.settings.injection import CachePolicy, InjectionSettings
from tacit.turn.session_view import SessionView


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """Blocks that stay, oldest first, and blocks that leave, each in its new state.

    `recached` counts the tokens that a provider must read again: those of the history after the
    first block that leaves, unless a turn that is still open removed it already. `foreign` are the
    ids of blocks that another session made.
    """

    standing: tuple[Block, ...]
    leaving: tuple[Block, ...]
    recached: int = 0
    foreign: tuple[str, ...] = ()

    def messages(self, history: Sequence[object]) -> tuple[object, ...]:
        """Insert the blocks into a history."""
        return tuple(insert_blocks(history, [block.placement for block in self.standing]))


def lay_out_blocks(
    view: SessionView, new: Sequence[Block], settings: InjectionSettings
) -> BlockLayout:
    """Decide which blocks stay beside new ones, so that the cap holds; the oldest leave first."""
    coming = sum(not block.has_standing_rules for block in new)
    over = find_blocks_over_cap(view, settings, coming=coming)
    standing = [block for block in view.live if block not in over]
    leaving = [
        *(replace(block, state=BlockState.DROPPED) for block in view.gone),
        *(replace(block, state=BlockState.PRUNED) for block in (*view.removed, *over)),
    ]
    before = {id for turn in view.completed for id in turn.settlement.left}
    first_now = [block for block in leaving if block.id not in before]
    recached = _count_recached_tokens(view, first_now, standing)
    return BlockLayout((*standing, *new), tuple(leaving), recached, view.foreign)


def plan_settlement(
    view: SessionView, layout: BlockLayout, settings: InjectionSettings, *, keeps_rules: bool
) -> SettlementPlan:
    """Plan what the commit of the turn does to earlier turns and blocks.

    Standing rules are not kept where a prompt shows its own choice of the history.
    """
    left = {block.id: block.state for block in (*layout.leaving, *view.repeated)}
    return SettlementPlan(
        completed=tuple(turn.id for turn in view.completed),
        abandoned=tuple(turn.id for turn in view.abandoned),
        moved={block.id: block.placement.ordinal for block in view.moved if block.id not in left},
        left=left,
        keeps_block=settings.max_injected_blocks_in_history > 0,
        keeps_standing_block=keeps_rules,
        releases=settings.reinject_when_pruned,
        receipt_days=settings.receipt_days,
    )


def find_blocks_over_cap(
    view: SessionView, settings: InjectionSettings, *, coming: int
) -> list[Block]:
    """The blocks that must leave to make room for new ones; those of standing rules never do."""
    if settings.cache_policy is CachePolicy.TOKENS:
        return []
    capped = [block for block in view.live if not block.has_standing_rules]
    cap = settings.max_injected_blocks_in_history
    is_changed = bool(view.gone or view.moved)
    waits = settings.cache_policy is CachePolicy.PREFIX and not is_changed
    if waits and len(capped) + coming <= 2 * cap:
        return []
    _, dropped = prune_placements([block.placement for block in capped], max(cap - coming, 0))
    over = {placement.id for placement in dropped}
    return [block for block in capped if block.id in over]


def _count_recached_tokens(
    view: SessionView, leaving: Sequence[Block], standing: Sequence[Block]
) -> int:
    """Count the tokens that were sent before and stand after the first gap."""
    places = locate_placements(view.history, [block.placement for block in leaving])
    if not places:
        return 0
    first = min(places.values())
    behind = locate_placements(view.history, [block.placement for block in standing])
    blocks = [each for each in standing if behind.get(each.id, -1) > first]
    return estimate_history_tokens(view.history[first:]) + sum(
        estimate_tokens(each.placement.text) for each in blocks
    )
