"""Which blocks stand in the history of a turn, and which leave it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tacit.conversation import Block, BlockState
from tacit.history import place, prune
from tacit.turn.view import View


@dataclass(frozen=True, slots=True)
class Placing:
    """Blocks that stand, oldest first, and blocks that left, each in its new state."""

    standing: tuple[Block, ...]
    leaving: tuple[Block, ...]

    def messages(self, history: Sequence[object]) -> tuple[object, ...]:
        """The history with the standing blocks in their places."""
        return tuple(place(history, [block.placement for block in self.standing]))


def placed(view: View, new: Block | None, cap: int) -> Placing:
    """Make room for a new block, if there is one, so that the cap holds; the oldest leave first."""
    room = max(cap - 1, 0) if new is not None else cap
    _, dropped = prune([block.placement for block in view.live], room)
    over = {placement.id for placement in dropped}
    standing = [block for block in view.live if block.id not in over]
    leaving = [
        *(replace(block, state=BlockState.DROPPED) for block in view.gone),
        *(replace(block, state=BlockState.PRUNED) for block in view.live if block.id in over),
    ]
    return Placing((*standing, *([new] if new is not None else [])), tuple(leaving))
