"""Tables whose new rows wait for one another, to be sent in one statement."""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from tacit.store.postgres.connections import Connection
from tacit.store.postgres.outbox import Outbox
from tacit.store.postgres.table import Table

Row = TypeVar("Row")


class PostingTable(Table, Generic[Row]):
    """The queries of one topic, and rows of it that were not sent yet."""

    def __init__(self, connection: Connection, workspace: str, number: int, outbox: Outbox) -> None:
        super().__init__(connection, workspace, number, outbox)
        self._waiting: dict[Hashable, Row] = {}
        outbox.serve(self._send_waiting)

    def _wait(self, key: Hashable, row: Row) -> None:
        """Let a row wait; two that have the same key are sent one after the other."""
        if key in self._waiting:
            self._outbox.flush()
        self._waiting[key] = row
        self._outbox.note()

    def _send_waiting(self) -> None:
        if self._waiting:
            rows, self._waiting = self._waiting, {}
            self._post(list(rows.values()))

    def _post(self, rows: Sequence[Row]) -> None:
        """Send rows, none of which was sent before."""
        raise NotImplementedError
