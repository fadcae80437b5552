"""What changed for those who search, in SQLite."""

from collections.abc import Iterator

import apsw

from tacit.store.indexed import IndexedBatch
from tacit.store.sqlite.table import Table

_PAGE = 50_000


class SqliteChanges(Table):
    """The revision of one workspace, and what each revision changed."""

    topic = "changes"

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        super().__init__(connection, workspace, number)
        self._own: int | None = None

    def revision(self) -> int:
        """The last revision that was committed, or this transaction's own."""
        row = self._row("revision")
        return row[0] if row else 0

    def current(self) -> int:
        """The revision that this transaction writes under: one for all of it."""
        if self._own is None:
            row = self._row("advance")
            self._own = row[0] if row else 0
        return self._own

    def mark(self, id: str) -> None:
        """Note that something about a memory changed that is not in its own row."""
        self._run("mark", id=id, revision=self.current())

    def since(self, revision: int, model: int | None) -> Iterator[IndexedBatch]:
        """What changed after a revision, as far as search needs to know, in batches."""
        if revision > 0:
            yield IndexedBatch.of(self._rows("since", revision=revision, model=model))
            return
        first = 0
        while last := self._end_of_page(first):
            yield IndexedBatch.of(self._rows("rows", first=first, last=last, model=model))
            first = last

    def _end_of_page(self, first: int) -> int | None:
        row = self._row("last_of_page", first=first, limit=_PAGE)
        return row[0] if row else None

    def removed(self, revision: int) -> list[str]:
        """Ids that were erased after a revision."""
        return [id for (id,) in self._rows("removed", revision=revision)]
