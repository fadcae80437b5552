"""Replay: the blocks that a conversation was shown, for whoever sends it without them.

A client behind a proxy or a framework keeps a history without blocks. They are put back at their
places, byte for byte, in every request of the conversation. Only a new turn changes which ones.
"""

from dataclasses import dataclass, replace

from tacit.core.json_value import JsonValue
from tacit.core.messages import is_human
from tacit.core.open_turn import OpenTurn
from tacit.core.receipt import Receipt
from tacit.core.sessions import Placement
from tacit.language.injection_blocks import compute_anchor
from tacit.settings.injection import CachePolicy, InjectionSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.session_view import StoredSession, load_session, reconcile_history
from tacit.turn.state import TurnDependencies, TurnRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The blocks that stand in a conversation, and how many messages of persons have had a turn.

    `open_turn` is the turn of the last such message, if it has not ended; `last_open` the last of
    the session that has not, wherever its message is.
    """

    placements: tuple[Placement, ...] = ()
    answered: int = 0
    open_turn: str | None = None
    last_open: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunCall(JsonValue):
    """What memory adds to one call of a model, and the turn that the reply ends.

    `placements` are all blocks that belong into its messages, oldest first. `receipt` is that of
    the turn which this call began, `turn` the id of the one that is open, of this call or of an
    earlier one.
    """

    placements: tuple[Placement, ...] = ()
    turn: str | None = None
    receipt: Receipt | None = None
    is_stored: bool = True
    """False where the store was late: give `begun` to `commit_turn`."""


def replay_blocks(
    dependencies: TurnDependencies,
    request: TurnRequest,
    settings: InjectionSettings,
    *,
    only_open: bool = False,
) -> Replay:
    """Find the blocks that stand in the history of a request; nothing is written.

    With `only_open` only turns that have not ended count: a provider that keeps the conversation
    has what others showed.
    """
    with dependencies.store.read(dependencies.workspace) as unit:
        known = load_session(unit, request, dependencies.clock())
        known = replace(known, ledger=tuple(unit.ledger.bound(request.session)))
    stored = {turn.id for turn in known.opened}
    pending = [
        turn
        for turn in dependencies.pending.all()
        if turn.session == request.session and turn.id not in stored
    ]
    known = replace(
        known, opened=(*known.opened, *pending), blocks=() if only_open else known.blocks
    )
    found = _find_standing(known, request, settings)
    is_answer = only_open and not any(is_human(message) for message in request.history or ())
    if is_answer and known.opened:  # tools answer in a conversation that the provider keeps
        return replace(found, open_turn=max(turn.id for turn in known.opened))
    return found


def _find_standing(
    known: StoredSession, request: TurnRequest, settings: InjectionSettings
) -> Replay:
    view = reconcile_history(known, request, replace(settings, cache_policy=CachePolicy.CAP))
    anchors = [compute_anchor(message) for message in view.history if is_human(message)]
    placed = [
        block.placement.ordinal + 1
        for block in view.live
        if anchors[block.placement.ordinal : block.placement.ordinal + 1]
        == [block.placement.anchor]
    ]
    opened = {
        turn.id: len(anchors) - anchors[::-1].index(turn.anchor) + turn.spoken - 1
        for turn in view.completed
        if turn.anchor in anchors
    }
    last = [id for id, end in opened.items() if end >= len(anchors)]
    return Replay(
        placements=tuple(block.placement for block in view.live),
        answered=max((*placed, *opened.values()), default=0),
        open_turn=last[-1] if last else None,
        last_open=known.opened[-1].id if known.opened else None,
    )


def move_open_turn(unit: UnitOfWork, turn: OpenTurn, session: str) -> OpenTurn:
    """Move an open turn to another session, since the name of its conversation is known now."""
    moved = turn.moved_to(session)
    unit.receipts.close_turn(turn.session, turn.id)
    unit.receipts.open_turn(moved)
    for each in turn.participants():
        unit.participants.release(each)
    for each in moved.participants():
        unit.participants.put(each)
    return moved
