"""The terms and claims of memories in SQLite, derived from the contents and made anew from them."""

import json
from collections.abc import Sequence

import apsw

from tacit.memory import Origin
from tacit.statements import STATEMENTS_VERSION, claims
from tacit.store.sqlite.statements import statements
from tacit.store.sqlite.table import Table
from tacit.text import ANALYSIS_VERSION, packed, signed_code, terms

_PAGE = 1_000


class SqliteTexts(Table):
    """The terms of memories, as codes."""

    topic = "texts"

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Keep the terms of a memory, instead of any it had."""
        self._run("put", id=id, terms=packed(terms))

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The packed terms of these memories."""
        return dict(self._rows("of", ids=json.dumps(list(ids))))


def are_current(connection: apsw.Connection) -> bool:
    """Whether every memory has its terms, made by this version's analysis."""
    sql = statements("texts")
    made_by = next(connection.execute(sql["version"]), None)
    if made_by != (_version(),):
        return False
    return bool(next(connection.execute(sql["strays"])) == (0,))


def rebuild(connection: apsw.Connection) -> None:
    """Make all terms and claims anew from the contents, inside the caller's transaction."""
    sql = statements("texts")
    connection.execute(sql["clear"])
    connection.execute(statements("claims")["clear"])
    last = 0
    while page := list(connection.execute(sql["contents"], {"after": last, "limit": _PAGE})):
        for row, workspace, content, origin in page:
            said = Origin.from_dict(json.loads(origin)).spoken(content)
            codes = packed(terms(said))
            connection.execute(sql["put_row"], {"row": row, "workspace": workspace, "terms": codes})
            _put_claims(connection, row, workspace, content)
        last = page[-1][0]
    connection.execute(sql["touch_everything"])
    connection.execute(sql["mark_everything"])
    connection.execute(sql["made_by"], {"version": _version()})


def _version() -> str:
    return f"{ANALYSIS_VERSION}.{STATEMENTS_VERSION}"


def _put_claims(connection: apsw.Connection, row: int, workspace: int, content: str) -> None:
    for claim in claims(content):
        bindings = {"row": row, "workspace": workspace, "claim": signed_code(claim)}
        connection.execute(statements("claims")["put_row"], bindings)
