"""What is particular to SQLite: migrations, damage, other programs' files, derived indexes."""

import os
import shutil
import stat
import threading
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import (
    NotADatabase,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreTooNew,
    StoreUnavailable,
)
from tacit.language.terms import ANALYSIS_VERSION, pack_term_codes
from tacit.statements.parser import STATEMENTS_VERSION
from tacit.store.query import Query
from tacit.store.sql.table import load_queries
from tacit.store.sql.upgrade import Migration, load_migrations
from tacit.store.sqlite import connections, schema
from tacit.store.sqlite.schema import backup_path
from tacit.store.sqlite.store import SqliteStore
from tests.support import START, changed_in

BUNDLED = load_migrations("tacit.store.sqlite")
NEXT = BUNDLED[-1].version + 1


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


def _fill(path, *contents):
    with Tacit.open(path, embedder=FakeEmbedder()) as tacit:
        return [tacit.remember(content).id for content in contents or ("Zebras graze",)]


def _contents(path):
    with Tacit.open(path) as tacit:
        return [memory.content for memory in tacit.list(sort="created")]


def _sql(path, *statements):
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def _analysed_by(path, version):
    _sql(path, f"UPDATE properties SET value = '{version}' WHERE name = 'analysis_version'")


def _terms(path, *ids):
    store = SqliteStore.open(path)
    with store.read("default") as unit:
        found = unit.texts.of(ids)
        assert {each.id for each in changed_in(unit, 0, None)} == set(ids)
    store.close()
    return list(found.values())


def test_a_new_database_is_its_owners_alone(path):
    _fill(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_commits_are_flushed_and_the_log_is_ahead_of_the_writes(path):
    _fill(path)
    connection = connections.connect(path)
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("synchronous") == 2
    assert connection.pragma("foreign_keys") == 1
    connection.close()


def test_migrations_run_in_order_and_keep_a_copy_from_before_each(path):
    _fill(path, "kept")
    steps = [
        *BUNDLED,
        Migration(NEXT, "CREATE TABLE one (x);"),
        Migration(NEXT + 1, "ALTER TABLE one ADD COLUMN y; INSERT INTO one VALUES (1, 2);"),
    ]
    SqliteStore.open(path, steps).close()
    connection = apsw.Connection(str(path))
    assert list(connection.execute("SELECT * FROM one")) == [(1, 2)]
    assert connection.pragma("user_version") == NEXT + 1
    connection.close()
    for version in (NEXT - 1, NEXT):
        assert backup_path(path, version).stat().st_mode == path.stat().st_mode
        copy = apsw.Connection(str(backup_path(path, version)))
        assert copy.pragma("user_version") == version
        assert list(copy.execute("SELECT content FROM memories")) == [("kept",)]
        copy.close()


def test_a_migration_that_fails_changes_nothing(path):
    _fill(path, "kept")
    broken = Migration(NEXT, "CREATE TABLE half (x); CREATE TABLE memories (x);")
    with pytest.raises(StoreError):
        SqliteStore.open(path, [*BUNDLED, broken])
    assert _contents(path) == ["kept"]
    connection = apsw.Connection(str(path))
    assert "half" not in [row[0] for row in connection.execute("SELECT name FROM sqlite_schema")]
    connection.close()


def test_opening_at_the_same_time_migrates_once(path):
    _fill(path, "kept")
    steps = [*BUNDLED, Migration(NEXT, "CREATE TABLE one (x);")]
    failures = []

    def open_it():
        try:
            SqliteStore.open(path, steps).close()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_database_from_a_newer_version_is_refused_and_left_alone(path):
    _fill(path, "kept")
    SqliteStore.open(path, [*BUNDLED, Migration(NEXT, "CREATE TABLE one (x);")]).close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match=r"pip install --upgrade tacit"):
        Tacit.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 100, b"\x89PNG" + bytes(5_000), b"SQLite"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(NotADatabase, match=r"not a database.*--db"):
        Tacit.open(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_alone(path):
    _sql(path, "CREATE TABLE invoices (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(NotADatabase, match="another program"):
        Tacit.open(path)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_database(path):
    path.touch()
    assert _contents(path) == []


def test_a_damaged_database_says_so(path):
    _fill(path, *(f"memory number {n} " * 50 for n in range(200)))
    with path.open("r+b") as file:
        for offset in range(8_192, path.stat().st_size, 4_096):
            file.seek(offset)
            file.write(os.urandom(4_096))
    with pytest.raises(StoreDamaged, match=r"damaged.*backup"):
        _contents(path)


def test_a_cut_off_database_says_so(path):
    _fill(path, *(f"memory number {n} " * 50 for n in range(200)))
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(StoreDamaged, match="damaged"):
        _contents(path)


def test_a_folder_is_no_place_for_a_database(tmp_path):
    with pytest.raises(StoreUnavailable, match=r"is a folder.*memory\.db"):
        Tacit.open(tmp_path)


def test_a_folder_below_a_file_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        Tacit.open(tmp_path / "file" / "memory.db")


def test_missing_folders_are_made(tmp_path):
    _fill(tmp_path / "a" / "b" / "memory.db", "kept")
    assert _contents(tmp_path / "a" / "b" / "memory.db") == ["kept"]


@pytest.mark.parametrize(
    ("file_rights", "folder_rights", "name"),
    [(0o600, 0o555, "new.db"), (0o444, 0o777, "memory.db"), (0o666, 0o555, "memory.db")],
    ids=["folder", "file", "folder of a writable file"],
)
def test_what_is_read_only_says_so(file_rights, folder_rights, name):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        _fill(path, "kept")
        path.chmod(file_rights)
        path.parent.chmod(folder_rights)
        message = _as_nobody(lambda: Tacit.open(path.with_name(name)).remember("lost"))
        path.parent.chmod(0o700)
        assert message.startswith("StoreUnavailable")
        assert "writable for you" in message
        assert "--db" in message
        assert _contents(path) == ["kept"]


def _as_nobody(call):
    """The error of a call by a user without rights, made in a child process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        if os.getuid() == 0:
            os.setgid(65_534)
            os.setuid(65_534)
        try:
            call()
            os.write(write, b"no error")
        except BaseException as error:
            os.write(write, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        return pipe.read()


def test_a_full_disk_loses_nothing_and_says_so(path, monkeypatch):
    def small(place):
        connection = connect(place)
        connection.pragma("max_page_count", connection.pragma("page_count") + 8)
        return connection

    _fill(path, "kept")
    connect = connections.connect
    monkeypatch.setattr(connections, "connect", small)
    with Tacit.open(path) as tacit:
        with pytest.raises(StoreFull, match=r"disk is full.*nothing was changed"):
            tacit.memories.remember_all([f"{n} " * 5_000 for n in range(20)])
        assert [memory.content for memory in tacit.list()] == ["kept"]
        tacit.remember("small enough")
    monkeypatch.undo()
    assert _contents(path) == ["kept", "small enough"]


def test_a_lock_that_never_ends_is_an_error_that_says_so(path, monkeypatch):
    _fill(path, "kept")
    monkeypatch.setattr(connections, "WAIT_SECONDS", 0.05)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    with Tacit.open(path) as tacit:
        assert len(tacit.list()) == 1
        with pytest.raises(StoreBusy, match="locked for too long"):
            tacit.remember("waits")
        other.execute("ROLLBACK")
        tacit.remember("goes")
    other.close()
    assert _contents(path) == ["kept", "goes"]


def test_missing_terms_are_made_anew_at_open(path):
    ids = _fill(path, "The zebras graze", "The zebras run")
    _sql(path, "DELETE FROM texts WHERE row = 1")
    assert _terms(path, *ids) == [
        pack_term_codes(["the", "zebra", "graze"]),
        pack_term_codes(["the", "zebra", "run"]),
    ]


def test_terms_of_an_older_analysis_are_made_anew_at_open_and_searchers_told(path, monkeypatch):
    (id,) = _fill(path)
    store = SqliteStore.open(path)
    with store.read("default") as unit:
        before = unit.revision()
    store.close()
    _analysed_by(path, "1.1")
    monkeypatch.setattr(schema, "extract_index_terms", lambda text: text.lower().split())
    assert _terms(path, id) == [pack_term_codes(["zebras", "graze"])]
    store = SqliteStore.open(path)
    with store.read("default") as unit:
        assert [each.id for each in changed_in(unit, before, None)] == [id]
    store.close()


@pytest.mark.parametrize(
    "made_by",
    [f"{ANALYSIS_VERSION + 1}.{STATEMENTS_VERSION}", f"1.{STATEMENTS_VERSION + 1}"],
)
def test_a_database_that_a_newer_version_analysed_is_refused_and_left_alone(path, made_by):
    _fill(path, "Zebras graze")
    _analysed_by(path, made_by)
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match=r"analysed by a newer .* pip install --upgrade tacit"):
        Tacit.open(path)
    assert path.read_bytes() == before


def test_erased_words_are_in_no_file_of_the_database(path):
    with Tacit.open(path, embedder=FakeEmbedder()) as tacit:
        tacit.memories.remember_all([f"ordinary memory {n}" for n in range(300)])
        id = tacit.remember("the quetzalcoatlus flies at midnight", key="k.quetzalcoatlus").id
        tacit.memories.remember_all([f"later memory {n}" for n in range(300)])
        tacit.edit(id, content="the quetzalcoatlus sleeps", by="user")
        receipt = tacit.erase(id)
        files = [file for file in path.parent.iterdir() if file.name.startswith("memory.db")]
        for file in files:
            assert b"quetzalcoatl" not in file.read_bytes(), file
    assert "exports and copies made by others" in receipt.not_reached
    assert not any(str(path) in place for place in receipt.not_reached)


def test_an_erasure_names_the_backups_it_cannot_reach(path):
    (id,) = _fill(path)
    shutil.copy(path, backup_path(path, 1))
    with Tacit.open(path) as tacit:
        assert str(backup_path(path, 1)) in tacit.erase(id).not_reached


def test_a_forked_child_opens_connections_of_its_own(path):
    with Tacit.open(path) as tacit:
        tacit.remember("from the parent")
        child = os.fork()
        if child == 0:
            try:
                tacit.remember("from the child")
                os._exit(0)
            except BaseException:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        tacit.remember("from the parent again")
        found = {memory.content for memory in tacit.list()}
    assert found == {"from the parent", "from the child", "from the parent again"}


def test_many_threads_share_one_store(path):
    with Tacit.open(path) as tacit:
        failures = []

        def work(number):
            try:
                for n in range(20):
                    tacit.remember(f"{number}/{n}")
                    tacit.list(limit=5)
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert len(tacit.list(limit=1_000)) == 160


def test_the_store_says_what_and_where_it_is(path):
    store = SqliteStore.open(path)
    described = store.describe()
    store.close()
    assert described["backend"] == "sqlite"
    assert described["path"] == str(path)
    assert described["bytes"] > 0


@pytest.mark.parametrize(
    "fields",
    [
        {"key": "k"},
        {"scope": "project", "scope_id": "shop"},
        {"key": "k", "scope": "project", "scope_id": "shop"},
    ],
)
def test_a_key_and_an_owner_are_looked_up_not_searched_for(path, fields):
    _fill(path)
    store = SqliteStore.open(path)
    with store.read("default") as unit:
        execute = unit.memories._execute
        unit.memories._execute = lambda sql, values: execute(f"EXPLAIN QUERY PLAN {sql}", values)
        unit.memories._memory = lambda row: row[3]
        plan = " ".join(unit.memories.find(Query(now=START, **fields)))
    store.close()
    assert all(f"{name}=?" in plan for name in fields)


@pytest.mark.parametrize(("table", "name"), [("blocks", "made"), ("receipts", "showing")])
def test_blocks_are_looked_up_by_an_index_and_not_by_reading_all(path, table, name):
    SqliteStore.open(path).close()
    query = load_queries("tacit.store.sqlite", table)[name]
    with closing(apsw.Connection(str(path))) as connection:
        values = {"workspace": 1, "ids": '["a"]'}
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}", values)]
    assert any("_by_" in step and "SEARCH" in step for step in plan), plan
