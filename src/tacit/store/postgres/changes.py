"""What changed for those who search, in PostgreSQL."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tacit.store.indexed import IndexedBatch
from tacit.store.postgres.binary import to_halves, to_packed
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.outbox import Outbox
from tacit.store.postgres.table import Table

_PAGE = 50_000


class PostgresChanges(Table):
    """The revision of one workspace, and what each revision changed."""

    topic = "changes"

    def __init__(self, connection: Connection, workspace: str, number: int, outbox: Outbox) -> None:
        super().__init__(connection, workspace, number, outbox)
        self._has_advanced = False
        self._written: set[str] = set()

    def revision(self) -> int:
        """The last revision that was committed, or this transaction's own."""
        row = self._row("revision")
        return row[0] if row else 0

    def advance(self) -> None:
        """Give this transaction a revision of its own: one for all that it writes."""
        if not self._has_advanced:
            self._send("advance")
            self._has_advanced = True

    def write(self, id: str) -> None:
        """Note that a memory's own row is written, with this transaction's revision."""
        self.advance()
        self._written.add(id)

    def mark(self, ids: Iterable[str]) -> None:
        """Note that something about memories changed that is not in their own rows."""
        unmarked = [id for id in ids if id not in self._written]
        if unmarked:
            self.advance()
            self._send_found("mark", len(unmarked), ids=unmarked)

    def since(self, revision: int, model: int | None) -> Iterator[IndexedBatch]:
        """What changed after a revision, as far as search needs to know, in batches."""
        if revision > 0:
            yield to_batch(self._rows("since", revision=revision, model=model))
            return
        after = 0
        while rows := self._rows("page", after=after, model=model, limit=_PAGE):
            after = rows[-1][-1]
            yield to_batch([row[:-1] for row in rows])

    def removed(self, revision: int) -> list[str]:
        """Ids that were erased after a revision."""
        return [id for (id,) in self._rows("removed", revision=revision)]


def to_batch(rows: Sequence[tuple[Any, ...]]) -> IndexedBatch:
    """Rows that have the fields of `Indexed`, terms and vector as the server sent them."""
    if not rows:
        return IndexedBatch.of(())
    *fields, terms, vectors = zip(*rows, strict=True)
    return IndexedBatch([*fields, to_packed(terms), to_halves(vectors)])
