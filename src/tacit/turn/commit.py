"""The turn in the caller's hands, and its end: it is recorded, or nothing is."""

import asyncio
import logging
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Annotated, Any, Protocol, Self, TypeVar, overload

from tacit.core.episodes import is_episode_id
from tacit.core.errors import InvalidInput
from tacit.core.events import EventKind
from tacit.core.foreign_messages import restore_foreign_messages
from tacit.core.json_value import JsonValue
from tacit.core.messages import to_messages
from tacit.core.open_turn import NotRecorded, OpenTurn
from tacit.core.receipt import Receipt, SkipReason
from tacit.core.reply_chunks import ReplyChunks
from tacit.core.sessions import Block, BlockState, Placement, Session
from tacit.language.injection_blocks import join_blocks, remove_blocks
from tacit.store.episodes import has_episodes
from tacit.store.ownership import is_session_name_used
from tacit.store.protocols.store import UnitOfWork
from tacit.store.transactions import call_after_commit
from tacit.turn.open_turn import capture_reply
from tacit.turn.record import find_reason_to_skip, set_aside_turn
from tacit.turn.state import TurnDependencies

# Commit and rollback: the end of a turn writes all of it to the store, or nothing.


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitResult(JsonValue):
    """A turn that is over: its number, and whether its blocks stay in the history.

    `was_open` is false if it was over before. `not_recorded` says why nothing of it was written:
    its session was cleared or paused in the meantime, something in it was erased, or memory failed.
    Such a turn has the number that it would have had.
    """

    session: str
    turn: int
    block_stays: bool
    standing_block_stays: Annotated[
        bool, "Whether its block of standing rules stays in the history."
    ] = False
    was_open: Annotated[bool, "False where it was over before."] = True
    not_recorded: Annotated[
        NotRecorded | None, "Why nothing of the turn was recorded; null where it was."
    ] = None
    degraded: Annotated[
        tuple[str, ...], "What else of it could not be written, such as the chat log."
    ] = ()


@dataclass(frozen=True, slots=True)
class LocalCommitter:
    """Commits a turn that is open in a local store."""

    dependencies: TurnDependencies
    opening: OpenTurn

    def commit(self, reply: str) -> CommitResult:
        """Write what the turn showed and decided, and what was said in it."""
        return commit_turn(self.dependencies, self.opening, reply)

    def roll_back(self) -> bool:
        """Remove every trace of the turn; returns whether there was one."""
        return roll_back_turn(self.dependencies, self.opening)


def commit_turn(dependencies: TurnDependencies, opening: OpenTurn, reply: str = "") -> CommitResult:
    """Write what the turn showed and decided; a second call changes nothing."""
    if opening.captured is not None:
        opening = replace(opening, captured=replace(opening.captured, reply=reply))
    result = _write_commit(dependencies, opening)
    call_after_commit(partial(dependencies.pending.remove, opening.id))
    dependencies.tidy(opening.settlement.receipt_days)
    if opening.captured is not None and result.not_recorded is None:
        call_after_commit(dependencies.listener.heard)
    return result


def _write_commit(dependencies: TurnDependencies, opening: OpenTurn) -> CommitResult:
    now = dependencies.clock()
    with dependencies.store.write(dependencies.workspace) as unit:
        reason = find_reason_to_skip(unit, opening)
        if reason is not None:
            unit.receipts.abandon_turn(opening, reason)
            return report_not_recorded(opening.receipt, reason)
        _settle_earlier(unit, opening, now)
        unit.receipts.close_turn(opening.session, opening.id)
        known = unit.receipts.get(opening.id)
        if known is not None:  # another begin saw it in the history and settled it
            return load_commit_result(unit, known)
        session = _load_session(unit, opening.session, now)
        finished = _strip_erased(unit, opening)
        blocks = tuple(_final_block(block, finished, session) for block in finished.blocks)
        unit.sessions.put(_write_turn(unit, replace(finished, blocks=blocks), session, now))
        out = [block.id for block in blocks if block.state is not BlockState.LIVE]
        if out and opening.settlement.releases:
            unit.ledger.release(session.id, out, now)
        staying = {block.id for block in blocks} - set(out)
        return _to_result(replace(opening.receipt, turn=session.turns + 1), staying, was_open=True)


def load_commit_result(unit: UnitOfWork, receipt: Receipt) -> CommitResult:
    """The result of a turn that is over."""
    return _to_result(receipt, _live_block_ids(unit, receipt.session), was_open=False)


def _to_result(receipt: Receipt, live: Set[str], *, was_open: bool) -> CommitResult:
    return CommitResult(
        session=receipt.session,
        turn=receipt.turn,
        block_stays=receipt.block in live,
        standing_block_stays=receipt.standing_block in live,
        was_open=was_open,
    )


def report_unopened(receipt: Receipt) -> CommitResult:
    """The result of a turn that was never meant to be written."""
    is_paused = receipt.skipped is SkipReason.PAUSED
    return report_not_recorded(receipt, NotRecorded.PAUSED if is_paused else NotRecorded.FAILED)


def report_not_recorded(receipt: Receipt, reason: NotRecorded) -> CommitResult:
    """The result of a turn of which nothing is written."""
    return CommitResult(
        session=receipt.session,
        turn=receipt.turn,
        block_stays=False,
        was_open=False,
        not_recorded=reason,
    )


def roll_back_turn(
    dependencies: TurnDependencies, opening: OpenTurn, *, keeps_id: bool = False
) -> bool:
    """Remove every trace of the turn; returns whether there was one.

    The name of its session is free again if nothing else is kept under it. With `keeps_id` its bare
    id stays for a while, so that a commit that comes later records nothing.
    """
    session, id = opening.session, opening.id
    was_pending = dependencies.pending.get(id) is not None
    dependencies.pending.remove(id)
    has_said = has_episodes(dependencies.store, dependencies.workspace, session)
    with dependencies.store.write(dependencies.workspace) as unit:
        was_open = unit.receipts.close_turn(session, id) or was_pending
        if keeps_id:
            unit.receipts.open_turn(opening.abandon(NotRecorded.ROLLED_BACK))
        for each in opening.participants() if was_open else ():
            name = each.session
            is_used = is_session_name_used(unit, name, dependencies.clock())
            is_said = has_said and name == session
            if not is_used and not is_said and not dependencies.has_files(name):
                unit.participants.release(each)
        return was_open


def _load_session(unit: UnitOfWork, id: str, now: datetime) -> Session:
    return unit.sessions.get(id) or Session(id=id, created_at=now, updated_at=now)


def _settle_earlier(unit: UnitOfWork, opening: OpenTurn, now: datetime) -> None:
    """Write what the preparation found out about earlier turns and blocks."""
    settlement = opening.settlement
    if settlement.completed or settlement.abandoned:
        _settle_turns(unit, opening, now)
    if not settlement.moved and not settlement.left:
        return
    for block in unit.blocks.standing(opening.session):  # others may be gone by now
        if block.id in settlement.left:
            unit.blocks.put(replace(block, state=settlement.left[block.id]))
        elif block.id in settlement.moved:
            ordinal = settlement.moved[block.id]
            unit.blocks.put(replace(block, placement=replace(block.placement, ordinal=ordinal)))
    if settlement.left and settlement.releases:
        unit.ledger.release(opening.session, list(settlement.left), now)


def _settle_turns(unit: UnitOfWork, opening: OpenTurn, now: datetime) -> None:
    """Write the turns that were left open and completed; set the others aside."""
    opened = {turn.id: turn for turn in unit.receipts.open_turns(opening.session)}
    session = _load_session(unit, opening.session, now)
    for id in opening.settlement.completed:
        if id in opened and unit.receipts.close_turn(opening.session, id):
            session = _write_turn(unit, _strip_erased(unit, opened[id]), session, now)
            unit.sessions.put(session)
    for id in opening.settlement.abandoned:
        if turn := set_aside_turn(unit, id):
            keep_blocks_recognisable(unit, turn.blocks)


def keep_blocks_recognisable(unit: UnitOfWork, blocks: Iterable[Block]) -> None:
    """Keep blocks that never counted, since their texts may be in the caller's history."""
    for block in blocks:
        known = {each.id for each in unit.blocks.standing(block.session, [block.id])}
        if block.id not in known:
            unit.blocks.put(replace(block, state=BlockState.DROPPED))


def _write_turn(unit: UnitOfWork, turn: OpenTurn, session: Session, now: datetime) -> Session:
    """Write a completed turn; returns the session after it.

    The turn gets its number now, since another may have ended after it began. Concurrent turns
    with the same words made the same block, which the first of them has placed.
    """
    turn = turn.with_number(session.turns + 1)
    live = _live_block_ids(unit, session.id) if turn.blocks else set()
    new = {block.id: block for block in turn.blocks if block.id not in live}
    for block in new.values():
        unit.blocks.put(block)
    if entries := [entry for entry in turn.entries if entry.block in new]:
        unit.ledger.add(entries)
        unit.memories.count_access([entry.memory for entry in entries], now)
    unit.receipts.put(turn.receipt)
    for each in turn.participants(took_turn=True):
        unit.participants.put(each)
    if turn.captured is not None:
        unit.heard.add(turn.captured)
    _emit_events(unit, turn.receipt, now)
    return session.after(turn.receipt.user, now) if turn.counts else session


def _emit_events(unit: UnitOfWork, receipt: Receipt, now: datetime) -> None:
    """Emit the events of the turn: what was injected, and which memories conflicted."""
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


def _live_block_ids(unit: UnitOfWork, session: str) -> set[str]:
    """The ids of the blocks that stand in a session."""
    return {each.id for each in unit.blocks.standing(session)}


def _strip_erased(unit: UnitOfWork, turn: OpenTurn) -> OpenTurn:
    """The turn without what was erased since; a block that held erased words is blanked."""
    shown = {id for block in turn.blocks for id in block.memories}
    held = [id for id in shown if not is_episode_id(id)]  # those abandon the turn
    known = unit.memories.known(held) if held else set()
    gone = set(held) - known
    if not gone:
        return turn
    entries = tuple(
        entry for entry in turn.entries if entry.memory in known or is_episode_id(entry.memory)
    )
    blocks = (
        block if gone.isdisjoint(block.memories) else block.to_dropped() for block in turn.blocks
    )
    return replace(turn, blocks=tuple(blocks), entries=entries)


def _final_block(block: Block, turn: OpenTurn, session: Session) -> Block:
    """A block of the turn after the turn.

    None stays in ephemeral mode but that of standing rules, and none with a speaker's own memories
    in a shared session.
    """
    if block.state is not BlockState.LIVE:
        return block
    speakers = {*session.speakers, turn.receipt.user or ""}
    is_private = block.speaker is not None and len(speakers) > 1
    plan = turn.settlement
    is_kept = plan.keeps_standing_block if block.has_standing_rules else plan.keeps_block
    is_unwanted = is_private or not is_kept
    return replace(block, state=BlockState.PRUNED) if is_unwanted else block


# `Turn`: a prepared turn in the hands of the caller, who commits it or rolls it back.


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What to send, and why; `history` holds the earlier messages as they came.

    `blocks` are the texts that memory adds, by id, in the order in which they stand. `is_stored` is
    false if the beginning could not store the turn in time; the background or the commit does.
    """

    history: tuple[object, ...]
    messages: tuple[object, ...]
    receipt: Receipt
    blocks: Mapping[str, str] = field(default_factory=dict)
    placements: tuple[Placement, ...] = ()
    """Every block that stands in `messages`, of this turn and of earlier ones, oldest first."""
    leaves_trace: bool = True
    is_stored: bool = True

    @property
    def block(self) -> str | None:
        """All text that memory adds, in one piece; None if there is none."""
        return join_blocks(self.blocks.values()) if self.blocks else None

    def standing(self, ended: CommitResult) -> list[object]:
        """The messages as they stand in the history after the turn has ended."""
        stays = {
            self.receipt.block: ended.block_stays,
            self.receipt.standing_block: ended.standing_block_stays,
        }
        leaving = {id: text for id, text in self.blocks.items() if not stays.get(id, False)}
        return remove_blocks(self.messages, leaving) if leaving else list(self.messages)


_log = logging.getLogger("tacit.turn")

Chunk = TypeVar("Chunk")


class Committer(Protocol):
    """Commits one turn, or rolls it back, where it is stored."""

    def commit(self, reply: str) -> CommitResult:
        """Write what the turn showed and decided, and what was said in it."""

    def roll_back(self) -> bool:
        """Remove every trace of the turn; returns whether there was one."""


class Turn:
    """What to send, and why; commit it with the reply, or an exception rolls it back.

    `with tacit.turn(...) as turn:` sends `turn.messages` and calls `turn.commit(reply)`; afterwards
    `turn.history` is the history to go on with. A block that is left without a commit is rolled
    back too, unless a stream was begun in it: the turn is then committed with what was seen.
    """

    def __init__(self, prepared: Prepared, committer: Committer) -> None:
        self._prepared = prepared
        self._committer = committer
        self._history: list[Any] | None = None
        self._seen: ReplyChunks | None = None
        self._is_entered = False
        self._is_left = False
        self._is_over = False

    @property
    def messages(self) -> list[Any]:
        """The history, the blocks and what was said, ready to send, in the shape they came in."""
        return restore_foreign_messages(self._prepared.messages)

    @property
    def block(self) -> str | None:
        """The text that memory put into the context, if any: standing rules first."""
        return self._prepared.block

    @property
    def blocks(self) -> dict[str, str]:
        """The same by block: the text of each by its id, in the order in which they stand."""
        return dict(self._prepared.blocks)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Every block that stands in the messages, of this turn and of earlier ones."""
        return self._prepared.placements

    @property
    def receipt(self) -> Receipt:
        """What was injected, what was not, and why."""
        return self._prepared.receipt

    @property
    def is_open(self) -> bool:
        """Whether there is something to commit or to roll back."""
        return self._prepared.leaves_trace and not self._is_over

    @property
    def is_stored(self) -> bool:
        """Whether the beginning stored the turn; if not, the background or the commit does."""
        return self._prepared.is_stored

    @property
    def history(self) -> list[Any]:
        """After a commit the history to go on with; before, and after a rollback, the old one."""
        standing = self._prepared.history if self._history is None else self._history
        return restore_foreign_messages(standing)

    def commit(self, reply: Any = ()) -> CommitResult:
        """The reply came: what was shown is written down.

        A reply is text, a message, or several messages where tools were called. Where nothing is
        written, as after a `clear` of the session, the result's `not_recorded` says why; `history`
        is there all the same.
        """
        if self._is_over:
            raise InvalidInput("turn", "is already finished; start a new one")
        replies = to_messages(reply, "assistant", self._prepared.messages)
        self._is_over = True
        result = self._commit(capture_reply(replies))
        self._history = [*self._prepared.standing(result), *replies]
        return result

    def _commit(self, reply: str) -> CommitResult:
        """Commit the turn where it is stored; if that fails, its blocks stay for now."""
        if not self._prepared.leaves_trace:
            return report_unopened(self.receipt)
        try:
            return self._committer.commit(reply)
        except Exception as error:  # the reply is there; memory must not take it away
            _log.warning("the turn was not written down: %s", error)
            failed = report_not_recorded(self.receipt, NotRecorded.FAILED)
            return replace(failed, block_stays=True, standing_block_stays=True)

    @overload
    def stream(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]: ...

    @overload
    def stream(self, chunks: AsyncIterable[Chunk]) -> AsyncIterator[Chunk]: ...

    def stream(
        self, chunks: Iterable[Chunk] | AsyncIterable[Chunk]
    ) -> Iterator[Chunk] | AsyncIterator[Chunk]:
        """Pass on the chunks of a reply, and commit the turn with them at their end.

        Chunks are texts, or what the SDKs of OpenAI and Anthropic and frameworks yield. A stream
        that breaks off, or that nobody reads on, is committed with what was seen of it, at the end
        of the `with` at the latest; an exception of the program itself rolls the turn back.
        """
        if isinstance(chunks, AsyncIterable):
            return self._stream_async(chunks)
        return self._stream(chunks)

    def _stream(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        seen = self._begin_stream()
        try:
            for chunk in chunks:
                seen.add(chunk)
                yield chunk
        except GeneratorExit:
            self._is_left = self._is_entered
            raise
        finally:
            self._end_stream(seen)

    async def _stream_async(self, chunks: AsyncIterable[Chunk]) -> AsyncIterator[Chunk]:
        seen = self._begin_stream()
        try:
            async for chunk in chunks:
                seen.add(chunk)
                yield chunk
        except GeneratorExit:
            self._is_left = self._is_entered
            raise
        finally:
            await asyncio.to_thread(self._end_stream, seen)

    def _begin_stream(self) -> ReplyChunks:
        if self._is_over:
            raise InvalidInput("turn", "is over; read its stream inside of the `with`")
        self._seen, self._is_left = ReplyChunks(), False
        return self._seen

    def _end_stream(self, seen: ReplyChunks) -> None:
        """Commit what was seen of a stream.

        One that nobody reads on is left to the end of the `with`, which knows whether the program
        failed.
        """
        if not (self._is_over or self._is_left):
            self.commit(seen.to_message())

    def roll_back(self) -> None:
        """The turn did not happen; nothing of it stays."""
        if self._is_over:
            return
        self._is_over = True
        if not self._prepared.leaves_trace:
            return
        try:
            self._committer.roll_back()
        except Exception as error:
            _log.warning("the turn stays open until the next one: %s", error)

    def __enter__(self) -> Self:
        self._is_entered = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        has_failed = kind is not None and issubclass(kind, Exception)
        if self._seen is not None and not has_failed and not self._is_over:
            self.commit(self._seen.to_message())
        self.roll_back()
