"""The end of a turn: what happened is written, or nothing is."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from tacit.conversation import Block, BlockState, EventKind, OpenTurn, Session
from tacit.receipt import Receipt
from tacit.store import Unit
from tacit.turn.means import Means


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A turn that is over: its number, and whether its block stands in the history from now on."""

    turn: int
    block_stays: bool


@dataclass(frozen=True, slots=True)
class StoredEnding:
    """The end of a turn that is open in a store."""

    means: Means
    opening: OpenTurn

    def commit(self) -> Ended:
        """Write what the turn showed and decided."""
        return commit(self.means, self.opening)

    def roll_back(self) -> bool:
        """Leave no trace of it; tells whether there was one."""
        return roll_back(self.means, self.opening.session, self.opening.id)


def commit(means: Means, opening: OpenTurn) -> Ended:
    """Write what the turn showed and decided; said again, it changes nothing."""
    now = means.clock()
    with means.store.write(means.workspace) as unit:
        _settle(unit, opening, now)
        unit.receipts.close(opening.session, opening.id)
        known = unit.receipts.get(opening.id)
        if known is not None:  # another begin saw it in the history and settled it
            return ended(unit, known)
        session = _session(unit, opening.session, now)
        block = _standing(unit, opening, session)
        unit.sessions.put(_land(unit, replace(opening, block=block), session, now))
        is_out = block is not None and block.state is not BlockState.LIVE
        if block is not None and is_out and opening.aftermath.releases:
            unit.ledger.release(session.id, [block.id], now)
        unit.receipts.prune(now - timedelta(days=opening.aftermath.receipt_days))
        return Ended(turn=session.turns + 1, block_stays=block is not None and not is_out)


def ended(unit: Unit, receipt: Receipt) -> Ended:
    """How a turn that is over has ended."""
    stays = receipt.block is not None and receipt.block in _ids_standing(unit, receipt.session)
    return Ended(turn=receipt.turn, block_stays=stays)


def roll_back(means: Means, session: str, id: str) -> bool:
    """Leave no trace of the turn; tells whether there was one."""
    with means.store.write(means.workspace) as unit:
        return unit.receipts.close(session, id)


def _session(unit: Unit, id: str, now: datetime) -> Session:
    return unit.sessions.get(id) or Session(id=id, created_at=now, updated_at=now)


def _settle(unit: Unit, opening: OpenTurn, now: datetime) -> None:
    """Write what the beginning found out about turns and blocks before this one."""
    aftermath = opening.aftermath
    if aftermath.landed or aftermath.lost:
        _settle_turns(unit, opening, now)
    if not aftermath.moved and not aftermath.left:
        return
    for block in unit.blocks.of(opening.session):
        if block.state is not BlockState.LIVE:
            continue  # another turn or an erasure came between
        if block.id in aftermath.left:
            unit.blocks.put(replace(block, state=aftermath.left[block.id]))
        elif block.id in aftermath.moved:
            ordinal = aftermath.moved[block.id]
            unit.blocks.put(replace(block, placement=replace(block.placement, ordinal=ordinal)))
    if aftermath.left and aftermath.releases:
        unit.ledger.release(opening.session, list(aftermath.left), now)


def _settle_turns(unit: Unit, opening: OpenTurn, now: datetime) -> None:
    """End the turns that were left open: those that happened are written."""
    opened = {turn.id: turn for turn in unit.receipts.opened(opening.session)}
    session = _session(unit, opening.session, now)
    for id in (*opening.aftermath.landed, *opening.aftermath.lost):
        if not unit.receipts.close(opening.session, id):
            continue
        if id in opening.aftermath.landed:
            session = _land(unit, opened[id], session, now)
            unit.sessions.put(session)
        else:
            _keep_recognisable(unit, opened[id].block)


def _keep_recognisable(unit: Unit, block: Block | None) -> None:
    """Know a block that never counted: its words may stand in the caller's history."""
    if block is not None and block.id not in {each.id for each in unit.blocks.of(block.session)}:
        unit.blocks.put(replace(block, state=BlockState.DROPPED))


def _land(unit: Unit, turn: OpenTurn, session: Session, now: datetime) -> Session:
    """Write a turn that happened, without what was erased since; the session as it is after it.

    Its number is given now: another may have ended since it began, or nobody could be asked then.
    Turns that began at once with the same words made the same block, and the first has placed it.
    """
    turn = turn.numbered(session.turns + 1)
    if turn.block is not None and turn.block.id not in _ids_standing(unit, session.id):
        unit.blocks.put(_without_erased(unit, turn.block))
        known = unit.memories.get([entry.memory for entry in turn.entries])
        unit.ledger.add(entry for entry in turn.entries if entry.memory in known)
        unit.memories.count_access(list(known), now)
    unit.receipts.put(turn.receipt)
    _tell(unit, turn.receipt, now)
    return session.after(turn.receipt.user, now) if turn.counts else session


def _tell(unit: Unit, receipt: Receipt, now: datetime) -> None:
    """Let those who watch know what was injected, and what stood against each other."""
    told = {"session": receipt.session, "turn": receipt.turn, "receipt": receipt.id}
    if receipt.injected:
        memories = [each.memory for each in receipt.injected]
        injected = {**told, "memories": memories, "tokens": receipt.tokens}
        unit.events.append(EventKind.MEMORY_INJECTED, now, injected)
    else:
        skipped = None if receipt.skipped is None else str(receipt.skipped)
        unit.events.append(EventKind.NOTHING_INJECTED, now, {**told, "skipped": skipped})
    if receipt.conflicts:
        pairs = [[each.memory, each.by] for each in receipt.conflicts]
        unit.events.append(EventKind.CONFLICT_DETECTED, now, {**told, "memories": pairs})


def _ids_standing(unit: Unit, session: str) -> set[str]:
    """The blocks that stand."""
    return {each.id for each in unit.blocks.of(session) if each.state is BlockState.LIVE}


def _without_erased(unit: Unit, block: Block) -> Block:
    """The block, or its shell where it holds words of a memory that is no more."""
    known = unit.memories.get(block.memories)
    return block if len(known) == len(block.memories) else block.blanked()


def _standing(unit: Unit, opening: OpenTurn, session: Session) -> Block | None:
    """The turn's block once it is over.

    None stays in ephemeral mode, and none of one speaker's own memories in a shared session.
    """
    if opening.block is None:
        return None
    block = _without_erased(unit, opening.block)
    speakers = {*session.speakers, opening.receipt.user or ""}
    is_private = block.speaker is not None and len(speakers) > 1
    is_unwanted = is_private or not opening.aftermath.keeps_block
    if block.state is BlockState.LIVE and is_unwanted:
        return replace(block, state=BlockState.PRUNED)
    return block
