"""The step to a schema that can learn and run workflows, from a store that was made before it."""

from urllib.parse import urlsplit

import apsw
import psycopg
import pytest

from tacit.core.events import EventKind
from tacit.core.open_turn import CapturedTurn
from tacit.core.sessions import SessionVariable
from tacit.settings.server import PostgresSettings
from tacit.store.postgres.store import PostgresStore
from tacit.store.sql.upgrade import load_migrations
from tacit.store.sqlite.schema import backup_path
from tacit.store.sqlite.store import SqliteStore
from tests.postgres_server import new_database, shared_url
from tests.support import START, make_memory, next_id

BEFORE = 2
WALLED = PostgresSettings(partitions=2, row_security=True)
UNWALLED = PostgresSettings(partitions=2)


@pytest.fixture
def plain_role():
    """The URL of a role that owns a database and is no superuser."""
    parts = urlsplit(new_database("learning_tables"))
    with psycopg.connect(parts.geturl(), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("DROP ROLE IF EXISTS learner")
        connection.execute("CREATE ROLE learner LOGIN PASSWORD 'learner'")
        connection.execute("ALTER DATABASE learning_tables OWNER TO learner")
    yield parts._replace(netloc=f"learner:learner@{parts.hostname}:{parts.port}").geturl()
    with psycopg.connect(shared_url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE learning_tables WITH (FORCE)")
        connection.execute("DROP ROLE learner")


def _fill(store):
    """Write what could be written before; returns the memory."""
    memory = make_memory()
    with store.write("default") as unit:
        unit.memories.insert(memory)
        unit.events.append(EventKind.COMPACTION, START, {})
    store.close()
    return memory


def _use(store, memory):
    """Write to every new table, beside what was there before."""
    heard = CapturedTurn(id=next_id(), session="s", at=START, said=("We ship on Tuesdays",))
    with store.write("default") as unit:
        unit.heard.add(heard)
        unit.progress.put("upkeep", {"after": memory.id})
        unit.variables.put(SessionVariable(session="s", name="phase", value="review", at=START))
    with store.read("default") as unit:
        assert [each.turn for each in unit.heard.scan(None, 9)] == [heard]
        assert unit.progress.get("upkeep") == {"after": memory.id}
        assert [each.value for each in unit.variables.of("s")] == ["review"]
        assert unit.memories.get([memory.id]) == {memory.id: memory}
        assert unit.events.last() == 1
    store.close()


def test_a_file_that_was_made_before_is_brought_up_to_date(tmp_path):
    path = tmp_path / "memory.db"
    memory = _fill(SqliteStore.open(path, load_migrations("tacit.store.sqlite")[:BEFORE]))
    _use(SqliteStore.open(path), memory)
    copy = apsw.Connection(str(backup_path(path, BEFORE)))
    assert copy.pragma("user_version") == BEFORE
    copy.close()


@pytest.mark.parametrize(("settings", "seen"), [(WALLED, 0), (UNWALLED, 1)])
def test_new_tables_of_a_database_are_cut_and_walled_as_the_others(plain_role, settings, seen):
    steps = load_migrations("tacit.store.postgres")[:BEFORE]
    memory = _fill(PostgresStore.open(plain_role, settings, steps))
    _use(PostgresStore.open(plain_role, UNWALLED), memory)
    with psycopg.connect(plain_role) as connection:
        for table in ("heard", "progress", "variables"):
            assert connection.execute(f"SELECT count(*) FROM tacit.{table}").fetchone() == (seen,)
            children = (
                f"SELECT count(*) FROM pg_inherits WHERE inhparent = 'tacit.{table}'::regclass"
            )
            assert connection.execute(children).fetchone() == (2,)
