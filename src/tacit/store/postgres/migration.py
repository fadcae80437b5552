"""Bringing a PostgreSQL database to the current schema, under a lock that all openers share."""

from collections.abc import Sequence

from psycopg import errors, sql

from tacit.core.errors import NotADatabase, StoreTooNew, StoreUnavailable
from tacit.store.postgres.address import Address
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.walls import add_policies, are_built, build_walls
from tacit.store.sql.migrations import Migration
from tacit.store.sql.statements import statements

OLDEST_SERVER = 15
OLDEST_PGVECTOR = (0, 8)
MIGRATION_LOCK = 0x54434954  # "TCIT"

_SQL = statements(__package__, "schema")
_PARTITION = "CREATE TABLE IF NOT EXISTS {partition} PARTITION OF {table} FOR VALUES WITH ({of})"


def migrate(
    address: Address, connection: Connection, migrations: Sequence[Migration], partitions: int
) -> None:
    """Apply what is missing; several processes may do this at once."""
    newest = migrations[-1].version
    if _version(address, connection) < newest:
        _refuse_old_server(address, connection)
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATION_LOCK])
            for migration in migrations:
                if _version(address, connection) < migration.version:
                    _apply(address, connection, migration, partitions)
    if (version := _version(address, connection)) > newest:
        raise StoreTooNew(
            f"{address}: written by a newer Tacit (schema {version}, this one knows {newest});"
            " upgrade with: pip install --upgrade 'tacit[postgres]'"
        )


def _apply(address: Address, connection: Connection, step: Migration, partitions: int) -> None:
    """The statements of one step, partitions for its new tables, and walls if others have any."""
    if step.version == 1:
        _add_schema(address, connection)
        _add_pgvector(address, connection)
    else:
        partitions = int(_property(connection, "partitions") or 1)
    has_walls = step.version > 1 and are_built(connection)
    clause = "PARTITION BY HASH (workspace)" if partitions > 1 else ""
    connection.execute(step.sql.replace("{partitioned}", clause))
    for (table,) in connection.execute(_SQL["partitioned"]).fetchall():
        for number in range(partitions):
            _add_partition(connection, table, number, partitions)
    add_policies(connection)
    if has_walls:
        build_walls(connection)
    for name, value in (("partitions", partitions), ("schema_version", step.version)):
        connection.execute(_SQL["set_property"], {"name": name, "value": str(value)})


def _add_partition(connection: Connection, table: str, number: int, count: int) -> None:
    of = sql.SQL("MODULUS {}, REMAINDER {}").format(sql.Literal(count), sql.Literal(number))
    statement = sql.SQL(_PARTITION).format(
        partition=sql.Identifier("tacit", f"{table}_{number:03}"),
        table=sql.Identifier("tacit", table),
        of=of,
    )
    connection.execute(statement)


def _add_schema(address: Address, connection: Connection) -> None:
    try:
        with connection.transaction():
            connection.execute("CREATE SCHEMA IF NOT EXISTS tacit")
    except errors.InsufficientPrivilege as error:
        raise StoreUnavailable(
            f"{address}: this user may not make a schema; as the owner of the database run:"
            " CREATE SCHEMA tacit AUTHORIZATION that_user"
        ) from error


def _add_pgvector(address: Address, connection: Connection) -> None:
    offered = connection.execute(_SQL["pgvector"]).fetchone()
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


def _version(address: Address, connection: Connection) -> int:
    found, is_ours = connection.execute(_SQL["tables"]).fetchone() or (0, False)
    if not found:
        return 0
    if not is_ours:
        raise NotADatabase(
            f"{address}: its schema tacit belongs to another program; name another database"
        )
    return int(_property(connection, "schema_version") or 0)


def _property(connection: Connection, name: str) -> str | None:
    row = connection.execute(_SQL["property"], {"name": name}).fetchone()
    return row[0] if row else None


def _refuse_old_server(address: Address, connection: Connection) -> None:
    found = connection.info.server_version // 10_000
    if found < OLDEST_SERVER:
        raise StoreUnavailable(
            f"{address}: PostgreSQL {found} is too old; Tacit needs {OLDEST_SERVER} or newer"
        )
