"""What somebody said was of no use, in SQL."""

from collections.abc import Sequence

from tacit.core.marks import Mark
from tacit.store.sql.conversation_rows import from_mark, to_mark
from tacit.store.sql.table import SqlTable


class SqlMarks(SqlTable):
    """What somebody said was of no use."""

    topic = "marks"

    def add(self, mark: Mark) -> None:
        """Keep a mark."""
        self._send("add", **from_mark(mark))

    def get(self, id: str) -> Mark | None:
        """One mark."""
        row = self._row("get", id=id)
        return to_mark(row) if row else None

    def remove(self, mark: Mark) -> None:
        """Take a mark back."""
        self._send("remove", memory=mark.memory, id=mark.id)

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""
        return [to_mark(row) for row in self._rows("of", ids=self._listed(ids))]

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""
        memory, id = (after.memory, after.id) if after else ("", "")
        rows = self._rows("scan", memory=memory, id=id, limit=limit)
        return [to_mark(row) for row in rows]
