"""What waits for somebody in SQL: events to hear of, and turns to learn from."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from tacit.core.events import Event, EventKind
from tacit.core.open_turn import (
    CapturedTurn,
    QueuedTurn,
    QueueStage,
    compress_json,
    decompress_json,
)
from tacit.core.times import from_micros, to_micros
from tacit.language.terms import WordMatcher
from tacit.store.sql.table import SqlTable, to_json


class SqlEvents(SqlTable):
    """The events of one workspace."""

    topic = "events"

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Add an event; returns its number."""
        rows = self._rows("append", kind=str(kind), at=to_micros(at), data=to_json(data))
        return int(rows[0][0])

    def after(self, number: int, limit: int) -> list[Event]:
        """Events with a higher number, oldest first."""
        return [_to_event(row) for row in self._rows("after", number=number, limit=limit)]

    def last(self) -> int:
        """The last number that was given; 0 if none was."""
        row = self._row("last")
        return int(row[0]) if row else 0

    def first(self) -> int:
        """The number of the oldest event that is kept; 0 if none is."""
        row = self._row("first")
        return int(row[0]) if row else 0

    def prune(self, keep: int) -> int:
        """Drop all but the newest; returns how many."""
        return self._run("prune", keep=keep)


def _to_event(row: Sequence[Any]) -> Event:
    number, at, kind, data = row
    return Event(number=number, at=from_micros(at), kind=EventKind(kind), data=json.loads(data))


_PAGE = 1_000


class SqlLearningQueue(SqlTable):
    """The queue of one workspace."""

    topic = "heard"

    def add(self, heard: CapturedTurn) -> None:
        """Queue a captured turn unless it is queued already."""
        self._send("add", **_to_queue_columns(QueuedTurn(turn=heard)))

    def put(self, queued: QueuedTurn) -> None:
        """Queue a turn with the state that it had elsewhere."""
        self._send("put", **_to_queue_columns(queued))

    def get(self, id: str) -> CapturedTurn | None:
        """One captured turn."""
        row = self._row("get", id=id)
        return CapturedTurn.from_dict(decompress_json(row[0])) if row else None

    def at_stage(self, stage: QueueStage, limit: int, after: str | None = None) -> list[QueuedTurn]:
        """Turns at a stage, oldest first."""
        rows = self._rows("at_stage", stage=str(stage), after=after or "", limit=limit)
        return [_to_queued(row) for row in rows]

    def settle(self, ids: Collection[str], keep: bool) -> set[str]:
        """Mark these as read by the rules: they now wait for the model, or are dropped."""
        rows = self._rows("keep_fresh" if keep else "drop_fresh", ids=self._to_list_value(ids))
        return {id for (id,) in rows}

    def add_tries(self, ids: Collection[str], count: int) -> None:
        """Count readings of these that were begun."""
        self._send("add_tries", ids=self._to_list_value(ids), count=count)

    def set_aside(self, ids: Collection[str], problem: str) -> None:
        """Leave these to a person, because they could not be read."""
        self._send("set_aside", ids=self._to_list_value(ids), problem=problem)

    def retry(self, ids: Collection[str]) -> set[str]:
        """Make these fresh again; returns those that were set aside."""
        return {id for (id,) in self._rows("retry", ids=self._to_list_value(ids))}

    def waiting(self, session: str, limit: int) -> list[QueuedTurn]:
        """Turns of a session that wait for the model, oldest first."""
        rows = self._rows("waiting", session=session, limit=limit)
        return [_to_queued(row) for row in rows]

    def hasten(self, session: str) -> int:
        """Make the turns of a session due for the model; returns how many became due."""
        return self._run("hasten", session=session)

    def ripe(self, least: int, limit: int) -> list[str]:
        """Sessions with a turn due for the model, or with at least `least` turns waiting."""
        return [session for (session,) in self._rows("ripe", least=least, limit=limit)]

    def drop(self, ids: Collection[str]) -> set[str]:
        """Drop these; returns those that were there."""
        return {id for (id,) in self._rows("drop", ids=self._to_list_value(ids))}

    def drop_holding(
        self, words: WordMatcher, is_meant: Callable[[CapturedTurn], bool]
    ) -> set[str]:
        """Drop turns that contain these words in any case and pass `is_meant`; returns the ids."""
        dropped: set[str] = set()
        after = None
        while page := self.scan(after, _PAGE):
            after = page[-1].id
            if held := [
                each.id for each in page if words.match_any(each.turn.texts) and is_meant(each.turn)
            ]:
                dropped |= self.drop(held)
        return dropped

    def prune(self, before: datetime) -> int:
        """Drop turns that were captured before a time; returns how many."""
        return self._run("prune", before=to_micros(before))

    def scan(self, after: str | None, limit: int) -> list[QueuedTurn]:
        """A page of the queue, by id."""
        return [_to_queued(row) for row in self._rows("scan", after=after or "", limit=limit)]


def _to_queue_columns(queued: QueuedTurn) -> dict[str, Any]:
    heard = queued.turn
    return {
        "id": heard.id,
        "session": heard.session,
        "at": to_micros(heard.at),
        "stage": str(queued.stage),
        "due": queued.due,
        "tries": queued.tries,
        "problem": queued.problem,
        "body": compress_json(heard.to_dict()),
    }


def _to_queued(row: Sequence[Any]) -> QueuedTurn:
    stage, due, tries, problem, body = row
    return QueuedTurn(
        turn=CapturedTurn.from_dict(decompress_json(body)),
        stage=QueueStage(stage),
        due=bool(due),
        tries=tries,
        problem=problem,
    )
