"""Terms and claims of older versions, which are derived again from the contents."""

import json
from pathlib import Path

import apsw

from tacit.core.fields import Origin
from tacit.language.statements.parser import find_claims
from tacit.language.terms import extract_terms, pack_term_codes, signed_term_code
from tacit.store.sql.analysis import ANALYSIS, is_newer, refuse_newer
from tacit.store.sql.statements import statements

_PAGE = 1_000
_SQL = statements(__package__, "texts")
_CLAIMS = statements(__package__, "claims")


def are_outdated(connection: apsw.Connection) -> bool:
    """Whether a memory lacks its terms, or an older version's analysis made them."""
    made_by = _made_by(connection)
    if made_by != ANALYSIS:
        return not is_newer(made_by)
    return bool(next(connection.execute(_SQL["strays"])) != (0,))


def refuse_newer_analysis(path: Path, connection: apsw.Connection) -> None:
    """Leave alone a database whose terms a newer version made."""
    refuse_newer(path, _made_by(connection), "tacit")


def rebuild(connection: apsw.Connection) -> None:
    """Make all terms and claims anew from the contents, inside the caller's transaction."""
    connection.execute(_SQL["clear"])
    connection.execute(_CLAIMS["clear"])
    last = 0
    while page := list(connection.execute(_SQL["contents"], {"after": last, "limit": _PAGE})):
        for row, workspace, content, origin in page:
            said = Origin.from_dict(json.loads(origin)).spoken(content)
            bindings = {
                "row": row,
                "workspace": workspace,
                "terms": pack_term_codes(extract_terms(said)),
            }
            connection.execute(_SQL["put_row"], bindings)
            _put_claims(connection, row, workspace, content)
        last = page[-1][0]
    connection.execute(_SQL["touch_everything"])
    connection.execute(_SQL["mark_everything"])
    connection.execute(_SQL["made_by"], {"version": ANALYSIS})


def _made_by(connection: apsw.Connection) -> str:
    row = next(connection.execute(_SQL["version"]), None)
    return "" if row is None else str(row[0])


def _put_claims(connection: apsw.Connection, row: int, workspace: int, content: str) -> None:
    for claim in find_claims(content):
        bindings = {"row": row, "workspace": workspace, "claim": signed_term_code(claim)}
        connection.execute(_CLAIMS["put_row"], bindings)
