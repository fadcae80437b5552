"""The schema of a PostgreSQL database: migrated under a lock that all openers share."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from psycopg import errors, sql

from tacit.core.errors import NotADatabase, StoreUnavailable
from tacit.core.kinds import Sort
from tacit.language.terms import extract_index_terms
from tacit.statements.parser import find_claims
from tacit.store.postgres.connections import Connection, PostgresAddress
from tacit.store.postgres.row_security import (
    add_policies,
    enable_row_security,
    is_row_security_enabled,
)
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.store.sql.table import load_queries
from tacit.store.sql.upgrade import (
    ANALYSIS_VERSIONS,
    Migration,
    is_newer_analysis,
    reject_newer_analysis,
    reject_other_schema,
)

_ANALYSIS_QUERIES = load_queries(__package__, "schema")
_ALL_MEMORIES = Query(now=datetime.now(UTC), state=None, sort=Sort.CREATED, limit=1_000)


def find_stale_workspaces(connection: Connection) -> list[str]:
    """The workspaces whose terms an older version's analysis made."""
    return [
        name for name, made_by in _load_other_analyses(connection) if not is_newer_analysis(made_by)
    ]


def reject_newer_database(address: PostgresAddress, connection: Connection) -> None:
    """Refuse a database in which a newer version made the terms of some workspace."""
    for _, made_by in _load_other_analyses(connection):
        reject_newer_analysis(address, made_by, "'tacit[postgres]'")


def rebuild_terms(connection: Connection, unit: UnitOfWork, workspace: int) -> None:
    """Derive all terms and claims of a workspace again, inside the caller's transaction."""
    last: str | None = None
    while page := unit.memories.find(replace(_ALL_MEMORIES, after=last)):
        for memory in page:
            unit.texts.put(memory.id, extract_index_terms(memory.search_text))
            unit.claims.clear(memory.id)
            unit.claims.put(memory.id, find_claims(memory.content))
        last = page[-1].id
    connection.execute(
        _ANALYSIS_QUERIES["settle_analysis"],
        {"workspace": workspace, "analysis": ANALYSIS_VERSIONS},
    )
    connection.execute(_ANALYSIS_QUERIES["touch_memories"], {"workspace": workspace})


def _load_other_analyses(connection: Connection) -> list[tuple[str, str]]:
    """The workspaces that another version analysed, each with that version."""
    found = connection.execute(_ANALYSIS_QUERIES["other_analyses"], {"analysis": ANALYSIS_VERSIONS})
    return [(name, made_by) for name, made_by in found.fetchall()]


OLDEST_SERVER = 15
OLDEST_PGVECTOR = (0, 8)
MIGRATION_LOCK = 0x54434954  # "TCIT"

_SCHEMA_QUERIES = load_queries(__package__, "schema")
_PARTITION = "CREATE TABLE IF NOT EXISTS {partition} PARTITION OF {table} FOR VALUES WITH ({of})"


def migrate(
    address: PostgresAddress,
    connection: Connection,
    migrations: Sequence[Migration],
    partitions: int,
) -> None:
    """Apply what is missing; several processes may do this at once."""
    version = _load_version(address, connection)
    reject_other_schema(address, version, migrations, "'tacit[postgres]'")
    if version < migrations[-1].version:
        _reject_old_server(address, connection)
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATION_LOCK])
            for migration in migrations:
                if _load_version(address, connection) < migration.version:
                    _run_migration(address, connection, migration, partitions)


def _run_migration(
    address: PostgresAddress, connection: Connection, step: Migration, partitions: int
) -> None:
    """Run one step, partition its new tables, and secure them if the others are secured."""
    is_new = _load_version(address, connection) == 0
    if is_new:
        _add_schema(address, connection)
        _add_pgvector(address, connection)
    else:
        partitions = int(_load_property(connection, "partitions") or 1)
    has_row_security = not is_new and is_row_security_enabled(connection)
    clause = "PARTITION BY HASH (workspace)" if partitions > 1 else ""
    connection.execute(step.sql.replace("{partitioned}", clause))
    for (table,) in connection.execute(_SCHEMA_QUERIES["partitioned"]).fetchall():
        for number in range(partitions):
            _add_partition(connection, table, number, partitions)
    add_policies(connection)
    if has_row_security:
        enable_row_security(connection)
    for name, value in (("partitions", partitions), ("schema_version", step.version)):
        connection.execute(_SCHEMA_QUERIES["set_property"], {"name": name, "value": str(value)})


def _add_partition(connection: Connection, table: str, number: int, count: int) -> None:
    of = sql.SQL("MODULUS {}, REMAINDER {}").format(sql.Literal(count), sql.Literal(number))
    statement = sql.SQL(_PARTITION).format(
        partition=sql.Identifier("tacit", f"{table}_{number:03}"),
        table=sql.Identifier("tacit", table),
        of=of,
    )
    connection.execute(statement)


def _add_schema(address: PostgresAddress, connection: Connection) -> None:
    try:
        with connection.transaction():
            connection.execute("CREATE SCHEMA IF NOT EXISTS tacit")
    except errors.InsufficientPrivilege as error:
        raise StoreUnavailable(
            f"{address}: this user may not make a schema; as the owner of the database run:"
            " CREATE SCHEMA tacit AUTHORIZATION that_user"
        ) from error


def _add_pgvector(address: PostgresAddress, connection: Connection) -> None:
    offered = connection.execute(_SCHEMA_QUERIES["pgvector"]).fetchone()
    if offered is None:
        raise StoreUnavailable(
            f"{address}: the server has no pgvector; install its package there, such as"
            " postgresql-18-pgvector, and try again"
        )
    version = offered[1] or offered[0]
    if offered[1] is None:
        try:
            with connection.transaction():
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except errors.InsufficientPrivilege as error:
            raise StoreUnavailable(
                f"{address}: this user may not add pgvector; as a superuser run in this database:"
                " CREATE EXTENSION vector"
            ) from error
    if tuple(int(part) for part in version.split(".")) < OLDEST_PGVECTOR:
        needed = ".".join(map(str, OLDEST_PGVECTOR))
        raise StoreUnavailable(
            f"{address}: pgvector {version} is too old; install {needed} or newer and run:"
            " ALTER EXTENSION vector UPDATE"
        )


def _load_version(address: PostgresAddress, connection: Connection) -> int:
    found, is_ours = connection.execute(_SCHEMA_QUERIES["tables"]).fetchone() or (0, False)
    if not found:
        return 0
    if not is_ours:
        raise NotADatabase(
            f"{address}: its schema tacit belongs to another program; name another database"
        )
    return int(_load_property(connection, "schema_version") or 0)


def _load_property(connection: Connection, name: str) -> str | None:
    row = connection.execute(_SCHEMA_QUERIES["property"], {"name": name}).fetchone()
    return row[0] if row else None


def _reject_old_server(address: PostgresAddress, connection: Connection) -> None:
    found = connection.info.server_version // 10_000
    if found < OLDEST_SERVER:
        raise StoreUnavailable(
            f"{address}: PostgreSQL {found} is too old; Tacit needs {OLDEST_SERVER} or newer"
        )
