"""Databases of an older version: which of them are opened, and what stays in them.

`databases` holds what Tacit made at version 13 of its schema, with something in every table but
those that deletions and large workspaces fill.
"""

from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import StoreTooNew, StoreTooOld
from tacit.settings.server import PostgresSettings
from tacit.store.postgres.store import PostgresStore
from tacit.store.sql.upgrade import Migration, load_migrations
from tacit.store.sqlite.store import SqliteStore
from tests.postgres_server import new_database

MADE_BEFORE = Path(__file__).parent / "databases"
UNPARTITIONED = PostgresSettings(partitions=1)

DERIVED = {"properties", "texts", "claims"}
"""Tables that another version of the analysis makes anew."""
COUNTED = {"revision", "analysis", "has_participants"}
"""Columns that say which version made the others."""


class File:
    """A SQLite file, and what SQL sees of it."""

    prefix = ""
    steps = load_migrations("tacit.store.sqlite")
    later = "CREATE TABLE later (workspace INTEGER PRIMARY KEY);"

    def __init__(self, folder):
        self.place = folder / "memory.db"

    def restore(self):
        self.query((MADE_BEFORE / "sqlite_13.sql").read_text("utf-8"))

    def open(self, steps=None):
        return SqliteStore.open(self.place, steps)

    def set_version(self, version):
        self.query(f"PRAGMA user_version = {version}")

    def version(self):
        return self.query("PRAGMA user_version")[0]["user_version"]

    def query(self, sql):
        with closing(apsw.Connection(str(self.place))) as connection:
            connection.row_trace = lambda cursor, row: dict(
                zip((name for name, _ in cursor.get_description()), row, strict=True)
            )
            return list(connection.execute(sql))

    def tables(self):
        listed = self.query("PRAGMA table_list")
        return [each["name"] for each in listed if not each["name"].startswith("sqlite_")]

    def schema(self):
        flags = {each["name"]: each for each in self.query("PRAGMA table_list")}
        for table in sorted(self.tables()):
            yield flags[table]
            yield self.query(f"PRAGMA table_xinfo({table})")
            yield _sorted(self.query(f"PRAGMA foreign_key_list({table})"))
        yield self.query("SELECT name, sql FROM sqlite_schema WHERE type <> 'table' ORDER BY name")


class Database:
    """A PostgreSQL database, and what SQL sees of it."""

    prefix = "tacit."
    steps = load_migrations("tacit.store.postgres")
    later = "CREATE TABLE tacit.later (workspace bigint PRIMARY KEY) {partitioned};"

    def __init__(self, folder):
        self.place = new_database(f"upgrade_{folder.name}")

    def restore(self):
        self.query("CREATE EXTENSION vector")
        self.query((MADE_BEFORE / "postgres_13.sql").read_text("utf-8"))

    def open(self, steps=None):
        return PostgresStore.open(self.place, UNPARTITIONED, steps)

    def set_version(self, version):
        self.query(f"UPDATE tacit.properties SET value = '{version}' WHERE name = 'schema_version'")

    def version(self):
        query = "SELECT value FROM tacit.properties WHERE name = 'schema_version'"
        return int(self.query(query)[0]["value"])

    def query(self, sql):
        with psycopg.connect(self.place, row_factory=psycopg.rows.dict_row) as connection:
            found = connection.execute(sql)
            return found.fetchall() if found.description else []

    def tables(self):
        listed = self.query("SELECT tablename FROM pg_tables WHERE schemaname = 'tacit'")
        return [f"tacit.{each['tablename']}" for each in listed]

    def schema(self):
        yield self.query("""
            SELECT c.relname, c.relkind::text, a.attname, a.attnotnull, a.attstorage::text,
                format_type(a.atttypid, a.atttypmod), a.attcollation, a.attidentity::text,
                pg_get_expr(d.adbin, d.adrelid), c.relrowsecurity
            FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
            LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relnamespace = 'tacit'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY c.relname, a.attnum
        """)
        yield self.query("SELECT * FROM pg_indexes WHERE schemaname = 'tacit' ORDER BY indexname")
        yield self.query("SELECT * FROM pg_policies WHERE schemaname = 'tacit' ORDER BY tablename")
        yield self.query("""
            SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid)
            FROM pg_constraint WHERE connamespace = 'tacit'::regnamespace ORDER BY 2, 1
        """)


def _sorted(rows):
    return sorted(rows, key=repr)


@pytest.fixture(params=[File, Database])
def backend(request):
    return request.param


@pytest.fixture
def before(backend, tmp_path):
    """A database as version 13 left it."""
    database = backend(tmp_path)
    database.restore()
    assert database.version() == 13
    return database


def _rows(database):
    """What is stored and not derived, by table and column."""
    return {
        table: {name: _sorted(row[name] for row in rows) for name in rows[0].keys() - COUNTED}
        for table in database.tables()
        if table.removeprefix("tacit.") not in DERIVED
        and (rows := database.query(f"SELECT * FROM {table}"))
    }


def test_a_database_of_version_13_keeps_all_that_it_holds(before):
    rows = _rows(before)
    assert len(rows) == 23
    before.open().close()
    after = _rows(before)
    for table, columns in rows.items():
        assert {name: after[table][name] for name in columns} == columns, table
    assert before.version() == before.steps[-1].version


def test_a_database_of_version_13_is_used_as_before(before):
    with Tacit.open(before.place, embedder=FakeEmbedder()) as tacit:
        (hit, *_) = tacit.search("replicas in Frankfurt").hits
        assert hit.memory.content == "Two replicas live in Frankfurt"
        assert tacit.sessions.variables("s1") == {"phase": "review"}
        *_, first = tacit.turns.list(session="s1")
        (shown,) = first.injected
        assert tacit.get(shown.memory).content == "The staging server has 5 replicas"
        (opened,) = before.query(f"SELECT id FROM {before.prefix}open_turns")
        tacit.commit_turn(opened["id"], "In Frankfurt.")
        assert tacit.turns.get(opened["id"]).session == "s2"
        keys = {key.name: key.speaks_by_upgrade for key in tacit._context.store.keys().all()}
        assert keys == {"ci": False, "agents": True}


def test_a_new_database_has_the_schema_of_one_that_was_upgraded(before, backend, tmp_path_factory):
    before.open().close()
    new = backend(tmp_path_factory.mktemp("new"))
    new.open().close()
    assert list(new.schema()) == list(before.schema())


def test_a_later_migration_runs_on_what_is_there(before):
    following = Migration(before.steps[-1].version + 1, before.later)
    before.open([*before.steps, following]).close()
    assert before.version() == following.version
    assert any(table.endswith("later") for table in before.tables())
    with pytest.raises(StoreTooNew, match="upgrade with"):
        before.open()


def test_a_database_from_before_the_first_release_is_refused_and_left_alone(before):
    before.set_version(12)
    rows = _rows(before)
    told = r"schema 12, this one opens 13 .* tacit export, .* tacit import"
    with pytest.raises(StoreTooOld, match=told):
        before.open()
    assert (_rows(before), before.version()) == (rows, 12)
