"""The step to a schema that a server can use, from a store that was made before it."""

from urllib.parse import urlsplit

import apsw
import psycopg
import pytest

from tacit.core.events import EventKind
from tacit.core.keys import issue_key
from tacit.settings.server import PostgresSettings
from tacit.store.postgres.store import PostgresStore
from tacit.store.sql.upgrade import load_migrations
from tacit.store.sqlite.schema import backup_path
from tacit.store.sqlite.store import SqliteStore
from tests.postgres_server import new_database, shared_url
from tests.support import START, make_memory

WALLED = PostgresSettings(partitions=2, row_security=True)
UNWALLED = PostgresSettings(partitions=2)


@pytest.fixture
def plain_role():
    """The URL of a role that owns a database and is no superuser."""
    parts = urlsplit(new_database("server_tables"))
    with psycopg.connect(parts.geturl(), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("DROP ROLE IF EXISTS plainer")
        connection.execute("CREATE ROLE plainer LOGIN PASSWORD 'plainer'")
        connection.execute("ALTER DATABASE server_tables OWNER TO plainer")
    yield parts._replace(netloc=f"plainer:plainer@{parts.hostname}:{parts.port}").geturl()
    with psycopg.connect(shared_url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE server_tables WITH (FORCE)")
        connection.execute("DROP ROLE plainer")


def _use(store):
    """Write to every new table, after what was there before."""
    with store.write("default") as unit:
        number = unit.events.append(EventKind.COMPACTION, START, {})
        assert unit.answers.claim("k", b"f", START, START) is None
    store.keys().add(issue_key("ci", "read", workspace=None, agent=None, at=START)[0])
    return number


def test_a_file_that_was_made_before_is_brought_up_to_date(tmp_path):
    path = tmp_path / "memory.db"
    memory = make_memory()
    old = SqliteStore.open(path, load_migrations("tacit.store.sqlite")[:1])
    with old.write("default") as unit:
        unit.memories.insert(memory)
    old.close()
    new = SqliteStore.open(path)
    assert _use(new) == 1
    with new.read("default") as unit:
        assert unit.memories.get([memory.id]) == {memory.id: memory}
    new.close()
    copy = apsw.Connection(str(backup_path(path, 1)))
    assert copy.pragma("user_version") == 1
    copy.close()


def _columns_before(id, agent, revoked_at=None):
    return (id, id, "shop", "write", agent, b"digest", 0, revoked_at)


_KEPT = [
    _columns_before("agents", "coder"),
    _columns_before("plain", None),
    _columns_before("revoked", "coder", 1),
]


def _spoken(store):
    """Who speaks for users, and who does so because nobody was asked; none is bound to a user."""
    keys = store.keys().all()
    assert all(key.user is None for key in keys)
    return {key.id: (key.speaks_for_users, key.speaks_by_upgrade) for key in keys}


_AS_BEFORE = {"agents": (True, True), "plain": (True, False), "revoked": (True, True)}


def test_keys_of_a_file_made_before_keep_speaking_for_users(tmp_path):
    path = tmp_path / "memory.db"
    SqliteStore.open(path, load_migrations("tacit.store.sqlite")[:6]).close()
    old = apsw.Connection(str(path))
    old.executemany("INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _KEPT)
    old.close()
    new = SqliteStore.open(path)
    assert _spoken(new) == _AS_BEFORE
    new.close()


def test_keys_of_a_database_made_before_keep_speaking_for_users(plain_role):
    PostgresStore.open(plain_role, WALLED, load_migrations("tacit.store.postgres")[:6]).close()
    with psycopg.connect(plain_role) as connection:
        connection.cursor().executemany(
            "INSERT INTO tacit.keys VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", _KEPT
        )
    new = PostgresStore.open(plain_role, WALLED)
    assert _spoken(new) == _AS_BEFORE
    new.close()


def test_a_new_file_takes_every_step_without_copies(tmp_path):
    SqliteStore.open(tmp_path / "memory.db").close()
    assert [path.name for path in tmp_path.iterdir()] == ["memory.db"]


def test_a_database_that_has_walls_gets_them_around_new_tables_whoever_opens_it(plain_role):
    steps = load_migrations("tacit.store.postgres")
    PostgresStore.open(plain_role, WALLED, steps[:1]).close()
    store = PostgresStore.open(plain_role, UNWALLED)
    assert _use(store) == 1
    assert len(store.keys().all()) == 1
    store.close()
    with psycopg.connect(plain_role) as connection:
        for table in ("events", "answers"):
            assert connection.execute(f"SELECT count(*) FROM tacit.{table}").fetchone() == (0,)
            children = (
                f"SELECT count(*) FROM pg_inherits WHERE inhparent = 'tacit.{table}'::regclass"
            )
            assert connection.execute(children).fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM tacit.keys").fetchone() == (1,)


def test_a_database_without_walls_gets_none(plain_role):
    PostgresStore.open(plain_role, UNWALLED, load_migrations("tacit.store.postgres")[:1]).close()
    store = PostgresStore.open(plain_role, UNWALLED)
    _use(store)
    store.close()
    with psycopg.connect(plain_role) as connection:
        assert connection.execute("SELECT count(*) FROM tacit.events").fetchone() == (1,)
