"""What was heard and waits to be learned from, in SQL."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from tacit.core.learning_queue import CapturedTurn, QueuedTurn, QueueStage
from tacit.core.open_turn import compress_json, decompress_json
from tacit.core.times import to_micros
from tacit.language.terms import WordMatcher
from tacit.store.sql.table import SqlTable

_PAGE = 1_000


class SqlHeardTurns(SqlTable):
    """The queue of one workspace."""

    topic = "heard"

    def add(self, heard: CapturedTurn) -> None:
        """Queue what was heard; what is queued already is left alone."""
        self._send("add", **_columns(QueuedTurn(turn=heard)))

    def put(self, queued: QueuedTurn) -> None:
        """Queue something as it stood elsewhere."""
        self._send("put", **_columns(queued))

    def get(self, id: str) -> CapturedTurn | None:
        """What was heard in one turn."""
        row = self._row("get", id=id)
        return CapturedTurn.from_dict(decompress_json(row[0])) if row else None

    def fresh(self, limit: int) -> list[CapturedTurn]:
        """What the rules have not read, oldest first."""
        return [
            CapturedTurn.from_dict(decompress_json(body))
            for (body,) in self._rows("fresh", limit=limit)
        ]

    def settle(self, ids: Collection[str], keep: bool) -> set[str]:
        """Note that the rules have read these: they wait for the model now, or go."""
        rows = self._rows("keep_fresh" if keep else "drop_fresh", ids=self._listed(ids))
        return {id for (id,) in rows}

    def waiting(self, session: str, limit: int) -> list[CapturedTurn]:
        """What the rules have read in a session and the model has not, oldest first."""
        rows = self._rows("waiting", session=session, limit=limit)
        return [CapturedTurn.from_dict(decompress_json(body)) for (body,) in rows]

    def hasten(self, session: str) -> int:
        """Let the model read a session once the rules have; returns how many became due."""
        return self._run("hasten", session=session)

    def ripe(self, least: int, limit: int) -> list[str]:
        """Sessions that wait for the model with something due, or with at least so many turns."""
        return [session for (session,) in self._rows("ripe", least=least, limit=limit)]

    def drop(self, ids: Collection[str]) -> set[str]:
        """Drop these; returns those that were there."""
        return {id for (id,) in self._rows("drop", ids=self._listed(ids))}

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[CapturedTurn], bool]) -> int:
        """Drop what is meant and these words stand in, whatever their case; returns how many."""
        dropped, after = 0, None
        while page := self.scan(after, _PAGE):
            after = page[-1].id
            if held := [
                each.id for each in page if words.stand_in(each.turn.texts) and is_meant(each.turn)
            ]:
                dropped += len(self.drop(held))
        return dropped

    def prune(self, before: datetime) -> int:
        """Drop what was heard before a moment, read or not; returns how many."""
        return self._run("prune", before=to_micros(before))

    def scan(self, after: str | None, limit: int) -> list[QueuedTurn]:
        """A page of all that is queued, by id."""
        return [_queued(row) for row in self._rows("scan", after=after or "", limit=limit)]


def _columns(queued: QueuedTurn) -> dict[str, Any]:
    heard = queued.turn
    return {
        "id": heard.id,
        "session": heard.session,
        "at": to_micros(heard.at),
        "stage": str(queued.stage),
        "due": queued.due,
        "body": compress_json(heard.to_dict()),
    }


def _queued(row: Sequence[Any]) -> QueuedTurn:
    stage, due, body = row
    heard = CapturedTurn.from_dict(decompress_json(body))
    return QueuedTurn(turn=heard, stage=QueueStage(stage), due=bool(due))
