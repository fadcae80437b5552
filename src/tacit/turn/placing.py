"""Which blocks stand in the history of a turn, which leave it, and what that costs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tacit.conversation import Block, BlockState
from tacit.history import find, place, prune
from tacit.messages import text_of
from tacit.settings import CachePolicy, InjectionSettings
from tacit.tokens import estimate
from tacit.turn.view import View


@dataclass(frozen=True, slots=True)
class Placing:
    """Blocks that stand, oldest first, and blocks that left, each in its new state.

    `recached` is what a provider must read again because of those that left: the tokens of the
    history after the first of them.
    """

    standing: tuple[Block, ...]
    leaving: tuple[Block, ...]
    recached: int = 0

    def messages(self, history: Sequence[object]) -> tuple[object, ...]:
        """The history with the standing blocks in their places."""
        return tuple(place(history, [block.placement for block in self.standing]))


def placed(view: View, new: Block | None, settings: InjectionSettings) -> Placing:
    """Make room for a new block, if there is one, so that the cap holds; the oldest leave first."""
    room = _room(view, settings, 1 if new is not None else 0)
    _, dropped = prune([block.placement for block in view.live], room)
    over = {placement.id for placement in dropped}
    standing = [block for block in view.live if block.id not in over]
    leaving = [
        *(replace(block, state=BlockState.DROPPED) for block in view.gone),
        *(replace(block, state=BlockState.PRUNED) for block in view.live if block.id in over),
    ]
    recached = _recached(view, leaving)
    return Placing((*standing, *([new] if new is not None else [])), tuple(leaving), recached)


def _room(view: View, settings: InjectionSettings, coming: int) -> int:
    """How many blocks may stay."""
    cap = settings.max_injected_blocks_in_history
    is_lost = bool(view.gone) or view.is_cut
    waits = settings.cache_policy is CachePolicy.PREFIX and not is_lost
    if waits and len(view.live) + coming <= 2 * cap:
        return len(view.live)
    return max(cap - coming, 0)


def _recached(view: View, leaving: Sequence[Block]) -> int:
    places = find(view.history, [block.placement for block in leaving])
    if not places:
        return 0
    rest = view.history[min(places.values()) :]
    return sum(estimate(text_of(message)) for message in rest)
