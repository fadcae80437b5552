"""The end of a turn: what happened is written, or nothing is."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tacit.conversation import Block, BlockState, OpenTurn, Session
from tacit.history import place
from tacit.settings import InjectionSettings
from tacit.store import Unit
from tacit.turn.beginning import Prepared
from tacit.turn.means import Means


def commit(means: Means, prepared: Prepared, settings: InjectionSettings) -> Block | None:
    """Write what the turn showed and decided; returns its block as it stands from now on."""
    if not prepared.leaves_trace:
        return None
    now = means.clock()
    with means.store.write(means.workspace) as unit:
        _settle(unit, prepared, settings, now)
        unit.receipts.close(prepared.opening.session, prepared.opening.id)
        if unit.receipts.get(prepared.opening.id) is not None:
            return None  # another begin saw it in the history and settled it
        session = unit.sessions.get(prepared.opening.session) or prepared.view.session
        block = _standing(unit, prepared, session, settings)
        opening = replace(prepared.opening, block=block)
        session = _land(unit, opening, session, now)
        unit.sessions.put(session)
        is_out = block is not None and block.state is not BlockState.LIVE
        if block is not None and is_out and settings.reinject_when_pruned:
            unit.ledger.release(session.id, [block.id], now)
        unit.receipts.prune(now - timedelta(days=settings.receipt_days))
        return block


def roll_back(means: Means, prepared: Prepared) -> None:
    """Leave no trace of the turn."""
    if not prepared.leaves_trace:
        return
    with means.store.write(means.workspace) as unit:
        unit.receipts.close(prepared.opening.session, prepared.opening.id)


def history_after(
    prepared: Prepared, block: Block | None, replies: Sequence[object]
) -> list[object]:
    """The history after the turn: the caller's words, the blocks that stay, and the reply."""
    leaving = {each.id for each in prepared.pruned}
    standing = [each.placement for each in prepared.view.live if each.id not in leaving]
    if block is not None and block.state is BlockState.LIVE:
        standing.append(block.placement)
    history = [*prepared.view.history, *prepared.request.incoming]
    return [*place(history, standing), *replies]


def _settle(unit: Unit, prepared: Prepared, settings: InjectionSettings, now: datetime) -> None:
    """Write what the beginning found out about turns and blocks before this one."""
    view = prepared.view
    session = unit.sessions.get(view.session.id) or replace(view.session, turns=0, speakers=())
    for turn in (*view.landed, *view.lost):
        was_open = unit.receipts.close(turn.session, turn.id)
        if was_open and turn in view.landed:
            session = _land(unit, turn, session, now)
            unit.sessions.put(session)
    pruned = (*prepared.pruned, *view.repeated)
    standing = _texts_standing(unit, session.id)
    for block in (*view.live, *pruned):  # another turn or an erasure may have come between
        if standing.get(block.id) == block.placement.text:
            unit.blocks.put(block)
    if pruned and settings.reinject_when_pruned:
        unit.ledger.release(session.id, [block.id for block in pruned], now)


def _land(unit: Unit, turn: OpenTurn, session: Session, now: datetime) -> Session:
    """Write a turn that happened, without what was erased since; the session as it is after it.

    Its number is given now: another may have ended since it began, or nobody could be asked then.
    Turns that began at once with the same words made the same block, and the first has placed it.
    """
    turn = turn.numbered(session.turns + 1)
    if turn.block is not None and turn.block.id not in _texts_standing(unit, session.id):
        unit.blocks.put(_without_erased(unit, turn.block))
        known = unit.memories.get([entry.memory for entry in turn.entries])
        unit.ledger.add(entry for entry in turn.entries if entry.memory in known)
        unit.memories.count_access(list(known), now)
    unit.receipts.put(turn.receipt)
    return session.after(turn.receipt.user, now) if turn.counts else session


def _texts_standing(unit: Unit, session: str) -> dict[str, str]:
    """The words of the blocks that stand, by their ids."""
    blocks = unit.blocks.of(session)
    return {each.id: each.placement.text for each in blocks if each.state is BlockState.LIVE}


def _without_erased(unit: Unit, block: Block) -> Block:
    """The block, or its shell where it holds words of a memory that is no more."""
    known = unit.memories.get(block.memories)
    return block if len(known) == len(block.memories) else block.blanked()


def _standing(
    unit: Unit, prepared: Prepared, session: Session, settings: InjectionSettings
) -> Block | None:
    """The turn's block once it is over.

    None stays in ephemeral mode, and none of one speaker's own memories in a shared session.
    """
    if prepared.opening.block is None:
        return None
    block = _without_erased(unit, prepared.opening.block)
    speakers = {*session.speakers, prepared.request.speaker}
    is_private = block.speaker is not None and len(speakers) > 1
    is_unwanted = is_private or settings.max_injected_blocks_in_history == 0
    if block.state is BlockState.LIVE and is_unwanted:
        return replace(block, state=BlockState.PRUNED)
    return block
