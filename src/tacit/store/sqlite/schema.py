"""The schema of a SQLite file: migrated step by step with backups; terms made anew."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import apsw

from tacit.core.errors import NotADatabase
from tacit.core.fields import Origin, to_search_text
from tacit.language.terms import extract_index_terms, pack_term_codes, signed_term_code
from tacit.statements.parser import find_claims
from tacit.store.sql.table import load_queries
from tacit.store.sql.upgrade import (
    ANALYSIS_VERSIONS,
    Migration,
    is_newer_analysis,
    reject_newer_analysis,
    reject_other_schema,
)
from tacit.store.sqlite.connections import connect, transaction

_PAGE = 1_000
_TERM_QUERIES = load_queries(__package__, "texts")
_CLAIM_QUERIES = load_queries(__package__, "claims")


def has_outdated_terms(connection: apsw.Connection) -> bool:
    """Whether a memory has no terms, or terms of an older version's analysis."""
    made_by = _analysis_version(connection)
    if made_by != ANALYSIS_VERSIONS:
        return not is_newer_analysis(made_by)
    return bool(next(connection.execute(_TERM_QUERIES["strays"])) != (0,))


def reject_newer_database(path: Path, connection: apsw.Connection) -> None:
    """Refuse a database whose terms a newer version made."""
    reject_newer_analysis(path, _analysis_version(connection), "tacit")


def rebuild_terms(connection: apsw.Connection) -> None:
    """Derive all terms and claims again, inside the caller's transaction."""
    connection.execute(_TERM_QUERIES["clear"])
    connection.execute(_CLAIM_QUERIES["clear"])
    last = 0
    while page := list(
        connection.execute(_TERM_QUERIES["contents"], {"after": last, "limit": _PAGE})
    ):
        for row, workspace, content, origin, key in page:
            said = to_search_text(content, Origin.from_dict(json.loads(origin)), key)
            bindings = {
                "row": row,
                "workspace": workspace,
                "terms": pack_term_codes(extract_index_terms(said)),
            }
            connection.execute(_TERM_QUERIES["put_row"], bindings)
            _put_claims(connection, row, workspace, content)
        last = page[-1][0]
    connection.execute(_TERM_QUERIES["touch_everything"])
    connection.execute(_TERM_QUERIES["mark_everything"])
    connection.execute(_TERM_QUERIES["made_by"], {"version": ANALYSIS_VERSIONS})


def _analysis_version(connection: apsw.Connection) -> str:
    row = next(connection.execute(_TERM_QUERIES["version"]), None)
    return "" if row is None else str(row[0])


def _put_claims(connection: apsw.Connection, row: int, workspace: int, content: str) -> None:
    for claim in find_claims(content):
        bindings = {"row": row, "workspace": workspace, "claim": signed_term_code(claim)}
        connection.execute(_CLAIM_QUERIES["put_row"], bindings)


APPLICATION_ID = 0x54434954  # "TCIT", in the file's header


def migrate(path: Path, migrations: Sequence[Migration]) -> None:
    """Apply what is missing; several processes may do this at once."""
    connection = connect(path)
    try:
        _reject_foreign(path, connection)
        connection.pragma("journal_mode", "wal")
        if _version(connection) == 0:
            create_schema(connection, migrations)
        reject_other_schema(path, _version(connection), migrations, "tacit")
        for migration in migrations:
            if _version(connection) < migration.version:
                _apply(path, connection, migration)
    finally:
        connection.close()


def create_schema(connection: apsw.Connection, migrations: Sequence[Migration]) -> None:
    """Run all migrations at once in a new database: there is nothing to back up."""
    with transaction(connection, "BEGIN IMMEDIATE"):
        if _version(connection) == 0:
            for migration in migrations:
                _run_migration(connection, migration)


def _apply(path: Path, connection: apsw.Connection, migration: Migration) -> None:
    """Take the write lock, look again, copy what is there, change it, and commit."""
    with transaction(connection, "BEGIN IMMEDIATE"):
        version = _version(connection)
        if version < migration.version:
            _back_up(path, version)
            _run_migration(connection, migration)


def _run_migration(connection: apsw.Connection, migration: Migration) -> None:
    connection.execute(migration.sql)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", migration.version)


def _back_up(path: Path, version: int) -> None:
    """Copy the last committed state beside the database, whole or not at all."""
    target = backup_path(path, version)
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, path.stat().st_mode & 0o777))
    source, copy = connect(path), apsw.Connection(str(unfinished))
    try:
        with copy.backup("main", source, "main") as backup:
            backup.step()
    finally:
        copy.close()
        source.close()
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    unfinished.replace(target)


def backup_path(path: Path, version: int) -> Path:
    """The path of the backup that is made before a migration."""
    return path.with_name(f"{path.name}.v{version}.bak")


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def _reject_foreign(path: Path, connection: apsw.Connection) -> None:
    tables = next(connection.execute("SELECT count(*) FROM sqlite_schema"))[0]
    if tables and connection.pragma("application_id") != APPLICATION_ID:
        raise NotADatabase(
            f"{path}: this SQLite database belongs to another program; name another with --db"
        )
