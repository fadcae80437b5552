"""Checks of a PostgreSQL server: versions, rights, connections, large workspaces."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from tacit.cli.doctor.findings import DoctorFinding, error_finding, ok_finding, warning_finding
from tacit.settings.server import PostgresSettings
from tacit.store.postgres.connections import Connection, PostgresAddress, translate_errors
from tacit.store.postgres.index import needs_indexing
from tacit.store.postgres.row_security import is_row_security_enabled, reject_superuser
from tacit.store.postgres.schema import OLDEST_PGVECTOR, OLDEST_SERVER, find_stale_workspaces
from tacit.store.sql.table import load_queries
from tacit.store.sql.upgrade import Migration, needs_migration

_SQL = load_queries("tacit.cli.doctor", "postgres")
_CROWDED_SHARE = 0.8


def without_password(url: str) -> str:
    """A URL without its password."""
    return str(PostgresAddress.of(url))


def is_older(url: str, steps: Sequence[Migration]) -> bool:
    """Whether opening would migrate our schema, or update its terms."""
    with _connect(url) as connection:
        if connection.execute(_SQL["is_ours"]).fetchone() != (True,):
            return False
        row = connection.execute(_SQL["schema_version"]).fetchone()
        version = int(row[0]) if row else 0
        return needs_migration(version, steps) or (
            version == steps[-1].version and bool(find_stale_workspaces(connection))
        )


def check_postgres(url: str, settings: PostgresSettings) -> Iterator[DoctorFinding]:
    """What the server is and allows, before anything of ours is opened there."""
    with _connect(url) as connection:
        if settings.row_security:
            reject_superuser(PostgresAddress.of(url), connection)
        yield from _check_versions(connection)
        yield from _check_connections(connection)
        yield from _check_rights(connection)


def workspaces_without_index(url: str, resident: int, most: int) -> list[str]:
    """The workspaces that should have an index and have none yet, of the first ones by name."""
    with _connect(url) as connection:
        if is_row_security_enabled(connection):
            return []
        rows = connection.execute(_SQL["workspaces"], {"limit": most}).fetchall()
        return [name for number, name in rows if needs_indexing(connection, number, resident)]


@contextmanager
def _connect(url: str) -> Iterator[Connection]:
    address = PostgresAddress.of(url)
    with translate_errors(address), psycopg.connect(address.dialled, autocommit=True) as connection:
        yield connection


def _check_versions(connection: Connection) -> Iterator[DoctorFinding]:
    version = connection.info.server_version
    server = f"PostgreSQL {version // 10_000}.{version % 10_000}"
    if version // 10_000 < OLDEST_SERVER:
        yield error_finding(
            "server version", f"{server} is too old", f"use {OLDEST_SERVER} or newer"
        )
    offered = connection.execute(_SQL["pgvector"]).fetchone()
    if offered is None:
        yield error_finding(
            "pgvector",
            f"{server} has no pgvector",
            "install its package there, such as postgresql-18-pgvector",
        )
        return
    default, installed = offered
    found = installed or default
    if _parse_version(found) < OLDEST_PGVECTOR:
        needed = ".".join(map(str, OLDEST_PGVECTOR))
        yield error_finding(
            "pgvector",
            f"{found} is too old",
            f"install {needed} or newer there and run: ALTER EXTENSION vector UPDATE",
        )
        return
    added = "" if installed else ", which is not added to this database yet"
    yield ok_finding("pgvector", f"{found}{added}")


def _check_connections(connection: Connection) -> Iterator[DoctorFinding]:
    is_replica, most, used = connection.execute(_SQL["server"]).fetchone() or (False, 0, 0)
    if is_replica:
        yield error_finding(
            "rights", "this server is a replica, so nothing can be written", "name the primary"
        )
    found = f"{used:,} of {most:,} are in use"
    if used >= _CROWDED_SHARE * most:
        mend = "raise max_connections there, or lower pool_size in tacit.toml"
        yield warning_finding("connections", found, mend)
    else:
        yield ok_finding("connections", found)


def _check_rights(connection: Connection) -> Iterator[DoctorFinding]:
    missing = [act for (act,) in connection.execute(_SQL["missing_rights"]).fetchall()]
    if missing:
        yield error_finding(
            "rights",
            f"user {connection.info.user} lacks {', '.join(missing)} on tables of the schema tacit",
            "connect as the owner of the schema, or grant them",
        )
    elif connection.execute(_SQL["may_make"]).fetchone() != (True,):
        yield error_finding(
            "rights",
            f"user {connection.info.user} may not make the schema tacit",
            "as the owner of the database run: CREATE SCHEMA tacit AUTHORIZATION"
            f" {connection.info.user}",
        )


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
