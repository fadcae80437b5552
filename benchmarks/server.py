"""The PostgreSQL that is measured: the one that is named, or one of our own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

URL_VARIABLE = "TACIT_TEST_POSTGRES_URL"
_IN_EARNEST = (
    "fsync=on",
    "full_page_writes=on",
    "shared_buffers=1GB",
    "work_mem=64MB",
    "maintenance_work_mem=4GB",
    "max_parallel_maintenance_workers=2",
    "max_wal_size=4GB",
)


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server that lasts as long as the block, and flushes what it acknowledges."""
    named = os.environ.get(URL_VARIABLE)
    if named:
        yield named
        return
    from tests.postgres_server import running

    with running(*_IN_EARNEST) as own:
        yield own.url


@contextmanager
def database(url: str, name: str) -> Iterator[str]:
    """The URL of an empty database that lasts as long as the block."""
    try:
        yield new_database(url, name)
    finally:
        _drop(url, name)


def new_database(url: str, name: str) -> str:
    """The URL of an empty database; one of this name is dropped."""
    _drop(url, name)
    _execute(url, "CREATE DATABASE {}", name)
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _drop(url: str, name: str) -> None:
    _execute(url, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _execute(url: str, statement: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
