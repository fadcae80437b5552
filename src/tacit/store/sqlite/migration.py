"""Bringing a database to the current schema, one step after the other, each with a backup."""

import os
from collections.abc import Sequence
from pathlib import Path

import apsw

from tacit.core.errors import NotADatabase, StoreTooNew
from tacit.store.sql.migrations import Migration
from tacit.store.sqlite.connections import connect, transaction

APPLICATION_ID = 0x54434954  # "TCIT", in the file's header


def migrate(path: Path, migrations: Sequence[Migration]) -> None:
    """Apply what is missing; several processes may do this at once."""
    connection = connect(path)
    try:
        _refuse_foreign(path, connection)
        connection.pragma("journal_mode", "wal")
        if _version(connection) == 0:
            _make(connection, migrations)
        for migration in migrations:
            if _version(connection) < migration.version:
                _apply(path, connection, migration)
        _refuse_newer(path, connection, migrations[-1].version)
    finally:
        connection.close()


def _make(connection: apsw.Connection, migrations: Sequence[Migration]) -> None:
    """Take every step at once in a new database: there is nothing to copy."""
    with transaction(connection, "BEGIN IMMEDIATE"):
        if _version(connection) == 0:
            for migration in migrations:
                _step(connection, migration)


def _apply(path: Path, connection: apsw.Connection, migration: Migration) -> None:
    """Take the write lock, look again, copy what is there, change it, and commit."""
    with transaction(connection, "BEGIN IMMEDIATE"):
        version = _version(connection)
        if version < migration.version:
            _back_up(path, version)
            _step(connection, migration)


def _step(connection: apsw.Connection, migration: Migration) -> None:
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
    """Where the copy made before leaving a version lies."""
    return path.with_name(f"{path.name}.v{version}.bak")


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def _refuse_foreign(path: Path, connection: apsw.Connection) -> None:
    tables = next(connection.execute("SELECT count(*) FROM sqlite_schema"))[0]
    if tables and connection.pragma("application_id") != APPLICATION_ID:
        raise NotADatabase(
            f"{path}: this SQLite database belongs to another program; name another with --db"
        )


def _refuse_newer(path: Path, connection: apsw.Connection, known: int) -> None:
    version = _version(connection)
    if version > known:
        raise StoreTooNew(
            f"{path}: written by a newer Tacit (schema {version}, this one knows {known});"
            " upgrade with: pip install --upgrade tacit"
        )
