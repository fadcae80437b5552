"""Sessions, turns, blocks, receipts, marks and places in dictionaries."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from tacit.core.kinds import Scope
from tacit.core.marks import Mark
from tacit.core.open_turn import (
    NotRecorded,
    OpenTurn,
    compress_json,
    decompress_json,
)
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.core.sessions import (
    Block,
    BlockState,
    LedgerEntry,
    Participant,
    Session,
    SessionVariable,
)
from tacit.language.terms import WordMatcher
from tacit.testing.tables import WorkspaceTables

Row = TypeVar("Row")


class InMemorySessions:
    """The sessions of one workspace, and what is paused."""

    def __init__(self, tables: WorkspaceTables) -> None:
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
        """The same, limited to the sessions that a caller may reach."""
        by_id = sorted(self._tables.sessions.values(), key=lambda each: each.id)
        newest = sorted(by_id, key=lambda each: each.updated_at, reverse=True)
        found = [each for each in newest if after is None or _comes_after_place(each, *after)]
        return [each for each in found if _is_reached(self._tables, each.id, reach)][:limit]

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""
        return _page_of(self._tables.sessions, after, limit)

    def remove(self, id: str) -> bool:
        """Remove a session; returns whether it was there."""
        return self._tables.sessions.pop(id, None) is not None

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Pause a session or a project."""
        self._tables.pauses.add((scope, scope_id))

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Resume it; returns whether it was paused."""
        was = (scope, scope_id) in self._tables.pauses
        self._tables.pauses.discard((scope, scope_id))
        return was

    def paused(self) -> set[tuple[Scope, str]]:
        """The sessions and projects that are paused."""
        return set(self._tables.pauses)


class InMemoryParticipants:
    """Who takes part in sessions and contexts."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def of(self, session: str) -> list[Participant]:
        """The participants of a session, by agent and user."""
        return _participants_of(self._tables, session)

    def put(self, participant: Participant) -> None:
        """Add a participant; once it has taken a turn, that stays so."""
        known = self._tables.participants.get(_participant_key(participant), participant)
        took_turn = known.took_turn or participant.took_turn
        self._tables.participants[_participant_key(participant)] = replace(
            participant, took_turn=took_turn
        )

    def release(self, participant: Participant) -> bool:
        """Remove a participant without turns or variables; returns whether it was removed."""
        tables, session = self._tables, participant.session
        known = tables.participants.get(_participant_key(participant))
        others = (*tables.open_turns, *tables.variables)
        if known is None or known.took_turn or any(place[0] == session for place in others):
            return False
        return tables.participants.pop(_participant_key(participant), None) is not None

    def clear(self, session: str) -> int:
        """Remove all participants of a session; returns how many."""
        return _drop_rows(self._tables.participants, map(_participant_key, self.of(session)))

    def scan(self, after: Participant | None, limit: int) -> list[Participant]:
        """A page of all, by session, agent and user."""
        return _page_of(self._tables.participants, after and _participant_key(after), limit)


class InMemoryBlocks:
    """The blocks that sessions were shown."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def put(self, block: Block) -> None:
        """Add a block or change its state."""
        self._tables.blocks[block.session, block.id] = block

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""
        own = [each for each in self._tables.blocks.values() if each.session == session]
        return sorted(own, key=lambda each: (each.turn, not each.has_standing_rules, each.id))

    def standing(self, session: str, ids: Collection[str] = ()) -> list[Block]:
        """The live blocks of a session, and those with these ids in any state, oldest first."""
        return [each for each in self.of(session) if _is_live(each) or each.id in ids]

    def made(self, ids: Collection[str]) -> list[Block]:
        """The blocks with these ids in any session of the workspace, by session and id."""
        return [block for place, block in sorted(self._tables.blocks.items()) if place[1] in ids]

    def scan(self, after: Block | None, limit: int) -> list[Block]:
        """A page of all blocks, by session and id."""
        return _page_of(self._tables.blocks, after and (after.session, after.id), limit)

    def blank(self, memories: Set[str]) -> int:
        """Remove the text of every block that holds one of these memories; returns how many."""
        kept = self._tables.blocks
        known = [place for place in kept if not memories.isdisjoint(kept[place].memories)]
        kept.update({place: kept[place].to_dropped() for place in known})
        return len(known)

    def clear(self, session: str) -> int:
        """Drop the blocks of a session; returns how many."""
        kept = self._tables.blocks
        return _drop_rows(kept, [place for place in kept if place[0] == session])


class InMemoryLedger:
    """Which memories sessions were shown."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Add entries for what was injected."""
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
        return _page_of(self._tables.ledger, start, limit)

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Release entries of these blocks, or of all, for injection again; returns how many."""
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
        return _drop_rows(kept, [place for place in kept if place[2] == memory])

    def clear(self, session: str) -> int:
        """Drop the entries of a session; returns how many."""
        kept = self._tables.ledger
        return _drop_rows(kept, [place for place in kept if place[0] == session])


class InMemoryReceipts:
    """The receipts of turns, and the turns that are still open."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def put(self, receipt: Receipt) -> None:
        """Store a receipt, rounded as other backends round it."""
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
        """The same, limited to the sessions that a caller may reach."""
        found = self._newest(after)
        return [each for each in found if _is_reached(self._tables, each.session, reach)][:limit]

    def _newest(self, after: str | None) -> list[Receipt]:
        ids = [id for id in self._tables.receipts if after is None or id < after]
        return [self._tables.receipts[id] for id in sorted(ids, reverse=True)]

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""
        return _page_of(self._tables.receipts, after, limit)

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
        return _drop_rows(turns, old) + self.drop(gone)

    def drop(self, ids: Collection[str]) -> int:
        """Drop these receipts; returns how many were there."""
        return _drop_rows(self._tables.receipts, ids)

    def open_turn(self, turn: OpenTurn) -> None:
        """Store an open turn."""
        self._tables.open_turns[turn.session, turn.id] = OpenTurn.from_bytes(turn.to_bytes())

    def open_turns(self, session: str) -> list[OpenTurn]:
        """The open turns of a session, oldest first, without abandoned ones."""
        return [
            turn
            for place, turn in sorted(self._tables.open_turns.items())
            if place[0] == session and turn.abandoned is None
        ]

    def get_open_turn(self, id: str) -> OpenTurn | None:
        """The open or abandoned turn with this id."""
        turns = self._tables.open_turns.values()
        return next((turn for turn in turns if turn.id == id), None)

    def open_turns_showing(self, blocks: Collection[str]) -> list[OpenTurn]:
        """The open turns of any session that show one of these blocks."""
        turns = [turn for _, turn in sorted(self._tables.open_turns.items())]
        return [turn for turn in turns if any(each.id in blocks for each in turn.blocks)]

    def scan_open_turns(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all open and abandoned turns, by session and id."""
        return _page_of(self._tables.open_turns, after and (after.session, after.id), limit)

    def abandon_turn(self, turn: OpenTurn, reason: NotRecorded) -> bool:
        """Reduce a turn to the reason why it is not recorded; returns whether it was open."""
        kept = self.get_open_turn(turn.id)
        if kept is None or kept.abandoned is not None:
            return False
        self._tables.open_turns[kept.session, kept.id] = kept.abandon(reason)
        return True

    def close_turn(self, session: str, id: str) -> bool:
        """Drop an open turn; returns whether it was there."""
        return self._tables.open_turns.pop((session, id), None) is not None


class InMemoryMarks:
    """Marks on memories that somebody found useless."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def add(self, mark: Mark) -> None:
        """Store a mark."""
        self._tables.marks[mark.memory, mark.id] = mark

    def get(self, id: str) -> Mark | None:
        """One mark."""
        return next((mark for mark in self._tables.marks.values() if mark.id == id), None)

    def remove(self, mark: Mark) -> None:
        """Remove a mark."""
        self._tables.marks.pop((mark.memory, mark.id), None)

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""
        wanted = set(ids)
        return [mark for place, mark in sorted(self._tables.marks.items()) if place[0] in wanted]

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""
        return _page_of(self._tables.marks, after and (after.memory, after.id), limit)


def _comes_after_place(session: Session, at: datetime, id: str) -> bool:
    """Whether a session comes after a place in the list that begins with the newest."""
    return session.updated_at < at or (session.updated_at == at and session.id > id)


def _participant_key(participant: Participant) -> tuple[str, str, str]:
    return participant.session, participant.agent or "", participant.user or ""


def _participants_of(tables: WorkspaceTables, session: str) -> list[Participant]:
    return [each for place, each in sorted(tables.participants.items()) if place[0] == session]


def _is_reached(tables: WorkspaceTables, session: str, reach: Viewer) -> bool:
    return not reach.is_bound or reach.sees_session(_participants_of(tables, session))


def _is_live(block: Block) -> bool:
    return block.state is BlockState.LIVE


def _drop_rows(rows: dict[Any, Any], places: Iterable[Any]) -> int:
    """Remove rows; returns how many were there."""
    return sum(rows.pop(place, None) is not None for place in places)


def _page_of(rows: Mapping[Any, Row], after: Any, limit: int) -> list[Row]:
    """The rows after a place, in the order of their places."""
    places = sorted(place for place in rows if after is None or place > after)
    return [rows[place] for place in places[:limit]]


class InMemoryVariables:
    """The variables of one workspace's sessions; values are kept as JSON, as elsewhere."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def of(self, session: str) -> list[SessionVariable]:
        """The variables of a session, by name."""
        return [each for each in self._all() if each.session == session]

    def put(self, variable: SessionVariable) -> None:
        """Set a variable."""
        place = variable.session, variable.name
        self._tables.variables[place] = replace(variable, value=variable.value_json)

    def remove(self, session: str, name: str) -> bool:
        """Remove a variable; returns whether it was there."""
        return self._tables.variables.pop((session, name), None) is not None

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[SessionVariable], bool]) -> int:
        """Drop rows that contain these words in any case and pass `is_meant`; returns how many."""
        held = [each for each in self._all() if words.match_any(each.texts) and is_meant(each)]
        return sum(self.remove(each.session, each.name) for each in held)

    def prune(self, before: datetime) -> int:
        """Drop variables that were set before a time; returns how many."""
        old = [each for each in self._all() if each.at < before]
        return sum(self.remove(each.session, each.name) for each in old)

    def scan(self, after: SessionVariable | None, limit: int) -> list[SessionVariable]:
        """A page of all, by session and name."""
        place = (after.session, after.name) if after else ("", "")
        return [each for each in self._all() if (each.session, each.name) > place][:limit]

    def _all(self) -> list[SessionVariable]:
        kept = sorted(self._tables.variables.items())
        return [replace(each, value=json.loads(each.value)) for _, each in kept]


class InMemoryPlaces:
    """The places of one workspace's projects."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def get(self, host: str, path: str, claim: str) -> ProjectPlace | None:
        """What is known of a folder with this claim."""
        return self._tables.places.get((host, path, claim))

    def at(self, host: str, path: str) -> list[ProjectPlace]:
        """All that is known of a folder, by claim."""
        return [each for each in self._all() if (each.host, each.path) == (host, path)]

    def of_project(self, project: str) -> list[ProjectPlace]:
        """The places of a project, in their order."""
        return [each for each in self._all() if each.project == project]

    def put(self, place: ProjectPlace) -> None:
        """Store a place, replacing what was known of the same claim."""
        self._tables.places[place.key] = place

    def remove(self, place: ProjectPlace) -> bool:
        """Remove a place; returns whether it was there."""
        return self._tables.places.pop(place.key, None) is not None

    def scan(self, after: ProjectPlace | None, limit: int) -> list[ProjectPlace]:
        """A page of all, by host, path and claim."""
        return [each for each in self._all() if after is None or each.key > after.key][:limit]

    def _all(self) -> list[ProjectPlace]:
        return [place for _, place in sorted(self._tables.places.items())]
