"""Sessions, their blocks, ledgers, receipts and marks in dictionaries."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from tacit.core.blocks import Block, BlockState, LedgerEntry
from tacit.core.kinds import Scope
from tacit.core.marks import Mark
from tacit.core.open_turn import NotRecorded, OpenTurn, compress_json, decompress_json
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Participant, Session
from tacit.store.inmemory.tables import Tables

Row = TypeVar("Row")


class InMemorySessions:
    """The sessions of one workspace, and what is paused."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def get(self, id: str) -> Session | None:
        """One session."""
        return self._tables.sessions.get(id)

    def put(self, session: Session) -> None:
        """Add a session or replace what is known of it."""
        known = self._tables.sessions.get(session.id, session)
        self._tables.sessions[session.id] = replace(session, created_at=known.created_at)

    def recent(self, limit: int, after: tuple[datetime, str] | None = None) -> list[Session]:
        """The sessions that were active last, or a page of them after this moment and id."""
        return self.recent_reached(UNBOUND, limit, after)

    def recent_reached(
        self, reach: Viewer, limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Session]:
        """The same of those sessions that a caller reaches."""
        by_id = sorted(self._tables.sessions.values(), key=lambda each: each.id)
        newest = sorted(by_id, key=lambda each: each.updated_at, reverse=True)
        found = [each for each in newest if after is None or _is_behind(each, *after)]
        return [each for each in found if _is_reached(self._tables, each.id, reach)][:limit]

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""
        return _page(self._tables.sessions, after, limit)

    def remove(self, id: str) -> bool:
        """Know a session no longer; tells whether it was known."""
        return self._tables.sessions.pop(id, None) is not None

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Leave a session or a project alone from now on."""
        self._tables.pauses.add((scope, scope_id))

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Serve it again; tells whether it was paused."""
        was = (scope, scope_id) in self._tables.pauses
        self._tables.pauses.discard((scope, scope_id))
        return was

    def paused(self) -> set[tuple[Scope, str]]:
        """What is left alone."""
        return set(self._tables.pauses)


class InMemoryParticipants:
    """Who takes part in sessions and contexts."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def of(self, session: str) -> list[Participant]:
        """Those that used the name of a session, by agent and user."""
        return _participants(self._tables, session)

    def put(self, participant: Participant) -> None:
        """Note that they used it; that they took a turn stays so."""
        known = self._tables.participants.get(_place(participant), participant)
        took_turn = known.took_turn or participant.took_turn
        self._tables.participants[_place(participant)] = replace(participant, took_turn=took_turn)

    def release(self, participant: Participant) -> bool:
        """Forget a claim, if no turn was taken, none is open, and nothing is noted; tells so."""
        tables, session = self._tables, participant.session
        known = tables.participants.get(_place(participant))
        others = (*tables.open_turns, *tables.variables)
        if known is None or known.took_turn or any(place[0] == session for place in others):
            return False
        return tables.participants.pop(_place(participant), None) is not None

    def clear(self, session: str) -> int:
        """Forget all of a session; returns how many."""
        return _drop(self._tables.participants, map(_place, self.of(session)))

    def scan(self, after: Participant | None, limit: int) -> list[Participant]:
        """A page of all, by session, agent and user."""
        return _page(self._tables.participants, after and _place(after), limit)


class InMemoryBlocks:
    """The blocks that sessions were shown."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def put(self, block: Block) -> None:
        """Add a block or change its state."""
        self._tables.blocks[block.session, block.id] = block

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""
        own = [each for each in self._tables.blocks.values() if each.session == session]
        return sorted(own, key=lambda each: (each.turn, each.id))

    def standing(self, session: str, ids: Collection[str] = ()) -> list[Block]:
        """The live blocks of a session, and those with these ids in any state, oldest first."""
        return [each for each in self.of(session) if _is_live(each) or each.id in ids]

    def made(self, ids: Collection[str]) -> list[Block]:
        """The blocks with these ids in any session of the workspace, by session and id."""
        return [block for place, block in sorted(self._tables.blocks.items()) if place[1] in ids]

    def scan(self, after: Block | None, limit: int) -> list[Block]:
        """A page of all blocks, by session and id."""
        return _page(self._tables.blocks, after and (after.session, after.id), limit)

    def blank(self, memories: Set[str]) -> int:
        """Remove the words of every block that one of these was in; returns how many."""
        kept = self._tables.blocks
        known = [place for place in kept if not memories.isdisjoint(kept[place].memories)]
        kept.update({place: kept[place].blanked() for place in known})
        return len(known)

    def clear(self, session: str) -> int:
        """Drop the blocks of a session; returns how many."""
        kept = self._tables.blocks
        return _drop(kept, [place for place in kept if place[0] == session])


class InMemoryLedger:
    """Which memories sessions were shown."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Note what was injected."""
        for entry in entries:
            self._tables.ledger[entry.session, entry.turn, entry.memory] = entry

    def of(self, session: str) -> list[LedgerEntry]:
        """The entries of a session, oldest first."""
        own = [place for place in self._tables.ledger if place[0] == session]
        return [self._tables.ledger[place] for place in sorted(own)]

    def bound(self, session: str) -> list[LedgerEntry]:
        """Those entries of a session that were not released, oldest first."""
        return [entry for entry in self.of(session) if entry.pruned_at is None]

    def scan(self, after: LedgerEntry | None, limit: int) -> list[LedgerEntry]:
        """A page of all entries, by session, turn and memory."""
        start = after and (after.session, after.turn, after.memory)
        return _page(self._tables.ledger, start, limit)

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Let entries of these blocks, or of all, be injected again; returns how many."""
        held = [
            (place, entry)
            for place, entry in self._tables.ledger.items()
            if entry.session == session
            and entry.pruned_at is None
            and (blocks is None or entry.block in blocks)
        ]
        self._tables.ledger |= {place: replace(entry, pruned_at=at) for place, entry in held}
        return len(held)

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""
        kept = self._tables.ledger
        return _drop(kept, [place for place in kept if place[2] == memory])

    def clear(self, session: str) -> int:
        """Drop the entries of a session; returns how many."""
        kept = self._tables.ledger
        return _drop(kept, [place for place in kept if place[0] == session])


class InMemoryReceipts:
    """The accounts of turns, and the turns that have not ended."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def put(self, receipt: Receipt) -> None:
        """Keep a receipt, rounded as other backends round it."""
        self._tables.receipts[receipt.id] = Receipt.from_dict(
            decompress_json(compress_json(receipt.to_dict()))
        )

    def get(self, id: str) -> Receipt | None:
        """One receipt."""
        return self._tables.receipts.get(id)

    def recent(self, session: str | None, limit: int, after: str | None = None) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first; those older than `after`."""
        return [each for each in self._newest(after) if session in (None, each.session)][:limit]

    def recent_reached(self, reach: Viewer, limit: int, after: str | None = None) -> list[Receipt]:
        """The same of all sessions that a caller reaches."""
        found = self._newest(after)
        return [each for each in found if _is_reached(self._tables, each.session, reach)][:limit]

    def _newest(self, after: str | None) -> list[Receipt]:
        ids = [id for id in self._tables.receipts if after is None or id < after]
        return [self._tables.receipts[id] for id in sorted(ids, reverse=True)]

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""
        return _page(self._tables.receipts, after, limit)

    def prune(self, before: datetime) -> int:
        """Drop receipts older than a moment, but the last of each session, and abandoned turns."""
        last = {each.session: id for id, each in sorted(self._tables.receipts.items())}
        gone = [
            id
            for id, each in self._tables.receipts.items()
            if each.at < before and last[each.session] != id
        ]
        turns = self._tables.open_turns
        old = [
            place
            for place, turn in turns.items()
            if turn.abandoned is not None and turn.receipt.at < before
        ]
        return _drop(turns, old) + self.drop(gone)

    def drop(self, ids: Collection[str]) -> int:
        """Drop these receipts; returns how many were there."""
        return _drop(self._tables.receipts, ids)

    def open(self, turn: OpenTurn) -> None:
        """Keep a turn that has begun."""
        self._tables.open_turns[turn.session, turn.id] = OpenTurn.unpacked(turn.packed())

    def opened(self, session: str) -> list[OpenTurn]:
        """The turns of a session that have begun and not ended, oldest first; none abandoned."""
        return [
            turn
            for place, turn in sorted(self._tables.open_turns.items())
            if place[0] == session and turn.abandoned is None
        ]

    def opening(self, id: str) -> OpenTurn | None:
        """The turn with this id, if it has begun and not ended, or was abandoned."""
        turns = self._tables.open_turns.values()
        return next((turn for turn in turns if turn.id == id), None)

    def showing(self, blocks: Collection[str]) -> list[OpenTurn]:
        """The turns that have not ended and show one of these blocks, in any session."""
        turns = [turn for _, turn in sorted(self._tables.open_turns.items())]
        return [turn for turn in turns if turn.block is not None and turn.block.id in blocks]

    def scan_opened(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all turns that have not ended or were abandoned, by session and id."""
        return _page(self._tables.open_turns, after and (after.session, after.id), limit)

    def abandon(self, turn: OpenTurn, reason: NotRecorded) -> bool:
        """Keep of a turn only why nothing of it is recorded; tells whether it was open."""
        kept = self.opening(turn.id)
        if kept is None or kept.abandoned is not None:
            return False
        self._tables.open_turns[kept.session, kept.id] = kept.abandon(reason)
        return True

    def close(self, session: str, id: str) -> bool:
        """Drop a turn that has begun; tells whether it was there."""
        return self._tables.open_turns.pop((session, id), None) is not None


class InMemoryMarks:
    """What people said was of no use."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, mark: Mark) -> None:
        """Keep a mark."""
        self._tables.marks[mark.memory, mark.id] = mark

    def get(self, id: str) -> Mark | None:
        """One mark."""
        return next((mark for mark in self._tables.marks.values() if mark.id == id), None)

    def remove(self, mark: Mark) -> None:
        """Take a mark back."""
        self._tables.marks.pop((mark.memory, mark.id), None)

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""
        wanted = set(ids)
        return [mark for place, mark in sorted(self._tables.marks.items()) if place[0] in wanted]

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""
        return _page(self._tables.marks, after and (after.memory, after.id), limit)


def _is_behind(session: Session, at: datetime, id: str) -> bool:
    """Whether a session comes after a place in the list that begins with the newest."""
    return session.updated_at < at or (session.updated_at == at and session.id > id)


def _place(participant: Participant) -> tuple[str, str, str]:
    return participant.session, participant.agent or "", participant.user or ""


def _participants(tables: Tables, session: str) -> list[Participant]:
    return [each for place, each in sorted(tables.participants.items()) if place[0] == session]


def _is_reached(tables: Tables, session: str, reach: Viewer) -> bool:
    return not reach.is_bound or reach.sees_session(_participants(tables, session))


def _is_live(block: Block) -> bool:
    return block.state is BlockState.LIVE


def _drop(rows: dict[Any, Any], places: Iterable[Any]) -> int:
    """Remove rows; returns how many were there."""
    return sum(rows.pop(place, None) is not None for place in places)


def _page(rows: Mapping[Any, Row], after: Any, limit: int) -> list[Row]:
    """The rows after a place, in the order of their places."""
    places = sorted(place for place in rows if after is None or place > after)
    return [rows[place] for place in places[:limit]]
