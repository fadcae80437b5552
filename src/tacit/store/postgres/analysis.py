"""Terms and claims made anew from the contents, where another version's analysis made them."""

from dataclasses import replace
from datetime import UTC, datetime

from tacit.core.kinds import Sort
from tacit.language.statements.parser import find_claims
from tacit.language.terms import extract_terms
from tacit.store.postgres.address import Address
from tacit.store.postgres.connections import Connection
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query
from tacit.store.sql.analysis import ANALYSIS, is_newer, refuse_newer
from tacit.store.sql.statements import statements

_SQL = statements(__package__, "schema")
_EVERYTHING = Query(now=datetime.now(UTC), state=None, sort=Sort.CREATED, limit=1_000)


def stale_workspaces(connection: Connection) -> list[str]:
    """The workspaces whose terms an older version's analysis made."""
    return [name for name, made_by in _other_analyses(connection) if not is_newer(made_by)]


def refuse_newer_analysis(address: Address, connection: Connection) -> None:
    """Leave alone a database in which a newer version made the terms of some workspace."""
    for _, made_by in _other_analyses(connection):
        refuse_newer(address, made_by, "'tacit[postgres]'")


def rebuild(connection: Connection, unit: Unit, workspace: int) -> None:
    """Analyse every memory of a workspace again, inside the caller's transaction."""
    last: str | None = None
    while page := unit.memories.find(replace(_EVERYTHING, after=last)):
        for memory in page:
            unit.texts.put(memory.id, extract_terms(memory.origin.spoken(memory.content)))
            unit.claims.clear(memory.id)
            unit.claims.put(memory.id, find_claims(memory.content))
        last = page[-1].id
    connection.execute(_SQL["settle_analysis"], {"workspace": workspace, "analysis": ANALYSIS})
    connection.execute(_SQL["touch_memories"], {"workspace": workspace})


def _other_analyses(connection: Connection) -> list[tuple[str, str]]:
    """The workspaces that another version analysed, each with what it noted."""
    found = connection.execute(_SQL["other_analyses"], {"analysis": ANALYSIS})
    return [(name, made_by) for name, made_by in found.fetchall()]
