"""Sessions, turns, blocks, ledgers, receipts, marks and places in SQL."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from datetime import UTC, datetime
from typing import Any

from tacit.core.kinds import Scope
from tacit.core.marks import Mark
from tacit.core.open_turn import (
    NotRecorded,
    OpenTurn,
    decompress_json,
)
from tacit.core.permissions import Viewer
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, LedgerEntry, Participant, Session, SessionVariable
from tacit.core.times import from_micros, to_micros
from tacit.language.terms import WordMatcher
from tacit.store.sql.table import (
    SqlTable,
    to_block,
    to_block_columns,
    to_entry,
    to_entry_columns,
    to_mark,
    to_mark_columns,
    to_receipt_columns,
    to_session,
    to_session_columns,
)


class SqlSessions(SqlTable):
    """The sessions of one workspace, and what is paused."""

    topic = "sessions"

    def get(self, id: str) -> Session | None:
        """One session."""
        row = self._row("get", id=id)
        return to_session(row) if row else None

    def put(self, session: Session) -> None:
        """Add a session or replace what is known of it."""
        self._send("put", **to_session_columns(session))

    def recent(self, limit: int, after: tuple[datetime, str] | None = None) -> list[Session]:
        """The sessions that were active last, or a page of them after this moment and id."""
        at, id = after or _FIRST_PLACE
        rows = self._rows("recent", at=to_micros(at), id=id, limit=limit)
        return [to_session(row) for row in rows]

    def recent_reached(
        self, reach: Viewer, limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Session]:
        """The same, limited to the sessions that a caller may reach."""
        at, id = after or _FIRST_PLACE
        place = {"at": to_micros(at), "id": id, "limit": limit}
        rows = self._rows("recent_reached", **place, agent=reach.agent, user=reach.user)
        return [to_session(row) for row in rows]

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""
        return [to_session(row) for row in self._rows("scan", after=after or "", limit=limit)]

    def remove(self, id: str) -> bool:
        """Remove a session; returns whether it was there."""
        return self._run("remove", id=id) > 0

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Pause a session or a project."""
        self._send("pause", scope=str(scope), scope_id=scope_id)

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Resume it; returns whether it was paused."""
        return self._run("resume", scope=str(scope), scope_id=scope_id) > 0

    def paused(self) -> set[tuple[Scope, str]]:
        """The sessions and projects that are paused."""
        return {(Scope(scope), id) for scope, id in self._rows("paused")}


_FIRST_PLACE = (datetime.max.replace(tzinfo=UTC), "")
"""A place in the list, newest first, that every session comes after."""


class SqlParticipants(SqlTable):
    """The participants of one workspace's sessions."""

    topic = "participants"

    def of(self, session: str) -> list[Participant]:
        """The participants of a session, by agent and user."""
        return [_to_participant(row) for row in self._rows("of", session=session)]

    def put(self, participant: Participant) -> None:
        """Add a participant; once it has taken a turn, that stays so."""
        self._send("put", **_participant_key(participant), took_turn=participant.took_turn)

    def release(self, participant: Participant) -> bool:
        """Remove a participant without turns or variables; returns whether it was removed."""
        return self._run("release", **_participant_key(participant)) > 0

    def clear(self, session: str) -> int:
        """Remove all participants of a session; returns how many."""
        return self._run("clear", session=session)

    def scan(self, after: Participant | None, limit: int) -> list[Participant]:
        """A page of all, by session, agent and user."""
        rows = self._rows("scan", **_participant_key(after or Participant(session="")), limit=limit)
        return [_to_participant(row) for row in rows]


def _participant_key(participant: Participant) -> dict[str, str]:
    """The columns that identify a participant, besides the workspace."""
    return {
        "session": participant.session,
        "agent": participant.agent or "",
        "user": participant.user or "",
    }


def _to_participant(row: Sequence[Any]) -> Participant:
    session, agent, user, took_turn = row
    return Participant(
        session=session, agent=agent or None, user=user or None, took_turn=bool(took_turn)
    )


class SqlBlocks(SqlTable):
    """The blocks that sessions were shown."""

    topic = "blocks"

    def put(self, block: Block) -> None:
        """Add a block or change its state."""
        self._send("put", **to_block_columns(block), memories=self._to_list_value(block.memories))

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""
        return [self._block(row) for row in self._rows("of", session=session)]

    def standing(self, session: str, ids: Collection[str] = ()) -> list[Block]:
        """The live blocks of a session, and those with these ids in any state, oldest first."""
        rows = self._rows("standing", session=session, ids=self._to_list_value(list(ids)))
        return [self._block(row) for row in rows]

    def made(self, ids: Collection[str]) -> list[Block]:
        """The blocks with these ids in any session of the workspace, by session and id."""
        return [self._block(row) for row in self._rows("made", ids=self._to_list_value(list(ids)))]

    def scan(self, after: Block | None, limit: int) -> list[Block]:
        """A page of all blocks, by session and id."""
        session, id = (after.session, after.id) if after else ("", "")
        rows = self._rows("scan", session=session, id=id, limit=limit)
        return [self._block(row) for row in rows]

    def blank(self, memories: Set[str]) -> int:
        """Remove the text of every block that holds one of these memories; returns how many."""
        return self._run("blank", ids=self._to_list_value(memories))

    def clear(self, session: str) -> int:
        """Drop the blocks of a session; returns how many."""
        return self._run("clear", session=session)

    def _block(self, row: Sequence[Any]) -> Block:
        return to_block(row, tuple(self._from_list_value(row[6])))


class SqlLedger(SqlTable):
    """Which memories sessions were shown."""

    topic = "ledger"

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Add entries for what was injected."""
        for entry in entries:
            self._send("add", **to_entry_columns(entry))

    def of(self, session: str) -> list[LedgerEntry]:
        """The entries of a session, oldest first."""
        return [to_entry(row) for row in self._rows("of", session=session)]

    def bound(self, session: str) -> list[LedgerEntry]:
        """Those entries of a session that were not released, oldest first."""
        return [to_entry(row) for row in self._rows("bound", session=session)]

    def scan(self, after: LedgerEntry | None, limit: int) -> list[LedgerEntry]:
        """A page of all entries, by session, turn and memory."""
        session, turn, memory = (after.session, after.turn, after.memory) if after else ("", 0, "")
        rows = self._rows("scan", session=session, turn=turn, memory=memory, limit=limit)
        return [to_entry(row) for row in rows]

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Release entries of these blocks, or of all, for injection again; returns how many."""
        named = None if blocks is None else self._to_list_value(blocks)
        return self._run("release", session=session, blocks=named, at=to_micros(at))

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""
        return self._run("remove", memory=memory)

    def clear(self, session: str) -> int:
        """Drop the entries of a session; returns how many."""
        return self._run("clear", session=session)


class SqlReceipts(SqlTable):
    """The receipts of turns, and the turns that are still open."""

    topic = "receipts"

    def put(self, receipt: Receipt) -> None:
        """Store a receipt."""
        self._send("put", **to_receipt_columns(receipt))

    def get(self, id: str) -> Receipt | None:
        """One receipt."""
        row = self._row("get", id=id)
        return Receipt.from_dict(decompress_json(row[0])) if row else None

    def recent(self, session: str | None, limit: int, after: str | None = None) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first; those older than `after`."""
        name = "recent" if session is None else "recent_of"
        last = _AFTER_ALL_IDS if after is None else after
        rows = self._rows(name, session=session, after=last, limit=limit)
        return [Receipt.from_dict(decompress_json(body)) for (body,) in rows]

    def recent_reached(self, reach: Viewer, limit: int, after: str | None = None) -> list[Receipt]:
        """The same, limited to the sessions that a caller may reach."""
        last = _AFTER_ALL_IDS if after is None else after
        whose = {"agent": reach.agent, "user": reach.user}
        rows = self._rows("recent_reached", after=last, limit=limit, **whose)
        return [Receipt.from_dict(decompress_json(body)) for (body,) in rows]

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""
        rows = self._rows("scan", after=after or "", limit=limit)
        return [Receipt.from_dict(decompress_json(body)) for (body,) in rows]

    def prune(self, before: datetime, overtaken_before: datetime | None = None) -> int:
        """Drop receipts older than a moment, but the last of each session, and abandoned turns."""
        turns = [OpenTurn.from_bytes(body) for (body,) in self._rows("all_opened")]
        old = [turn for turn in turns if turn.is_outdated(before, overtaken_before)]
        closed = sum(self.close_turn(turn.session, turn.id) for turn in old)
        return closed + self._run("prune", before=to_micros(before))

    def drop(self, ids: Collection[str]) -> int:
        """Drop these receipts; returns how many were there."""
        return self._run("drop", ids=self._to_list_value(ids))

    def open_turn(self, turn: OpenTurn) -> None:
        """Store an open turn."""
        ids: dict[str, str | None] = {"block": None, "standing_block": None}
        for block in turn.blocks:
            ids["standing_block" if block.has_standing_rules else "block"] = block.id
        self._send("open", session=turn.session, id=turn.id, body=turn.to_bytes(), **ids)

    def open_turns(self, session: str) -> list[OpenTurn]:
        """The open turns of a session, oldest first, without abandoned ones."""
        turns = [OpenTurn.from_bytes(body) for (body,) in self._rows("opened", session=session)]
        return [turn for turn in turns if turn.abandoned is None]

    def get_open_turn(self, id: str) -> OpenTurn | None:
        """The open or abandoned turn with this id."""
        row = self._row("opening", id=id)
        return OpenTurn.from_bytes(row[0]) if row else None

    def open_turns_showing(self, blocks: Collection[str]) -> list[OpenTurn]:
        """The open turns of any session that show one of these blocks."""
        rows = self._rows("showing", ids=self._to_list_value(list(blocks)))
        return [OpenTurn.from_bytes(body) for (body,) in rows]

    def scan_open_turns(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all open and abandoned turns, by session and id."""
        session, id = (after.session, after.id) if after else ("", "")
        rows = self._rows("scan_opened", session=session, id=id, limit=limit)
        return [OpenTurn.from_bytes(body) for (body,) in rows]

    def abandon_turn(self, turn: OpenTurn, reason: NotRecorded) -> bool:
        """Reduce a turn to the reason why it is not recorded; returns whether it was open."""
        kept = self.get_open_turn(turn.id)
        if kept is None or kept.abandoned is not None:
            return False
        self.close_turn(kept.session, kept.id)
        self.open_turn(kept.abandon(reason))
        return True

    def close_turn(self, session: str, id: str) -> bool:
        """Drop an open turn; returns whether it was there."""
        return self._run("close", session=session, id=id) > 0


_AFTER_ALL_IDS = "\U0010ffff"
"""A text that comes after every id."""


class SqlMarks(SqlTable):
    """Marks on memories that somebody found useless."""

    topic = "marks"

    def add(self, mark: Mark) -> None:
        """Store a mark."""
        self._send("add", **to_mark_columns(mark))

    def get(self, id: str) -> Mark | None:
        """One mark."""
        row = self._row("get", id=id)
        return to_mark(row) if row else None

    def remove(self, mark: Mark) -> None:
        """Remove a mark."""
        self._send("remove", memory=mark.memory, id=mark.id)

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""
        return [to_mark(row) for row in self._rows("of", ids=self._to_list_value(ids))]

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""
        memory, id = (after.memory, after.id) if after else ("", "")
        rows = self._rows("scan", memory=memory, id=id, limit=limit)
        return [to_mark(row) for row in rows]


_VARIABLES_PAGE = 1_000


class SqlVariables(SqlTable):
    """The variables of one workspace's sessions."""

    topic = "variables"

    def of(self, session: str) -> list[SessionVariable]:
        """The variables of a session, by name."""
        return [_to_variable(row) for row in self._rows("of", session=session)]

    def put(self, variable: SessionVariable) -> None:
        """Set a variable."""
        self._send(
            "put",
            session=variable.session,
            name=variable.name,
            value=variable.value_json,
            at=to_micros(variable.at),
        )

    def remove(self, session: str, name: str) -> bool:
        """Remove a variable; returns whether it was there."""
        return self._run("remove", session=session, name=name) > 0

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[SessionVariable], bool]) -> int:
        """Drop rows that contain these words in any case and pass `is_meant`; returns how many."""
        dropped, after = 0, None
        while page := self.scan(after, _VARIABLES_PAGE):
            after = page[-1]
            held = [each for each in page if words.match_any(each.texts) and is_meant(each)]
            dropped += sum(self.remove(each.session, each.name) for each in held)
        return dropped

    def prune(self, before: datetime) -> int:
        """Drop variables that were set before a time; returns how many."""
        return self._run("prune", before=to_micros(before))

    def scan(self, after: SessionVariable | None, limit: int) -> list[SessionVariable]:
        """A page of all, by session and name."""
        session, name = (after.session, after.name) if after else ("", "")
        rows = self._rows("scan", session=session, name=name, limit=limit)
        return [_to_variable(row) for row in rows]


def _to_variable(row: Sequence[Any]) -> SessionVariable:
    session, name, value, at = row
    return SessionVariable(session=session, name=name, value=json.loads(value), at=from_micros(at))


class SqlPlaces(SqlTable):
    """The places of one workspace's projects."""

    topic = "places"

    def get(self, host: str, path: str, claim: str) -> ProjectPlace | None:
        """What is known of a folder with this claim."""
        row = self._row("get", host=host, path=path, claim=claim)
        return _to_place(row) if row else None

    def at(self, host: str, path: str) -> list[ProjectPlace]:
        """All that is known of a folder, by claim."""
        return [_to_place(row) for row in self._rows("at", host=host, path=path)]

    def of_project(self, project: str) -> list[ProjectPlace]:
        """The places of a project, in their order."""
        return [_to_place(row) for row in self._rows("of_project", project=project)]

    def put(self, place: ProjectPlace) -> None:
        """Store a place, replacing what was known of the same claim."""
        self._send(
            "put",
            host=place.host,
            path=place.path,
            claim=place.claim,
            project=place.project,
            at=to_micros(place.at),
        )

    def remove(self, place: ProjectPlace) -> bool:
        """Remove a place; returns whether it was there."""
        return self._run("remove", host=place.host, path=place.path, claim=place.claim) > 0

    def scan(self, after: ProjectPlace | None, limit: int) -> list[ProjectPlace]:
        """A page of all, by host, path and claim."""
        host, path, claim = after.key if after else ("", "", "")
        rows = self._rows("scan", host=host, path=path, claim=claim, limit=limit)
        return [_to_place(row) for row in rows]


def _to_place(row: Sequence[Any]) -> ProjectPlace:
    host, path, claim, project, at = row
    return ProjectPlace(host=host, path=path, claim=claim, project=project, at=from_micros(at))
