"""A real PostgreSQL for the tests: the one that is named, or one that a wheel brings."""

import atexit
import contextlib
import functools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pg0
import psycopg
from psycopg import sql

URL_VARIABLE = "TACIT_TEST_POSTGRES_URL"
_UNPRIVILEGED = "nobody"
_OPTIONS = ("fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=128MB")


@dataclass
class Server:
    """A PostgreSQL of our own in a folder of its own, which can be stopped and started."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgresql://postgres:postgres@127.0.0.1:{self.port}/postgres"

    def start(self, *options: str) -> None:
        chosen = [part for option in (*_OPTIONS, *options) for part in ("-c", option)]
        self._run("start", "--port", str(self.port), *chosen)

    def stop(self) -> None:
        self._run("stop")

    def _run(self, command: str, *arguments: str) -> None:
        """PostgreSQL refuses to run as root: then somebody without rights runs it."""
        user = pwd.getpwnam(_UNPRIVILEGED) if os.geteuid() == 0 else None
        ran = subprocess.run(
            [str(self.folder / "pg0"), command, "--name", "tacit", *arguments],
            cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder)},
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
            extra_groups=[] if user else None,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if ran.returncode:
            raise RuntimeError(f"pg0 {command}: {ran.stdout.decode(errors='replace')}")


@contextlib.contextmanager
def running(*options: str) -> Iterator[Server]:
    """A server that lasts as long as the block; options that are given outdo our own."""
    folder = Path(tempfile.mkdtemp(prefix="tacit-postgres-", dir="/tmp"))
    server = Server(folder, _free_port())
    try:
        shutil.copy(Path(pg0.__file__).parent / "bin" / "pg0", folder / "pg0")
        for path in (folder, folder / "pg0"):
            path.chmod(0o755)
            if os.geteuid() == 0:
                shutil.chown(path, _UNPRIVILEGED)
        server.start(*options)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def shared_url() -> str:
    """The URL of the server that all tests of this process share; it ends with the process."""
    named = os.environ.get(URL_VARIABLE)
    if named:
        return named
    stack = contextlib.ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(running()).url


def new_database(name: str, template: str = "template1") -> str:
    """The URL of a database that has nothing in it yet but what the template has."""
    with psycopg.connect(shared_url(), autocommit=True) as connection:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        connection.execute(drop)
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
    return _with_database(name)


def empty_database() -> str:
    """The URL of a database of this process, without a row; its schema may be there."""
    connection = _cleaner()
    found = connection.execute(_TABLES).fetchall()
    indexes = connection.execute(_INDEXES).fetchall()
    steps = [f"DELETE FROM tacit.{table}" for (table,) in found]
    steps += [f"DROP INDEX tacit.{index}" for (index,) in indexes]
    connection.execute("; ".join(steps) or ";")
    return _own_database()


@functools.cache
def _cleaner() -> psycopg.Connection:
    """The connection that empties the database of this process; a new one each time is slow."""
    connection = psycopg.connect(_own_database(), autocommit=True)
    atexit.register(connection.close)
    return connection


@functools.cache
def _own_database() -> str:
    return new_database(f"tacit_test_{os.getpid()}")


def _with_database(name: str) -> str:
    parts = urlsplit(shared_url())
    return urlunsplit(parts._replace(path=f"/{name}"))


_TABLES = """
SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'tacit' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'properties'
"""

_INDEXES = """
SELECT indexname FROM pg_indexes
WHERE schemaname = 'tacit' AND indexname SIMILAR TO '(words|meaning)_[0-9a-f]{16}%'
"""


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
