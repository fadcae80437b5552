"""The accounts of turns, and the turns that have not ended, in SQL."""

from collections.abc import Collection
from datetime import datetime

from tacit.core.open_turn import NotRecorded, OpenTurn, decompress_json
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.core.times import to_micros
from tacit.store.sql.conversation_rows import from_receipt
from tacit.store.sql.table import SqlTable


class SqlReceipts(SqlTable):
    """The accounts of turns, and the turns that have not ended."""

    topic = "receipts"

    def put(self, receipt: Receipt) -> None:
        """Keep a receipt."""
        self._send("put", **from_receipt(receipt))

    def get(self, id: str) -> Receipt | None:
        """One receipt."""
        row = self._row("get", id=id)
        return Receipt.from_dict(decompress_json(row[0])) if row else None

    def recent(self, session: str | None, limit: int, after: str | None = None) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first; those older than `after`."""
        name = "recent" if session is None else "recent_of"
        last = _ABOVE_ALL if after is None else after
        rows = self._rows(name, session=session, after=last, limit=limit)
        return [Receipt.from_dict(decompress_json(body)) for (body,) in rows]

    def recent_reached(self, reach: Viewer, limit: int, after: str | None = None) -> list[Receipt]:
        """The same of all sessions that a caller reaches."""
        last = _ABOVE_ALL if after is None else after
        whose = {"agent": reach.agent, "user": reach.user}
        rows = self._rows("recent_reached", after=last, limit=limit, **whose)
        return [Receipt.from_dict(decompress_json(body)) for (body,) in rows]

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""
        rows = self._rows("scan", after=after or "", limit=limit)
        return [Receipt.from_dict(decompress_json(body)) for (body,) in rows]

    def prune(self, before: datetime) -> int:
        """Drop receipts older than a moment, but the last of each session, and abandoned turns."""
        turns = [OpenTurn.unpacked(body) for (body,) in self._rows("all_opened")]
        old = [turn for turn in turns if turn.abandoned is not None and turn.receipt.at < before]
        closed = sum(self.close(turn.session, turn.id) for turn in old)
        return closed + self._run("prune", before=to_micros(before))

    def drop(self, ids: Collection[str]) -> int:
        """Drop these receipts; returns how many were there."""
        return self._run("drop", ids=self._listed(ids))

    def open(self, turn: OpenTurn) -> None:
        """Keep a turn that has begun."""
        block = None if turn.block is None else turn.block.id
        body = turn.packed()
        self._send("open", session=turn.session, id=turn.id, block=block, body=body)

    def opened(self, session: str) -> list[OpenTurn]:
        """The turns of a session that have begun and not ended, oldest first; none abandoned."""
        turns = [OpenTurn.unpacked(body) for (body,) in self._rows("opened", session=session)]
        return [turn for turn in turns if turn.abandoned is None]

    def opening(self, id: str) -> OpenTurn | None:
        """The turn with this id, if it has begun and not ended, or was abandoned."""
        row = self._row("opening", id=id)
        return OpenTurn.unpacked(row[0]) if row else None

    def showing(self, blocks: Collection[str]) -> list[OpenTurn]:
        """The turns that have not ended and show one of these blocks, in any session."""
        rows = self._rows("showing", ids=self._listed(list(blocks)))
        return [OpenTurn.unpacked(body) for (body,) in rows]

    def scan_opened(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all turns that have not ended or were abandoned, by session and id."""
        session, id = (after.session, after.id) if after else ("", "")
        rows = self._rows("scan_opened", session=session, id=id, limit=limit)
        return [OpenTurn.unpacked(body) for (body,) in rows]

    def abandon(self, turn: OpenTurn, reason: NotRecorded) -> bool:
        """Keep of a turn only why nothing of it is recorded; tells whether it was open."""
        kept = self.opening(turn.id)
        if kept is None or kept.abandoned is not None:
            return False
        self.close(kept.session, kept.id)
        self.open(kept.abandon(reason))
        return True

    def close(self, session: str, id: str) -> bool:
        """Drop a turn that has begun; tells whether it was there."""
        return self._run("close", session=session, id=id) > 0


_ABOVE_ALL = "\U0010ffff"
"""A text that comes after every id."""
