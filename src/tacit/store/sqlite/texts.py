"""The full-text index in SQLite, derived from the contents and rebuilt from them."""

from collections.abc import Sequence

import apsw

from tacit.store.sqlite.statements import statements
from tacit.store.sqlite.table import Table
from tacit.text import ANALYSIS_VERSION, terms

_PAGE = 1_000


class SqliteTexts(Table):
    """The terms of memories."""

    topic = "texts"

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Index a memory under these terms, instead of any it had."""
        self._run("put", id=id, terms=" ".join(terms))

    def matching(self, terms: Sequence[str], limit: int) -> list[str]:
        """Ids of memories that hold any of the terms."""
        if not terms:
            return []
        anyone = " OR ".join(_quoted(term) for term in terms)
        match = f"scope : w{self._number} AND terms : ({anyone})"
        return [id for (id,) in self._rows("matching", match=match, limit=limit)]


def is_current(connection: apsw.Connection) -> bool:
    """Whether the index is there, whole, and made by this version's analysis."""
    sql = statements("texts")
    if not _number(connection, sql["exists"]) or _made_by(connection) != str(ANALYSIS_VERSION):
        return False
    return _number(connection, sql["strays"]) == 0


def rebuild(connection: apsw.Connection) -> None:
    """Make the index anew from the contents, inside the caller's transaction."""
    sql = statements("texts")
    connection.execute(sql["drop"])
    connection.execute(sql["create"])
    last = 0
    while page := list(connection.execute(sql["texts_to_index"], {"after": last, "limit": _PAGE})):
        for row, workspace, content in page:
            line = " ".join(terms(content))
            connection.execute(sql["put_row"], {"row": row, "workspace": workspace, "terms": line})
        last = page[-1][0]
    connection.execute(sql["made_by"], {"version": str(ANALYSIS_VERSION)})


def compact(connection: apsw.Connection) -> None:
    """Rewrite the index without what was deleted, whose terms it otherwise keeps for a while."""
    connection.execute(statements("texts")["compact"])


def _made_by(connection: apsw.Connection) -> str | None:
    row = next(connection.execute(statements("texts")["version"]), None)
    return str(row[0]) if row else None


def _number(connection: apsw.Connection, sql: str) -> int:
    return int(next(connection.execute(sql))[0])


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
