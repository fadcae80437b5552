"""What is PostgreSQL's own: the way to a server, its schema, its walls, its indexes."""

import functools
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from urllib.parse import urlsplit

import psycopg
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import (
    InvalidInput,
    NotADatabase,
    StoreBusy,
    StoreTooNew,
    StoreUnavailable,
    TacitError,
)
from tacit.core.receipt import NOTE_TOUCHED
from tacit.language.terms import ANALYSIS_VERSION, extract_terms, signed_term_code
from tacit.search import database_excerpt, searcher
from tacit.settings.config import Config
from tacit.settings.server import PostgresSettings
from tacit.statements.parser import STATEMENTS_VERSION
from tacit.store.backends import open_store
from tacit.store.postgres import schema
from tacit.store.postgres.index import build_indexes
from tacit.store.postgres.store import PostgresStore
from tacit.store.sql.upgrade import Migration, load_migrations
from tests.postgres_server import empty_database, new_database, running, shared_url
from tests.support import make_memory

SMALL = PostgresSettings(partitions=2)


@pytest.fixture
def url():
    return empty_database()


@pytest.fixture
def store(url):
    store = PostgresStore.open(url, SMALL)
    yield store
    store.close()


@pytest.fixture
def fresh(request):
    """A database that never had a schema of ours."""
    return new_database(f"fresh_{abs(hash(request.node.name)) % 10**9}")


@pytest.fixture
def plain_role(fresh):
    """The URL of a role that owns a database and is no superuser."""
    database = urlsplit(fresh).path.removeprefix("/")
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("DROP ROLE IF EXISTS plain")
        connection.execute("CREATE ROLE plain LOGIN PASSWORD 'plain'")
        connection.execute(f"ALTER DATABASE {database} OWNER TO plain")
    yield _as(fresh, "plain", "plain")
    with psycopg.connect(shared_url(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {database} WITH (FORCE)")
        connection.execute("DROP ROLE plain")


def _as(url, user, password):
    parts = urlsplit(url)
    return parts._replace(netloc=f"{user}:{password}@{parts.hostname}:{parts.port}").geturl()


def _port(url, port):
    parts = urlsplit(url)
    return parts._replace(netloc=f"postgres:secret@{parts.hostname}:{port}").geturl()


def _one(url, query, *values):
    with psycopg.connect(url) as connection:
        return connection.execute(query, values).fetchone()


# The way to a server


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda url: _port(url, 1), "no server answers"),
        (lambda url: _as(url, "postgres", "secret"), "does not accept this user and password"),
        (lambda url: urlsplit(url)._replace(path="/nowhere").geturl(), "no such database"),
        (lambda _: "postgresql://u:secret@no-such-host.invalid/x", "no server answers"),
    ],
)
def test_a_server_that_cannot_be_reached_says_why_and_shows_no_password(url, change, words):
    with pytest.raises(StoreUnavailable, match=words) as raised:
        open_store(change(url))
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "named",
    [
        "postgresql:///?nonsense=secret",
        "postgresql:u:secret@h/db",
        "postgres:/u:secret@h/db",
        "postgres//u:secret@h/db",
        "'postgresql://u:secret@h/db'",
        "postgresql+psycopg://u:secret@h/db",
        "mysql://u:secret@h/db",
        "host=h user=u password=secret dbname=db",
        "postgresql://u:sec/secret@h/db",
        "postgresql://u:sec@secret@h/db",
        "postgresql://u:sec%zzsecret@h/db",
        "postgresql://u:sec secret@h/db",
        "  ",
    ],
)
def test_what_is_no_url_is_no_file_either_and_its_password_is_not_shown(named, run, tmp_path):
    for command in (("list",), ("remember", "x"), ("migrate", named, "copy.db")):
        ran = run(*command, db=named)
        assert ran.code == 2
        assert "secret" not in ran.err
        assert re.search("write postgresql://user|postgresql:// URL|leave it out", ran.err)
    assert sorted(path.name for path in tmp_path.iterdir()) == []


def test_a_url_may_have_blanks_around_it_and_capitals_in_its_scheme(url):
    open_store(" " + url.replace("postgresql://", "PostgreSQL://") + "\n").close()


def test_reading_makes_no_schema(fresh, run):
    for command in (("list",), ("stats",), ("migrate", fresh, "copy.db")):
        ran = run(*command, db=fresh)
        assert ran.code == 2
        assert "there are no memories" in ran.err
    assert _one(fresh, "SELECT to_regnamespace('tacit')::text") == (None,)


def test_commands_take_a_url_as_their_database(url, run):
    assert run("remember", "We deploy with a script called ship", db=url).code == 0
    assert "ship" in run("list", db=url).out
    told = run("stats", db=url)
    assert "PostgreSQL" in told.out
    assert "postgres:postgres" not in told.out
    failed = run("list", db=_port(url, 1))
    assert failed.code == 2
    assert "no server answers" in failed.err
    assert failed.err.count("\n") == 1


@pytest.mark.slow
def test_a_server_without_pgvector_says_what_to_install():
    with running() as server:
        for control in server.folder.glob(".pg0/installation/*/share/**/vector.control"):
            control.unlink()
        with pytest.raises(StoreUnavailable, match="has no pgvector; install"):
            PostgresStore.open(server.url)


def test_a_role_without_rights_is_told_what_to_grant(fresh):
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    try:
        with pytest.raises(StoreUnavailable, match="CREATE SCHEMA tacit AUTHORIZATION"):
            PostgresStore.open(_as(fresh, "guest", "guest"))
        PostgresStore.open(fresh, SMALL).close()
        with pytest.raises(StoreUnavailable, match="lacks a right"):
            PostgresStore.open(_as(fresh, "guest", "guest"))
    finally:
        with psycopg.connect(fresh, autocommit=True) as connection:
            connection.execute("DROP ROLE guest")


def test_an_old_server_is_refused(fresh, monkeypatch):
    monkeypatch.setattr(schema, "OLDEST_SERVER", 99)
    with pytest.raises(StoreUnavailable, match="is too old; Tacit needs 99 or newer"):
        PostgresStore.open(fresh)


@pytest.mark.slow
def test_a_pool_that_is_used_up_says_so_in_time(url):
    store = PostgresStore.open(url, PostgresSettings(pool_size=1, pool_timeout_ms=2_000))
    with (
        store.read("a"),
        pytest.raises(StoreBusy, match="raise pool_size"),
        store.read("a"),
    ):
        pass
    store.close()


def test_a_pool_that_is_only_busy_is_never_replaced(url):
    store = PostgresStore.open(url, PostgresSettings(pool_size=2, pool_timeout_ms=50))
    with ExitStack() as held:
        for _ in range(2):
            _enter(held, store)
        for _ in range(4):
            with pytest.raises(StoreBusy, match="raise pool_size"), store.read("a"):
                pass
        assert _one(url, f"SELECT count(*) {_OURS}") == (2,)
    with store.read("a"), store.read("a"):
        assert _one(url, f"SELECT count(*) {_OURS}") == (2,)
    store.close()


def _enter(held, store):
    """Hold a connection, however long the server takes to open it."""
    while True:
        with suppress(StoreBusy):
            return held.enter_context(store.read("a"))


def test_one_lost_connection_costs_those_who_use_the_others_nothing(url):
    store = PostgresStore.open(url, PostgresSettings(pool_size=2))
    with store.write("a"), store.write("b"):
        pass
    with store.write("a") as unit:
        unit.memories.insert(make_memory())
        _one(url, f"SELECT pg_terminate_backend(pid) {_OURS} AND state = 'idle'")
        with store.read("a"):
            used = _one(url, f"SELECT array_agg(pid) {_OURS}")[0]
    with store.read("a") as unit, store.read("b"):
        assert unit.memories.ending("", 9)
        assert set(used) == set(_one(url, f"SELECT array_agg(pid) {_OURS}")[0])
    store.close()


@pytest.mark.slow
def test_a_writer_does_not_wait_for_ever_for_another(url):
    store = PostgresStore.open(url, PostgresSettings(partitions=2, pool_timeout_ms=2_000))
    with (
        store.write("a"),
        pytest.raises(StoreBusy, match="nothing was changed, try again"),
        store.write("a"),
    ):
        pass
    with store.write("a"), store.write("b"):
        pass
    store.close()


def test_a_lost_connection_is_replaced_without_a_word(store, url):
    with store.write("default") as unit:
        unit.memories.insert(make_memory())
    _cut(url)
    with store.read("default") as unit:
        assert unit.memories.ending("", 9)
    _cut(url)
    with store.write("default") as unit:
        unit.memories.insert(make_memory("another"))


_OURS = "FROM pg_stat_activity WHERE application_name = 'tacit' AND datname = current_database()"


def _cut(url):
    _one(url, f"SELECT count(pg_terminate_backend(pid)) {_OURS}")


def test_a_connection_lost_in_the_middle_changes_nothing_and_says_so(store, url):
    with pytest.raises(StoreUnavailable), store.write("default") as unit:
        unit.memories.insert(make_memory())
        _cut(url)
    with store.read("default") as unit:
        assert unit.memories.ending("", 9) == []


@pytest.mark.slow
def test_while_the_server_is_away_turns_go_on_without_memory_and_afterwards_with_it():
    with running() as server, Tacit.open(server.url, embedder="none") as tacit:
        tacit.remember("We deploy with a script called ship")
        asked = "How do we deploy with the script?"
        server.stop()
        turn = tacit.turn(session="s", text=asked)
        assert turn.block is None
        assert turn.receipt.degraded
        with pytest.raises(StoreUnavailable):
            tacit.remember("lost")
        assert "no server answers" in turn.receipt.degraded[-1]
        server.start()
        turn = tacit.turn(session="s", text=asked)
        assert "ship" in turn.block


# Writing


def test_many_memories_are_written_with_few_statements(store, monkeypatch):
    tacit = Tacit(store, "default", embedder=FakeEmbedder(), config=Config())
    tacit.remember("the first one makes the workspace")
    sent = _count_statements(monkeypatch)
    tacit.memories.remember_all(f"note {number} is about rain" for number in range(40))
    assert len(sent) < 20


def _count_statements(monkeypatch):
    """A list that every statement that this thread sends from now on is added to."""
    execute, sent, own = psycopg.Connection.execute, [], threading.get_ident()

    def counted(connection, query, *arguments, **options):
        if threading.get_ident() == own:
            sent.append(query)
        return execute(connection, query, *arguments, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", counted)
    return sent


def test_a_text_that_the_server_cannot_keep_is_named_when_the_unit_ends(store):
    with pytest.raises(InvalidInput, match="NUL"), store.write("default") as unit:
        unit.memories.insert(replace(make_memory(), content="a\0b"))
    with store.read("default") as unit:
        assert unit.memories.ending("", 9) == []


# The schema


def test_tables_have_as_many_partitions_as_was_chosen_when_they_were_made(fresh):
    PostgresStore.open(fresh, PostgresSettings(partitions=3)).close()
    PostgresStore.open(fresh, PostgresSettings(partitions=5)).close()
    children = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'tacit.memories'::regclass"
    assert _one(fresh, children) == (3,)


def test_one_partition_is_a_plain_table(fresh):
    store = PostgresStore.open(fresh, PostgresSettings(partitions=1))
    with store.write("default") as unit:
        unit.memories.insert(make_memory())
    store.close()
    kind = "SELECT relkind::text FROM pg_class WHERE oid = 'tacit.memories'::regclass"
    assert _one(fresh, kind) == ("r",)


def test_every_key_of_a_workspaces_table_begins_with_the_workspace(url, store):
    query = """
        SELECT c.relname, i.relname FROM pg_index AS x
        JOIN pg_class AS i ON i.oid = x.indexrelid
        JOIN pg_class AS c ON c.oid = x.indrelid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
        WHERE n.nspname = 'tacit' AND c.relname NOT IN ('properties', 'models', 'keys')
            AND a.attname NOT IN ('workspace', 'earlier_place', 'later_place')
    """
    with psycopg.connect(url) as connection:
        assert connection.execute(query).fetchall() == []


@pytest.mark.slow
def test_many_may_open_an_empty_database_at_once(fresh):
    code = (
        "import sys; from tacit.store.backends import open_store; open_store(sys.argv[1]).close()"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, fresh], stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [process.communicate()[1] for process in processes] == [b""] * 4


def test_a_later_step_is_applied_to_what_is_there(fresh):
    steps = load_migrations("tacit.store.postgres")
    with PostgresStore.open(fresh, SMALL).write("default") as unit:
        unit.memories.insert(make_memory())
    added = "CREATE TABLE tacit.extra (workspace bigint PRIMARY KEY) {partitioned};"
    following = Migration(steps[-1].version + 1, added)
    PostgresStore.open(fresh, SMALL, [*steps, following]).close()
    children = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'tacit.extra'::regclass"
    assert _one(fresh, children) == (2,)
    assert _one(fresh, "SELECT count(*) FROM tacit.memories") == (1,)


@pytest.mark.parametrize("has_walls", [True, False])
def test_tables_of_a_later_step_are_walled_as_the_others_whoever_opens_it(plain_role, has_walls):
    steps = load_migrations("tacit.store.postgres")
    PostgresStore.open(plain_role, replace(SMALL, row_security=has_walls)).close()
    added = "CREATE TABLE tacit.extra (workspace bigint PRIMARY KEY) {partitioned};"
    following = Migration(steps[-1].version + 1, added)
    PostgresStore.open(plain_role, SMALL, [*steps, following]).close()
    walled = "SELECT relforcerowsecurity FROM pg_class WHERE oid = 'tacit.extra'::regclass"
    assert _one(plain_role, walled) == (has_walls,)


def test_a_step_that_fails_leaves_the_schema_as_it_was(fresh):
    steps = load_migrations("tacit.store.postgres")
    PostgresStore.open(fresh, SMALL).close()
    broken = Migration(steps[-1].version + 1, "CREATE TABLE tacit.half (); SELECT nothing;")
    with pytest.raises(Exception, match="nothing"):
        PostgresStore.open(fresh, SMALL, [*steps, broken])
    assert _one(fresh, "SELECT to_regclass('tacit.half')") == (None,)
    PostgresStore.open(fresh, SMALL).close()


def test_a_schema_of_another_program_is_left_alone(fresh):
    with psycopg.connect(fresh) as connection:
        connection.execute("CREATE SCHEMA tacit; CREATE TABLE tacit.things (x int)")
    with pytest.raises(NotADatabase, match="belongs to another program"):
        PostgresStore.open(fresh)


def test_terms_of_an_older_analysis_are_made_anew_when_the_store_is_opened(url, store):
    with Tacit.open(url, embedder="none") as tacit:
        tacit.remember("Zebras graze at dawn")
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE tacit.texts SET terms = '{}'")
        connection.execute("UPDATE tacit.workspaces SET analysis = 'older'")
        connection.execute("DELETE FROM tacit.claims")
    with Tacit.open(url, embedder="none") as tacit:
        assert [hit.memory.content for hit in tacit.search("zebra").hits] == [
            "Zebras graze at dawn"
        ]


@pytest.mark.parametrize(
    "made_by",
    [f"{ANALYSIS_VERSION + 1}.{STATEMENTS_VERSION}", f"1.{STATEMENTS_VERSION + 1}"],
)
def test_a_database_that_a_newer_version_analysed_is_refused_and_left_alone(url, store, made_by):
    with store.write("default") as unit:
        unit.memories.insert(make_memory())
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE tacit.workspaces SET analysis = %s", [made_by])
    with pytest.raises(StoreTooNew, match=r"analysed by a newer .* upgrade with"):
        PostgresStore.open(url, SMALL)
    assert _one(url, "SELECT analysis FROM tacit.workspaces") == (made_by,)


# Several at once


def test_writers_of_one_workspace_lose_no_change_to_each_other(store):
    memory = make_memory()
    with store.write("default") as unit:
        unit.memories.insert(memory)

    def count():
        for _ in range(20):
            with store.write("default") as unit:
                unit.memories.count_access([memory.id], memory.created_at)
                held = unit.memories.get([memory.id])[memory.id]
                unit.memories.update(held)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read("default") as unit:
        assert unit.memories.get([memory.id])[memory.id].access_count == 80
        assert unit.revision() == 81


# The second wall


def test_behind_the_wall_a_connection_sees_its_own_workspace_and_nothing_else(plain_role):
    walled = PostgresSettings(partitions=2, row_security=True)
    store = PostgresStore.open(plain_role, walled)
    for workspace in ("ours", "theirs"):
        tacit = Tacit(store, workspace, embedder=FakeEmbedder(), config=Config())
        tacit.remember(f"a secret of {workspace}")
        tacit.turn(session="s", text=f"what is the secret of {workspace}?").commit()
        assert [hit.memory.workspace for hit in tacit.search("secret").hits] == [workspace]
    with store.read("ours") as unit:
        seen = unit._connection.execute("SELECT DISTINCT content FROM tacit.memories").fetchall()
        assert seen == [("a secret of ours",)]
    with psycopg.connect(plain_role) as connection:
        tables = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'tacit'::regnamespace"
            " AND relkind IN ('r', 'p')"
            " AND relname NOT IN ('properties', 'workspaces', 'models', 'keys')"
        ).fetchall()
        assert len(tables) > 20
        for (table,) in tables:
            assert connection.execute(f"SELECT count(*) FROM tacit.{table}").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO tacit.pauses VALUES (1, 'user', '')")
    store.close()


def test_behind_the_wall_token_codes_are_neither_read_nor_written_by_another_workspace(plain_role):
    store = PostgresStore.open(plain_role, PostgresSettings(partitions=2, row_security=True))
    memories = {}
    for workspace in ("ours", "theirs"):
        tacit = Tacit(store, workspace, embedder=FakeEmbedder(), config=Config())
        memories[workspace] = tacit.remember(f"a secret of {workspace}").id
        tacit.archive.embed_missing()
    model = FakeEmbedder.token_model
    with store.read("theirs") as unit:
        held = unit.token_codes.get([memories["theirs"]], model)
        place = unit._connection.execute(
            "SELECT workspace, model, row FROM tacit.token_codes"
        ).fetchone()
    with store.write("ours") as unit:
        assert unit.token_codes.get([memories["theirs"]], model) == {}
        seen = unit._connection.execute("SELECT workspace FROM tacit.token_codes").fetchall()
        assert len(seen) == 1
        assert seen[0][0] != place[0]
        unit._connection.execute(
            "UPDATE tacit.token_codes SET codes = 'x' WHERE row = %s", place[2:]
        )
        unit._connection.execute("DELETE FROM tacit.token_codes WHERE row = %s", place[2:])
        unit.token_codes.discard(memories["theirs"])
        unit.token_codes.put(memories["theirs"], model, b"x", ())
    with pytest.raises(TacitError, match="row-level security"), store.write("ours") as unit:
        insert = "INSERT INTO tacit.token_codes VALUES (%s, %s, %s, NULL, NULL, 'x')"
        unit._connection.execute(insert, place)
    with store.read("theirs") as unit:
        assert unit.token_codes.get([memories["theirs"]], model) == held
        assert unit.token_codes.missing(model, 9) == []
    store.close()


def test_a_wall_that_would_not_hold_is_refused_before_anything_is_made(fresh):
    with pytest.raises(StoreUnavailable, match="does not hold for a superuser"):
        PostgresStore.open(fresh, PostgresSettings(row_security=True))
    assert _one(fresh, "SELECT to_regnamespace('tacit')::text") == (None,)


def test_whoever_sees_through_a_wall_that_stands_is_told(plain_role, fresh, caplog):
    PostgresStore.open(plain_role, PostgresSettings(partitions=2, row_security=True)).close()
    PostgresStore.open(fresh).close()
    assert "bypasses row-level security" in caplog.text


# Workspaces that outgrew memory

WORDS = re.findall(
    r"\w+", "amber birch cedar delta ember fjord grove heron inlet jetty kelp lagoon"
)
QUESTIONS = ("amber birch", "what of the heron at the inlet?", "note 17", "kelp", "nothing known")
OUTGROWN = PostgresSettings(partitions=2, resident_memories=10)


def _fill(tacit, count=60):
    """Memories of a few words each, half of them said in sessions, some linked."""
    ids = []
    for number in range(count):
        words = [WORDS[(number * step) % len(WORDS)] for step in (1, 3, 5, 7)]
        place = {"session": f"s{number // 9}", "ordinal": number % 9} if number % 2 else {}
        owner = {"scope": "project", "scope_id": f"p{number % 2}"}
        text = f"note {number} on {' '.join(words)}"
        ids.append(tacit.remember(text, origin=place, **owner).id)
    for one, other in zip(ids[::7], ids[3::7], strict=False):
        tacit.memories.link(one, other, "related_to")
    return ids


@functools.cache
def _filled_database():
    """A database with a workspace that has outgrown memory, and the ids in it."""
    name = f"filled_{os.getpid()}"
    outgrown = PostgresStore.open(new_database(name), OUTGROWN)
    tacit = Tacit(outgrown, "default", embedder=FakeEmbedder(), config=Config())
    ids = _fill(tacit)
    tacit.archive.embed_missing()
    outgrown.settle("default")
    tacit.close()
    outgrown.close()
    return name, ids


@pytest.fixture
def large_url():
    """A copy of that database."""
    return new_database(f"large_{os.getpid()}", _filled_database()[0])


@pytest.fixture
def large(large_url):
    """A workspace searched where it lies, the same one searched in memory, and its ids."""
    outgrown = PostgresStore.open(large_url, OUTGROWN)
    resident = PostgresStore.open(large_url, SMALL)
    here = Tacit(resident, "default", embedder=FakeEmbedder(), config=Config())
    ids = _filled_database()[1]
    yield Tacit(outgrown, "default", embedder=FakeEmbedder(), config=Config()), here, ids
    outgrown.close()
    resident.close()


def test_a_large_workspace_is_searched_where_it_lies_with_the_same_result(large):
    there, here, _ = large
    for question in QUESTIONS:
        one, other = there.search(question), here.search(question)
        assert [hit.memory.id for hit in one.hits] == [hit.memory.id for hit in other.hits]
        for hit, twin in zip(one.hits, other.hits, strict=True):
            assert hit.score == pytest.approx(twin.score, rel=1e-3)
            assert hit.relevance == pytest.approx(twin.relevance, rel=1e-3)
        assert one.degraded == other.degraded
    assert there._context.searcher._cache.find("default", FakeEmbedder().model) is None
    assert here._context.searcher._cache.find("default", FakeEmbedder().model) is not None


def test_reading_tokens_takes_a_search_one_more_statement_at_most(large, monkeypatch):
    there, here, _ = large
    for tacit in (there, here):
        tacit.search("warm")
        sent = _count_statements(monkeypatch)
        tacit.search("amber birch", late_interaction="off")
        without = len(sent)
        first = tacit.search("amber birch")
        assert len(sent) - without <= without + 1
        assert any(hit.parts["tokens"] > 0 for hit in first.hits)
        monkeypatch.undo()


def test_where_it_lies_filters_hold_and_changes_are_seen_at_once(large):
    there, here, ids = large
    asked = {"scope": "project", "scope_id": "p1", "max_results": 5}
    found = there.search("amber birch cedar", **asked).hits
    assert found
    assert all(hit.memory.scope_id == "p1" for hit in found)
    here.forget(ids[0])
    here.edit(ids[1], content="quartz and nothing else")
    fresh = here.remember("a zeppelin over the quartz").id
    assert ids[0] not in [hit.memory.id for hit in there.search("note 0 on amber").hits]
    assert {hit.memory.id for hit in there.search("quartz").hits[:2]} == {ids[1], fresh}
    here.erase(fresh)
    assert fresh not in [hit.memory.id for hit in there.search("quartz zeppelin").hits]


def test_a_turn_on_a_large_workspace_shows_what_one_in_memory_shows(large):
    there, here, _ = large
    text = "what do we note on heron, inlet and jetty?"
    asked = {"text": text, "contextual_min_score": 0.0}
    one = there.turn(session="a", project="p1", **asked).block
    other = here.turn(session="b", project="p1", **asked).block
    assert one.count("\n") > 3
    assert one.splitlines()[1:] == other.splitlines()[1:]


def test_where_it_lies_a_query_that_is_near_to_everything_proves_as_little(url):
    outgrown, resident = PostgresStore.open(url, OUTGROWN), PostgresStore.open(url, SMALL)
    there, here = (
        Tacit(store, "default", embedder=FakeEmbedder(), config=Config())
        for store in (outgrown, resident)
    )
    here.memories.remember_all([f"amber birch cedar delta ember {number}" for number in range(40)])
    outgrown.settle("default")
    for asked in ("amber birch cedar delta fjord", "und was ist mit amber birch cedar?"):
        one, other = (
            {hit.memory.id: hit.relevance for hit in tacit.search(asked, max_results=40).hits}
            for tacit in (there, here)
        )
        assert len(one) == 40
        assert one == pytest.approx(other, rel=1e-2)
    assert there._context.searcher._cache.find("default", FakeEmbedder().model) is None
    outgrown.close()
    resident.close()


def test_a_rule_that_a_message_touches_is_found_in_a_large_workspace(large):
    there, here, _ = large
    rule = here.remember(
        "The heron stays sealed", type="constraint", scope="project", scope_id="p1"
    )
    asked = {"text": "what do we note on heron, inlet and jetty?", "search_limit": 1}
    for session, tacit in (("a", there), ("b", here)):
        receipt = tacit.preview(session=session, project="p1", **asked).receipt
        (found,) = [each for each in receipt.candidates if each.memory == rule.id]
        assert (found.found, found.note) == ("standing", NOTE_TOUCHED)
        assert found.relevance > 0


def test_an_erased_word_is_in_no_count_either(large, large_url):
    there, _, _ = large
    written = there.remember("the xylophone")
    held = "SELECT count(*) FROM tacit.lexicon WHERE term = %s"
    term = signed_term_code(extract_terms("xylophone")[0])
    with psycopg.connect(large_url, autocommit=True) as connection:
        assert build_indexes(connection, signed_term_code("default"))
        assert connection.execute(held, [term]).fetchone() == (1,)
        there.erase(written.id)
        assert connection.execute(held, [term]).fetchone() == (0,)


def test_a_workspace_is_indexed_by_itself_once_it_has_outgrown_memory(url):
    outgrown = PostgresStore.open(url, OUTGROWN)
    tacit = Tacit(outgrown, "default", embedder=FakeEmbedder(), config=Config())
    _fill(tacit, 12)
    tacit.search("amber")
    for _ in range(1_200):
        if _one(url, "SELECT documents FROM tacit.censuses") == (12,):
            break
        time.sleep(0.05)
    else:
        pytest.fail("no census was taken")
    outgrown.close()


def test_closing_cancels_an_index_that_is_being_built_and_ends_its_thread(url):
    tacit = Tacit(
        PostgresStore.open(url, OUTGROWN),
        "default",
        embedder=FakeEmbedder(),
        config=Config(),
    )
    _fill(tacit, 12)
    building = f"SELECT count(*) {_OURS} AND starts_with(query, 'CREATE INDEX')"
    before = set(threading.enumerate())
    with psycopg.connect(url) as writer:  # an index waits for those who wrote before it began
        writer.execute("LOCK TABLE tacit.texts IN ROW EXCLUSIVE MODE")
        tacit.search("amber")
        while _one(url, f"{building} AND wait_event_type = 'Lock'") != (1,):
            time.sleep(0.01)
        tacit.close()
        assert _one(url, building) == (0,)
    assert set(threading.enumerate()) <= before


def test_an_index_that_a_kill_left_unfinished_is_made_again(large, large_url):
    unfinished = "SELECT count(*) FROM pg_index WHERE NOT indisvalid"
    with psycopg.connect(large_url, autocommit=True) as connection:
        connection.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid IN"
            " (SELECT oid FROM pg_class WHERE relname LIKE 'meaning_%')"
        )
        assert connection.execute(unfinished).fetchone() == (1,)
        assert build_indexes(connection, signed_term_code("default"))
        assert connection.execute(unfinished).fetchone() == (0,)


def test_much_that_is_imported_at_once_is_indexed_before_the_first_search(url, tmp_path):
    lines = tmp_path / "notes.txt"
    lines.write_text("\n".join(f"note {number}" for number in range(30)))
    tacit = Tacit(
        PostgresStore.open(url, OUTGROWN),
        "default",
        embedder=FakeEmbedder(),
        config=Config(),
    )
    tacit.archive.import_from(lines)
    assert _one(url, "SELECT documents FROM tacit.censuses") == (30,)
    assert tacit.search("note 7").hits[0].memory.content == "note 7"
    tacit.close()


def test_a_common_word_that_nothing_found_holds_does_no_harm(large, monkeypatch):
    monkeypatch.setattr(database_excerpt, "MOST_TERM_MATCHES", 1)
    monkeypatch.setattr(searcher, "MOST_TERM_MATCHES", 1)
    there, here, _ = large
    here.remember("a lonely xylophone")
    (first, *_) = there.search("xylophone on amber birch cedar note").hits
    assert first.memory.content == "a lonely xylophone"
