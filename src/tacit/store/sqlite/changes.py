"""What changed for those who search, in SQLite."""

import json
from collections.abc import Iterator

import apsw

from tacit.memory import Origin
from tacit.store.indexed import Indexed
from tacit.store.sqlite.table import Table

_NOBODY = Origin()
_ORIGIN = Indexed._fields.index("session")
"""Where a row has the origin, which becomes three fields."""


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

    def since(self, revision: int, model: int | None) -> Iterator[Indexed]:
        """What changed after a revision, as far as search needs to know."""
        for row in self._each("since", revision=revision, model=model):
            origin = row[_ORIGIN]
            place = Origin.from_dict(json.loads(origin)) if origin != "{}" else _NOBODY
            said = (place.session, place.ordinal, place.speaker)
            yield Indexed._make((*row[:_ORIGIN], *said, *row[_ORIGIN + 1 :]))

    def removed(self, revision: int) -> list[str]:
        """Ids that were erased after a revision."""
        return [id for (id,) in self._rows("removed", revision=revision)]
