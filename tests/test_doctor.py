"""`tacit doctor`: what is really broken is found, and how to mend it is said."""

import contextlib
import http.server
import json
import os
import pwd
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections import namedtuple
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import apsw
import psycopg
import pytest

from tacit import FakeEmbedder, Tacit, __version__
from tacit.api.background import BackgroundLearning
from tacit.cli.doctor import checks as doctor_checks
from tacit.cli.doctor import database, services
from tacit.cli.doctor.checks import DoctorCheck, run_checks
from tacit.cli.doctor.configuration import KNOWN_VARIABLES, SETTING_VARIABLES
from tacit.cli.doctor.findings import Installation, Severity, ok_finding
from tacit.core.keys import issue_key
from tacit.embedding.minilm.model_files import ModelCache
from tacit.runtime.prompt_spool import PromptSpool, SpooledPrompt
from tacit.runtime.workers import Deadline
from tests.postgres_server import new_database, shared_url
from tests.support import START, say

GUEST = f"guest_{os.getpid()}"
SOURCE = Path(__file__).parent.parent / "src/tacit"


@pytest.fixture(autouse=True)
def _quiet_surroundings(monkeypatch, tmp_path):
    """Nothing of this machine is examined, and nothing is late where it is busy."""
    for name in [name for name in os.environ if name.startswith("TACIT_")]:
        if name not in ("TACIT_EMBEDDER", "TACIT_CACHE"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TACIT_LOG_FOLDER", str(tmp_path / "log"))
    monkeypatch.setattr(services, "LOCAL_SERVER", "http://127.0.0.1:1")
    monkeypatch.setattr(doctor_checks, "Deadline", lambda seconds: Deadline(60.0 * seconds))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def doctor(run, tmp_path):
    """Run the command; returns its findings, and holds its exit code against them."""

    def doctor(*options, db=None):
        ran = run("doctor", "--json", *options, db=db)
        told = json.loads(ran.out)
        levels = [each["level"] for each in told["findings"]]
        assert told["ok"] is ("error" not in levels)
        assert ran.code == ("error" in levels)
        assert ran.err == ""
        return told["findings"]

    return doctor


@pytest.fixture
def db(tmp_path):
    """A sound database with a few memories."""
    path = tmp_path / "store" / "memory.db"
    with Tacit.open(path) as tacit:
        tacit.memories.remember_all(
            [f"Statement {n} about {'this and that ' * 4}" for n in range(50)]
        )
    for each in path.parent.iterdir():
        each.chmod(0o600)
    path.parent.chmod(0o700)
    return path


def _of(findings, what, level=None):
    """The findings about something, at a level."""
    return [each for each in findings if each["what"] == what and level in (None, each["level"])]


def _one(findings, what, level):
    (found,) = _of(findings, what, level)
    return found


def _bad(findings):
    return [each for each in findings if each["level"] != "ok"]


# The examination


def test_a_sound_installation_is_well(doctor, db):
    findings = doctor(db=db)
    assert _bad(findings) == []
    assert f"Tacit {__version__}" in _one(findings, "program", "ok")["found"]
    assert "50 memories, 50 live, in 1 workspace" in _one(findings, "memories", "ok")["found"]
    assert "whole" in _one(findings, "integrity", "ok")["found"]
    assert _of(findings, "server") == []


def test_nothing_is_made_where_nothing_is(doctor, tmp_path):
    path = tmp_path / "deep" / "memory.db"
    findings = doctor(db=path)
    assert _bad(findings) == []
    assert "nothing is there yet" in _one(findings, "database", "ok")["found"]
    assert not path.parent.exists()


def test_a_check_that_fails_is_named_and_stops_no_other():
    def broken(_):
        yield ok_finding("before", "this was fine")
        raise ZeroDivisionError("by nothing")

    after = DoctorCheck(name="after", run=lambda _: [ok_finding("after", "still here")])
    found = run_checks(Installation(), [DoctorCheck(name="broken", run=broken), after])
    assert [(each.what, each.level) for each in found] == [
        ("before", Severity.OK),
        ("broken", Severity.ERROR),
        ("after", Severity.OK),
    ]
    assert "ZeroDivisionError: by nothing" in found[1].found


def test_a_check_that_is_stuck_is_given_up():
    let_go = threading.Event()

    def stuck(_):
        let_go.wait()
        return []

    found = run_checks(Installation(), [DoctorCheck(name="stuck", run=stuck, seconds=0.0)])
    let_go.set()
    assert [(each.what, each.level) for each in found] == [("stuck", Severity.ERROR)]


def test_a_check_is_left_out_where_one_that_it_needs_failed():
    def failing(_):
        raise ValueError

    checks = [
        DoctorCheck(name="first", run=failing),
        DoctorCheck(name="second", run=lambda _: [ok_finding("second", "x")], needs=("first",)),
    ]
    assert [each.what for each in run_checks(Installation(), checks)] == ["first"]


@pytest.mark.parametrize("width", [80, 120])
def test_people_see_a_mark_and_how_to_mend_within_the_width(run, db, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TACIT_EMBEDER", "none")
    db.chmod(0o644)
    ran = run("doctor", "--url", "http://127.0.0.1:1", db=db)
    assert ran.code == 1
    assert max(map(len, ran.out.splitlines())) <= width
    marks = {line.split()[1]: line[0] for line in ran.out.splitlines() if line[0] in "✓!✗"}
    assert (marks["program"], marks["rights"], marks["server"]) == ("✓", "!", "✗")
    assert "→ did you mean TACIT_EMBEDDER?" in ran.out
    assert ran.out.splitlines()[-1] == "1 error and 2 warnings."


# Configuration and environment


def test_a_bad_value_is_found_with_its_file_line_and_key(doctor, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("# ours\n[search]\nrrf_k = 0\n")
    found = _one(doctor("--config", path), "configuration", "error")
    assert f"{path}, line 3: search.rrf_k" in found["found"]
    assert f"tacit settings check {path}" in found["mend"]


def test_a_file_that_is_named_and_missing_is_an_error(doctor, tmp_path):
    found = _one(doctor("--config", tmp_path / "none.toml"), "configuration", "error")
    assert "no such file" in found["found"]


def test_the_file_in_use_is_named_and_without_one_the_places(doctor, tmp_path):
    told = _one(doctor(), "configuration", "ok")["found"]
    own = tmp_path / "config" / "tacit"
    assert f"{own} and, if you agree to it, in {tmp_path}" in told
    own.mkdir(parents=True)
    (own / "tacit.toml").write_text("[search]\nrrf_k = 9\n")
    told = _one(doctor(), "configuration", "ok")["found"]
    assert told == f"{own / 'tacit.toml'} is valid"


def test_a_floor_of_another_scale_is_a_warning(doctor, tmp_path):
    own = tmp_path / "config" / "tacit"
    own.mkdir(parents=True)
    written = "[defaults.memory_injection]\ncontextual_min_score = 0.01\n"
    (own / "tacit.toml").write_text(written)
    told = [each["found"] for each in doctor() if each["level"] == "warning"]
    (floor,) = [each for each in told if "the default is 0.45" in each]
    assert "tacit.toml" in floor


def test_a_misspelt_variable_is_a_warning_that_says_what_is_meant(doctor, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDER", "hunter2")
    findings = doctor()
    found = _one(findings, "environment", "warning")
    assert "TACIT_EMBEDER" in found["found"]
    assert "TACIT_EMBEDDER?" in found["mend"]
    assert "hunter2" not in str(findings)


def test_a_misspelt_setting_is_an_error_since_programs_refuse_it(doctor, monkeypatch):
    monkeypatch.setenv("TACIT_POSTGRES_POOLSIZE", "3")
    found = _one(doctor(), "environment", "error")
    assert "TACIT_POSTGRES_POOL_SIZE?" in found["mend"]


def test_every_variable_with_a_bad_value_is_found(doctor, monkeypatch):
    monkeypatch.setenv("TACIT_SEARCH_RRF_K", "many")
    monkeypatch.setenv("TACIT_POSTGRES_POOL_SIZE", "0")
    found = _of(doctor(), "environment", "error")
    assert [each["found"].split(":")[0] for each in found] == [
        "TACIT_POSTGRES_POOL_SIZE",
        "TACIT_SEARCH_RRF_K",
    ]


def test_what_only_the_log_would_say_is_a_warning(doctor, monkeypatch):
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_PINNED_TYPES", "todo,toodoo")
    assert "'toodoo' is left out" in _one(doctor(), "environment", "warning")["found"]


def test_every_variable_that_the_program_reads_is_known():
    text = "\n".join(path.read_text() for path in sorted(SOURCE.rglob("*.py")))
    read = set(re.findall(r'"(TACIT_[A-Z_]*[A-Z])"', text))
    assert {"TACIT_DB", "TACIT_EMBEDDER"} <= read
    assert read <= KNOWN_VARIABLES | SETTING_VARIABLES, (
        "add what is missing to KNOWN_VARIABLES in tacit.cli.doctor.configuration"
    )


# Databases in files


def test_a_damaged_file_is_found(doctor, db):
    whole = bytearray(db.read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 40_000] = b"\xa5" * 40_000
    db.write_bytes(whole)
    (found,) = [each for each in doctor(db=db) if each["level"] == "error"]
    assert "is damaged" in found["found"]
    assert "restore your last export" in f"{found['found']}{found['mend']}"


def test_a_file_that_is_too_large_to_be_checked_is_said_to_be(doctor, db, monkeypatch):
    monkeypatch.setattr(database, "MOST_BYTES", 1_000)
    assert "not checked" in _one(doctor(db=db), "integrity", "ok")["found"]


def test_a_file_that_is_no_database_is_an_error_and_stays(doctor, tmp_path):
    path = tmp_path / "notes.db"
    path.write_text("these are my notes, not a database\n" * 100)
    before = path.read_bytes()
    findings = doctor(db=path)
    assert "is not a database" in _one(findings, "database", "error")["found"]
    assert _of(findings, "memories") == []
    assert path.read_bytes() == before


def test_a_folder_is_no_database(doctor, tmp_path):
    assert "is a folder" in _one(doctor(db=tmp_path), "database", "error")["found"]


def _set_version(path, version):
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", version)
    connection.close()


def test_a_database_of_a_newer_version_is_an_error(doctor, db):
    _set_version(db, 999)
    assert "newer Tacit" in _one(doctor(db=db), "database", "error")["found"]


def test_a_database_from_before_the_first_release_is_an_error(doctor, db):
    _set_version(db, 12)
    assert "before the first release" in _one(doctor(db=db), "database", "error")["found"]


def test_a_database_of_an_older_version_is_told_and_not_changed(doctor, db):
    _set_version(db, 0)
    before = db.read_bytes()
    findings = doctor(db=db)
    assert "older Tacit" in _one(findings, "database", "ok")["found"]
    assert _of(findings, "memories") == []
    assert db.read_bytes() == before


def test_terms_of_an_older_version_are_not_made_anew(doctor, db):
    connection = apsw.Connection(str(db))
    connection.execute("UPDATE properties SET value = '0.0' WHERE name = 'analysis_version'")
    assert connection.changes() == 1
    connection.close()
    before = db.read_bytes()
    assert "older Tacit" in _one(doctor(db=db), "database", "ok")["found"]
    assert db.read_bytes() == before


def test_the_command_that_is_given_closes_a_database_that_others_can_read(doctor, db):
    db.chmod(0o644)
    found = _one(doctor(db=db), "rights", "warning")
    assert db.name in found["found"]
    subprocess.run(shlex.split(found["mend"].removeprefix("run: ")), check=True)
    assert _of(doctor(db=db), "rights") == []


def test_the_command_that_is_given_closes_a_folder_that_others_can_write(doctor, db):
    db.parent.chmod(0o777)
    found = _one(doctor(db=db), "rights", "warning")
    subprocess.run(shlex.split(found["mend"].removeprefix("run: ")), check=True)
    assert _of(doctor(db=db), "rights") == []


@pytest.mark.parametrize(
    ("free", "level"),
    [(99_000_000, "error"), (999_000_000, "warning"), (2_000_000_000, "ok")],
)
def test_little_room_on_the_disk_is_found(doctor, db, monkeypatch, free, level):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(free))
    findings = doctor(db=db)
    _one(findings, "space", level)
    _one(findings, "memories", "ok")


@contextlib.contextmanager
def _as_somebody():
    """Be somebody without rights for a while, where we are root."""
    if os.geteuid() != 0:
        yield
        return
    nobody, groups = pwd.getpwnam("nobody"), os.getgroups()
    os.setgroups([])
    os.setresgid(nobody.pw_gid, nobody.pw_gid, 0)
    os.setresuid(nobody.pw_uid, nobody.pw_uid, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


@pytest.fixture
def somebody(doctor):
    """Run the command as somebody without rights; what it imports is loaded before."""
    doctor()

    def examined(db):
        with _as_somebody():
            return doctor(db=db)

    return examined


@pytest.fixture
def closed_folder():
    """A folder that can be entered and not written to."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_folder_without_rights_is_an_error_for_a_new_database(somebody, closed_folder):
    (found,) = _of(somebody(closed_folder / "deep" / "memory.db"), "database")
    assert found["level"] == "error"
    assert f"{closed_folder} is not writable" in found["found"]
    assert f"chmod u+wx {closed_folder}" in found["mend"]


def test_a_folder_that_cannot_even_be_entered_is_an_error(somebody, closed_folder):
    closed_folder.chmod(0o000)
    (found,) = [each for each in somebody(closed_folder / "memory.db") if each["level"] == "error"]
    assert "Permission denied" in found["found"]


def test_a_database_without_rights_is_an_error(somebody, closed_folder, db):
    copy = closed_folder / "memory.db"
    closed_folder.chmod(0o755)
    shutil.copy(db, copy)
    copy.chmod(0o444)
    closed_folder.chmod(0o555)
    assert "writ" in _one(somebody(copy), "database", "error")["found"]


# PostgreSQL


@pytest.fixture
def url(request, monkeypatch):
    monkeypatch.setenv("TACIT_POSTGRES_PARTITIONS", "2")  # fewer tables are sooner made
    url = new_database(f"doctor_{abs(hash(request.node.name)) % 10**9}")
    yield url
    with psycopg.connect(shared_url(), autocommit=True) as connection:
        name = urlsplit(url).path.removeprefix("/")
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _remember_at(url, *contents):
    with Tacit.open(url) as tacit:
        tacit.memories.remember_all(contents)


def test_a_server_that_is_gone_is_one_error_without_its_password(doctor):
    findings = doctor(db="postgresql://ann:hunter2@127.0.0.1:1/memories")
    found = _one(findings, "database", "error")
    assert "no server answers" in found["found"]
    assert "hunter2" not in str(findings)
    assert _of(findings, "memories") + _of(findings, "indexes") == []


def test_a_sound_server_is_well(doctor, url):
    _remember_at(url, "The API speaks gRPC")
    findings = doctor(db=url)
    assert _bad(findings) == []
    assert re.search(r"opens; PostgreSQL \d+", _one(findings, "database", "ok")["found"])
    assert re.match(r"\d+\.\d+", _one(findings, "pgvector", "ok")["found"])
    assert re.match(r"\d+ of \d+ are in use", _one(findings, "connections", "ok")["found"])
    assert "1 memory, 1 live" in _one(findings, "memories", "ok")["found"]


def test_no_schema_is_made_on_a_server(doctor, url):
    assert "nothing is there yet" in _one(doctor(db=url), "database", "ok")["found"]
    with psycopg.connect(url) as connection:
        made = connection.execute("SELECT to_regnamespace('tacit')").fetchone()
    assert made == (None,)


def test_a_schema_of_an_older_version_is_told_and_not_changed(doctor, url):
    _remember_at(url, "The API speaks gRPC")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE tacit.properties SET value = '0' WHERE name = 'schema_version'")
        assert "older Tacit" in _one(doctor(db=url), "database", "ok")["found"]
        row = connection.execute(
            "SELECT value FROM tacit.properties WHERE name = 'schema_version'"
        ).fetchone()
    assert row == ("0",)


def test_a_schema_of_another_program_is_an_error(doctor, url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA tacit CREATE TABLE theirs (n int)")
    assert "another program" in _one(doctor(db=url), "database", "error")["found"]


@pytest.fixture
def guest(url):
    """The same database for a role that may only connect."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP ROLE IF EXISTS {GUEST}")
        connection.execute(f"CREATE ROLE {GUEST} LOGIN PASSWORD 'guest'")
        yield (
            urlsplit(url)
            ._replace(netloc=f"{GUEST}:guest@{urlsplit(url).netloc.partition('@')[2]}")
            .geturl()
        )
        connection.execute(f"REASSIGN OWNED BY {GUEST} TO CURRENT_USER")
        connection.execute(f"DROP OWNED BY {GUEST}")
        connection.execute(f"DROP ROLE {GUEST}")


def test_a_user_who_may_not_make_the_schema_is_found(doctor, guest):
    found = _one(doctor(db=guest), "rights", "error")
    assert f"CREATE SCHEMA tacit AUTHORIZATION {GUEST}" in found["mend"]


def test_a_user_who_may_only_read_is_found(doctor, url, guest):
    _remember_at(url, "The API speaks gRPC")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"GRANT USAGE ON SCHEMA tacit TO {GUEST}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA tacit TO {GUEST}")
    found = _one(doctor(db=guest), "rights", "error")
    assert "lacks DELETE, INSERT, UPDATE" in found["found"]


def test_a_user_who_sees_through_walls_is_found(doctor, url, monkeypatch):
    monkeypatch.setenv("TACIT_POSTGRES_ROW_SECURITY", "true")
    assert "superuser" in _one(doctor(db=url), "database", "error")["found"]


def test_no_walls_are_built(doctor, url, guest, monkeypatch):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute(f"GRANT CREATE ON DATABASE {connection.info.dbname} TO {GUEST}")
        _remember_at(guest, "The API speaks gRPC")
        monkeypatch.setenv("TACIT_POSTGRES_ROW_SECURITY", "true")
        assert _bad(doctor(db=guest)) == []
        walled = connection.execute(
            "SELECT relrowsecurity FROM pg_class WHERE oid = 'tacit.memories'::regclass"
        ).fetchone()
    assert walled == (False,)


def test_a_large_workspace_without_its_index_is_found(doctor, url, monkeypatch):
    _remember_at(url, "The API speaks gRPC", "Deploys happen on Tuesdays")
    monkeypatch.setenv("TACIT_POSTGRES_RESIDENT_MEMORIES", "1")
    assert "default" in _one(doctor(db=url), "indexes", "warning")["found"]


# Embedders and vectors


def test_a_model_that_is_not_there_is_not_fetched(doctor, tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TACIT_MODEL_SOURCE", "/media/models")
    found = _one(doctor(), "embedder", "warning")
    assert "tacit model pull" in found["mend"]
    assert "/media/models" in found["mend"]
    assert not (tmp_path / "cache").exists()


def test_a_model_that_is_there_embeds_a_word(doctor, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    found = _one(doctor(), "embedder", "ok")["found"]
    assert "minilm-7, 384 numbers, whole" in found
    assert re.search(r"a word took [\d,]+ ms", found)


@pytest.mark.parametrize("name", ["v8-minilm-7.onnx", "v8-all-MiniLM-L6-v2.onnx", "tokenizer.json"])
def test_a_damaged_model_is_found(doctor, tmp_path, monkeypatch, name):
    real = ModelCache.of_user().folder
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    damaged = ModelCache.of_user().folder
    damaged.mkdir(parents=True)
    for path in real.iterdir():
        (damaged / path.name).symlink_to(path)
    (damaged / name).unlink()
    (damaged / name).write_text("cut off")
    found = _one(doctor(), "embedder", "error")
    assert name in found["found"]
    assert "tacit model pull" in found["mend"]


@pytest.mark.parametrize("name", ["minilmm", "http://127.0.0.1:1/v1"])
def test_an_embedder_that_cannot_be_is_an_error(doctor, monkeypatch, name):
    monkeypatch.setenv("TACIT_EMBEDDER", name)
    assert "https://host/v1#model-name" in _one(doctor(), "embedder", "error")["found"]


def test_an_embedder_that_does_not_answer_is_an_error(doctor, db, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "http://127.0.0.1:1/v1#some")
    findings = doctor(db=db)
    assert "cannot be reached" in _one(findings, "embedder", "error")["found"]
    assert _of(findings, "vectors") == []


def test_memories_without_vectors_are_found_with_the_command_that_gives_them(
    doctor, run, db, monkeypatch
):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    found = _one(doctor(db=db), "vectors", "warning")
    assert "50 memories in 1 workspace" in found["found"]
    command = shlex.split(found["mend"].removeprefix("run: "))
    assert run(*command[1:], db=db).code == 0
    assert "every memory" in _one(doctor(db=db), "vectors", "ok")["found"]


@pytest.mark.episodes
def test_everything_without_vectors_or_tokens_is_found_with_the_command_that_gives_them(
    doctor, run, db, tmp_path, monkeypatch
):
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook" / "tea.md").write_text("# Tea\n\nThe kettle is cleaned on Fridays.")
    with Tacit.open(db, embedder="none") as tacit:
        tacit.documents.add(tmp_path / "handbook")
        tacit.documents.index()
        say(tacit, "the boiler makes a noise like a kettle")
        tacit.items.put(["users", "ann"], "food", {"text": "no nuts"})
    assert _of(doctor(db=db), "tokens") == []
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    counted = "50 memories, 1 episode, 1 chunk and 1 item in 1 workspace"
    findings = doctor(db=db)
    assert counted in _one(findings, "vectors", "warning")["found"]
    found = _one(findings, "tokens", "warning")
    assert "50 memories, 1 episode and 1 chunk in 1 workspace" in found["found"]
    command = shlex.split(found["mend"].removeprefix("run: ").partition(";")[0])
    assert run(*command[1:], db=db).code == 0
    findings = doctor(db=db)
    for what in ("vectors", "tokens"):
        assert "every memory, episode" in _one(findings, what, "ok")["found"]
    monkeypatch.setenv("TACIT_SEARCH_LATE_INTERACTION", "off")
    assert _of(doctor(db=db), "tokens") == []


def test_the_command_names_the_store_that_was_named(doctor, run, db, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    found = _one(doctor("--db", db), "vectors", "warning")
    assert f"--db {db}" in found["mend"]


def test_a_workspace_that_another_model_serves_is_told_with_what_helps(doctor, db, monkeypatch):
    with Tacit.open(db, embedder=FakeEmbedder()) as tacit:
        tacit.archive.embed_missing()
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    switch, missing = _of(doctor(db=db), "vectors", "warning")
    assert "fake (1) serves, and minilm-7" in switch["found"]
    assert "tacit embed --workspace default" in switch["mend"]
    assert "fake (1) cannot be opened" in missing["found"]
    assert "TACIT_PREVIOUS_EMBEDDER" in missing["mend"]


def test_tokens_are_told_by_the_model_that_serves(doctor, run, db, monkeypatch):
    with Tacit.open(db, embedder="minilm-en") as tacit:
        tacit.archive.embed_missing()
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    served = _one(doctor(db=db), "tokens", "ok")["found"]
    switched = run("embed", db=db)
    assert (switched.code, switched.err) == (0, "")
    assert "has those of all-MiniLM-L6-v2-tokens" in served
    assert "has those of minilm-7-tokens" in _one(doctor(db=db), "tokens", "ok")["found"]


def test_a_fill_and_what_can_be_gone_back_to_are_told(doctor, db, monkeypatch):
    with Tacit.open(db, embedder=FakeEmbedder()) as tacit:
        tacit.archive.embed_missing()
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    with Tacit.open(db, embedder="minilm") as tacit:
        tacit._context.memory_embedder.begin_generation(is_asked=False)
        (found,) = [each for each in _of(doctor(db=db), "vectors", "ok") if "next" in each["found"]]
        assert "minilm-7" in found["found"]
        assert "0 of 50 texts" in found["found"]
        tacit.archive.embed_missing()
    told = [each["found"] for each in _of(doctor(db=db), "vectors", "ok")]
    assert any("fake (1) served before, and 50 vectors of it are kept" in each for each in told)


@pytest.mark.episodes
def test_what_was_said_is_counted_beside_the_memories(doctor, db):
    assert "episode" not in _one(doctor(db=db), "memories", "ok")["found"]
    with Tacit.open(db) as tacit:
        say(tacit, "we're in Hamburg now, Jonas got a job at the hospital")
    assert "live, and 1 episode, in 1 workspace" in _one(doctor(db=db), "memories", "ok")["found"]


def test_turns_that_could_not_be_read_are_told_with_what_to_do(doctor, db, monkeypatch):
    monkeypatch.setattr(BackgroundLearning, "heard", lambda _: None)
    with Tacit.open(db) as tacit:
        with tacit.workspace.open("app").turn(session="s", text="My dog is called Rex") as turn:
            turn.commit("Well.")
        with tacit._context.store.write("app") as unit:
            unit.heard.set_aside([each.id for each in unit.heard.scan(None, 9)], "too deep")
    finding = _one(doctor(db=db), "learning", "warning")
    assert "1 turn could not be read after three tries, in workspace app" in finding["found"]
    assert "tacit learn --unread --workspace app" in finding["mend"]


def test_reviews_that_wait_are_told(doctor, db):
    with Tacit.open(db) as tacit:
        memory = tacit.remember("Ann drinks tea").memory
        tacit.edit(memory.id, content="Ann drinks coffee", by="agent")
    assert "1 review waiting" in _one(doctor(db=db), "memories", "ok")["found"]


# Servers


class FakeServer(http.server.ThreadingHTTPServer):
    """Answers as Tacit's server does, or as it is told."""

    key = "sesame"

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.health = {"status": "ok", "version": __version__}
        self.status = {
            "version": __version__,
            "settings": {"path": None, "problem": None, "ignored": []},
            "jobs": [{"name": "upkeep", "last_error": None}],
        }


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/health":
            self._answer(200, self.server.health)
        elif self.path == "/ready":
            self._answer(503, {"status": "not ready", "checks": {"settings": "invalid"}})
        elif self.path != "/v1/status":
            self._answer(404, {})
        elif self.headers["authorization"] == f"Bearer {self.server.key}":
            self._answer(200, self.server.status)
        else:
            self._answer(401, {"error": "who are you?"})

    def _answer(self, status, document):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def fake():
    with FakeServer() as fake:
        threading.Thread(target=fake.serve_forever, args=(0.01,)).start()
        yield fake
        fake.shutdown()


def test_a_sound_server_answers(doctor, fake):
    found = _of(doctor("--url", f"{fake.url}/", "--key", fake.key), "server")
    assert [(each["level"], each["found"]) for each in found] == [
        ("ok", f"{fake.url} answers, Tacit {__version__}")
    ]


def test_a_key_for_one_workspace_is_not_falsely_reassuring(doctor, fake):
    fake.status["server_wide"] = False
    findings = doctor("--url", fake.url, "--key", fake.key)
    assert "is not told" in _one(findings, "server", "warning")["found"]
    assert _one(findings, "server", "error")["found"] == "its settings: invalid"


def test_the_environment_names_server_and_key(doctor, fake, monkeypatch):
    monkeypatch.setenv("TACIT_URL", fake.url)
    monkeypatch.setenv("TACIT_KEY", fake.key)
    assert [each["level"] for each in _of(doctor(), "server")] == ["ok"]


def test_a_server_of_this_machine_is_found_without_being_named(doctor, fake, monkeypatch):
    monkeypatch.setattr(services, "LOCAL_SERVER", fake.url)
    findings = doctor()
    assert fake.url in _one(findings, "server", "ok")["found"]
    assert "--key" in _one(findings, "server", "warning")["mend"]


def test_another_program_at_the_usual_port_is_none_of_our_business(doctor, fake, monkeypatch):
    fake.health = b"<html>hello</html>"
    monkeypatch.setattr(services, "LOCAL_SERVER", fake.url)
    assert _of(doctor(), "server") == []
    assert "not as Tacit does" in _one(doctor("--url", fake.url), "server", "error")["found"]


@pytest.mark.parametrize("key", ["wrong", "söme", "two\nlines"])
def test_a_wrong_key_is_an_error_and_not_shown(doctor, fake, key):
    findings = doctor("--url", fake.url, "--key", key)
    assert "key" in _one(findings, "server", "error")["found"]
    assert key not in [each["found"] for each in findings]


@pytest.mark.parametrize("url", ["http://ann:hunter2@127.0.0.1:1", "localhost:8377", "http://a:b"])
def test_a_server_that_is_named_and_does_not_answer_is_an_error(doctor, url):
    findings = doctor("--url", url)
    assert _one(findings, "server", "error")["mend"]
    assert "hunter2" not in str(findings)


def test_a_server_of_another_version_is_a_warning(doctor, fake):
    fake.health = {"status": "ok", "version": "0.0.1"}
    found = _one(doctor("--url", fake.url, "--key", fake.key), "server", "warning")
    assert "0.0.1" in found["found"]
    assert __version__ in found["found"]


def test_a_server_that_is_not_well_is_an_error(doctor, fake):
    fake.health = {"status": "no database", "version": __version__}
    found = _one(doctor("--url", fake.url, "--key", fake.key), "server", "error")
    assert "no database" in found["found"]


def test_settings_that_a_server_cannot_use_are_an_error(doctor, fake):
    problem = {"message": "/etc/tacit.toml, line 3: search.rrf_k: too large", "since": "noon"}
    fake.status["settings"] = {"path": "/etc/tacit.toml", "problem": problem}
    found = _one(doctor("--url", fake.url, "--key", fake.key), "server", "error")
    assert problem["message"] in found["found"]


def test_jobs_that_fail_are_errors(doctor, fake):
    fake.status["jobs"].append({"name": "decay", "last_error": "the disk is full"})
    found = _one(doctor("--url", fake.url, "--key", fake.key), "server", "error")
    assert "decay" in found["found"]
    assert "the disk is full" in found["found"]


@pytest.mark.parametrize("status", [[], {"version": __version__, "jobs": 3, "settings": []}, b"x"])
def test_a_server_that_talks_nonsense_breaks_nothing(doctor, fake, status):
    fake.status = status
    found = _of(doctor("--url", fake.url, "--key", fake.key), "server")
    assert "the check itself" not in str(found)


def test_agents_keys_that_an_upgrade_left_speaking_are_named_with_what_changes_it(doctor, db):
    with Tacit.open(db) as tacit:
        tacit.keys.add("ci", "write", workspace="shop")
        tacit.keys.add("decided", "write", agent="app", speaks_for_users=True)
        key, _ = issue_key("old one", "write", workspace="shop", agent="app", at=START)
        revoked = replace(issue_key("gone", "read", workspace=None, agent="x", at=START)[0])
        before = {"speaks_for_users": True, "speaks_by_upgrade": True}
        tacit._context.store.keys().add(replace(key, **before))
        tacit._context.store.keys().add(replace(revoked, revoked_at=START, **before))
    findings = doctor(db=db)
    (told,) = _of(findings, "keys", "ok")
    assert told["found"] == "3 keys in use"
    (finding,) = _of(findings, "keys", "warning")
    assert "agent app sends with key old one" in finding["found"]
    command = "tacit keys add 'old one 2' --role write --workspace shop --agent app"
    assert command in finding["mend"]
    assert f"tacit keys revoke {key.id}" in finding["mend"]


# The last days


def _log(folder, *lines, age=timedelta()):
    (folder / "log").mkdir(exist_ok=True)
    at = f"{datetime.now(UTC) - age:%Y-%m-%dT%H:%M:%SZ}"
    with (folder / "log/daemon.log").open("a") as log:
        log.writelines(f"{at} {line}\n" for line in lines)


def test_hooks_that_got_no_answer_are_told_with_their_share_and_cause(doctor, run, db, tmp_path):
    late = "the hook took longer than 8 seconds while the daemon started"
    stuck = "the hook took longer than 5 seconds while the daemon handled it"
    _log(tmp_path, f"WARNING {late}, and was given up", age=timedelta(days=30))
    assert _of(doctor(db=db), "hooks") == []
    _log(tmp_path, *["INFO    an event of codex took 12 ms"] * 3)
    assert "3 events answered" in _one(doctor(db=db), "hooks", "ok")["found"]
    _log(tmp_path, f"WARNING {late}, and was given up", f"WARNING {stuck}, and was given up")
    found = _one(doctor(db=db), "hooks", "warning")["found"]
    assert "2 of 4 hooks (50%) got no answer in the last 7 days" in found
    assert "1 × took longer than 8 seconds while the daemon started" in found
    assert "No problems found." not in run("doctor", db=db).out


def test_a_sound_installation_has_no_problems(run, db):
    assert "No problems found." in run("doctor", db=db).out


def test_prompts_that_wait_are_counted(doctor, db, tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_RUNTIME_DIR", str(tmp_path / "run"))
    spool = PromptSpool.of_database(str(db), os.environ)
    said = {"client": "codex", "workspace": "default", "session": "s", "prompt": "We deploy"}
    spool.add(SpooledPrompt(id="p1", at=datetime.now(UTC), **said))
    assert "1 prompt to be recorded" in _one(doctor(db=db), "hooks", "ok")["found"]


def test_turns_without_a_part_of_memory_are_told_with_their_share_and_cause(doctor, db):
    with Tacit.open(db, embedder="none") as tacit:
        say(tacit, "Which statement is about this and that?")
    assert "1 turn in 7 days" in _one(doctor(db=db), "turns", "ok")["found"]
    with Tacit.open(db, embedder=FakeEmbedder()) as tacit:
        say(tacit, "Which statement is about this and that?")
    found = _one(doctor(db=db), "turns", "warning")["found"]
    assert "1 of 2 turns (50%) of the last 7 days" in found
    assert "1 × vectors: 50 of 50 memories have none of this model" in found
