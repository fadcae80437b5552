"""Terms and claims made anew from the contents, where another version's analysis made them."""

from dataclasses import replace
from datetime import UTC, datetime

from tacit.memory import Sort
from tacit.statements import STATEMENTS_VERSION, claims
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.unit import PostgresUnit
from tacit.store.query import Query
from tacit.store.sql.statements import statements
from tacit.text import ANALYSIS_VERSION, terms

ANALYSIS = f"{ANALYSIS_VERSION}.{STATEMENTS_VERSION}"

_SQL = statements(__package__, "schema")
_EVERYTHING = Query(now=datetime.now(UTC), state=None, sort=Sort.CREATED, limit=1_000)


def stale_workspaces(connection: Connection) -> list[str]:
    """The workspaces whose terms another version's analysis made."""
    found = connection.execute(_SQL["stale_workspaces"], {"analysis": ANALYSIS})
    return [name for (name,) in found.fetchall()]


def rebuild(connection: Connection, unit: PostgresUnit, workspace: int) -> None:
    """Analyse every memory of a workspace again, inside the caller's transaction."""
    last: str | None = None
    while page := unit.memories.find(replace(_EVERYTHING, after=last)):
        for memory in page:
            unit.texts.put(memory.id, terms(memory.origin.spoken(memory.content)))
            unit.claims.clear(memory.id)
            unit.claims.put(memory.id, claims(memory.content))
        last = page[-1].id
    connection.execute(_SQL["settle_analysis"], {"workspace": workspace, "analysis": ANALYSIS})
    connection.execute(_SQL["touch_memories"], {"workspace": workspace})
