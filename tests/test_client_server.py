"""A server itself through the client: how it is, its settings, its agents and its keys."""

import inspect
from pathlib import Path

import pytest

from tacit import InvalidInput, MemoryType, NotFound, RemoteTacit, Tacit
from tacit.api.client.server import RemoteServer
from tacit.api.server_status import Agent
from tacit.core.errors import AlreadyKnown, ConfigChanged, ConfigError, NotAllowed, Unanswered
from tacit.core.keys import Role, is_token_of
from tacit.core.times import to_rfc3339
from tacit.settings.config import Config, SettingSource, SettingsTable, list_settings
from tacit.version import __version__
from tests.misbehaving import Answer, misbehaving, said
from tests.serving import running, served

HOUSE = """# Ours.
[defaults.memory_injection]
max_total = 7

[[agents]]
id = "team/re viewer"

[agents.memory_injection]
fact_limit = 2
"""
REVIEWER = "team/re viewer"


class _Place:
    """A server with keys, and the file of its settings."""

    def __init__(self, folder):
        self.file = folder / "tacit.toml"
        self.file.write_text("")
        self.db = folder / "memory.db"
        with Tacit.open(self.db) as store:
            self.admin, self.token = store.keys.add("operator", "admin")
            _, self.narrow = store.keys.add("ci", "read", workspace="shop")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = _Place(tmp_path_factory.mktemp("house"))
    own = {"TACIT_CONFIG": str(place.file)}
    with running(place.db, environment=own) as process:
        place.url = process.url
        yield place


@pytest.fixture
def server(place):
    """The server as who runs it sees it, with the settings of the house."""
    with Tacit.connect(place.url, place.token, workspace="shop") as tacit:
        tacit.server.write_raw_settings(HOUSE)
        yield tacit.server


@pytest.fixture
def visitor(place):
    """The server as the holder of a key for one workspace sees it."""
    with Tacit.connect(place.url, place.narrow) as tacit:
        yield tacit.server


def test_the_status_tells_who_runs_the_server_everything(server, place):
    status = server.status()
    assert (status.version, status.workspace, status.role) == (__version__, "shop", Role.ADMIN)
    assert (status.server_wide, status.keys_needed, status.agent) == (True, True, None)
    assert (status.settings.path, status.settings.problem) == (str(place.file), None)
    assert status.store["backend"] == "sqlite"
    assert status.started_at.tzinfo is not None
    assert "upkeep" in {job.name for job in status.jobs}


def test_the_status_tells_others_what_is_theirs_to_know(visitor):
    status = visitor.status()
    assert (status.workspace, status.role, status.server_wide) == ("shop", Role.READ, False)
    assert (status.settings.path, status.jobs, status.keys_needed) == (None, (), True)
    for call in (visitor.metrics, visitor.settings, visitor.agents, visitor.keys):
        with pytest.raises(NotAllowed):
            call()


def test_no_keys_are_needed_where_nobody_made_one():
    with served() as here:
        assert here.client.get("/v1/status").json()["keys_needed"] is False
        assert here.client.get("/v1/status", headers=here.key()).json()["keys_needed"] is True


def test_a_server_that_serves_is_ready_and_has_metrics(server):
    ready = server.ready()
    assert (ready.is_ready, set(ready.checks.values())) == (True, {"ok"})
    assert "# TYPE tacit_requests" in server.metrics()


def test_a_server_that_cannot_serve_says_why_without_being_asked_again():
    told = {"status": "not ready", "checks": {"store": "cannot be reached"}}
    with misbehaving(said(told, 503)) as line, RemoteTacit.connect(line.url) as tacit:
        ready = tacit.server.ready()
        assert (ready.is_ready, ready.checks) == (False, told["checks"])
        assert len(line.heard) == 1


def test_what_stands_before_a_server_is_not_taken_for_it():
    with (
        misbehaving(Answer(503, b"<html>")) as line,
        RemoteTacit.connect(line.url) as tacit,
        pytest.raises(Unanswered, match="not as Tacit"),
    ):
        tacit.server.ready()


def test_settings_are_the_entries_that_the_library_has(server, place):
    report = server.settings()
    assert (report.path, report.problem) == (str(place.file), None)
    assert report.agents == (REVIEWER,)
    assert list(report.tables) == list(SettingsTable)
    config = Config(path=place.file, defaults={"max_total": 7})
    assert report.tables == {table: list_settings(config, table) for table in SettingsTable}


def test_a_change_names_what_it_changes_and_leaves_the_rest(server, place):
    changes = {"memory_injection": {"max_total": None}, SettingsTable.SEARCH: {"rrf_k": 5}}
    report = server.change_settings(changes)
    assert report.tables["memory_injection"]["max_total"].source is SettingSource.BUILT_IN
    assert report.tables["search"]["rrf_k"].value == 5
    assert report.version == server.settings().version
    assert "# Ours." in place.file.read_text()


def test_values_of_the_library_travel(server):
    kept = (MemoryType.GOAL, MemoryType.CONSTRAINT)
    wanted = {"memory_injection": {"pinned_types": [*kept, "zebra"]}}
    report = server.change_settings(wanted)
    assert "'zebra' is left out" in report.warnings[0]
    assert report.tables["memory_injection"]["pinned_types"].value == kept
    assert server.agent(REVIEWER).values["pinned_types"] == kept


def test_who_read_an_older_version_is_told_and_nothing_is_written(server, place):
    read = server.settings().version
    assert server.raw_settings().version == server.agent(REVIEWER).version == read
    server.change_settings({"search": {"rrf_k": 6}}, version=read)
    before = place.file.read_text()
    for late in (
        lambda: server.change_settings({"search": {"rrf_k": 9}}, version=read),
        lambda: server.write_raw_settings("", version=read),
        lambda: server.change_agent(REVIEWER, {"fact_limit": 9}, version=read),
    ):
        with pytest.raises(ConfigChanged, match="read it again"):
            late()
    assert place.file.read_text() == before


def test_a_value_that_is_wrong_is_named(server, place):
    with pytest.raises(InvalidInput) as caught:
        server.change_settings({"search": {"rrf_k": 0}})
    assert caught.value.field == "search.rrf_k"
    with pytest.raises(InvalidInput) as caught:
        server.change_agent(REVIEWER, {"fact_limt": 1})
    assert "did you mean fact_limit?" in str(caught.value)
    assert place.file.read_text() == HOUSE


def test_the_text_of_the_file_goes_out_and_in_as_it_is(server, place):
    edition = server.raw_settings()
    assert edition.text == HOUSE
    text = "# ä\r\n[search]\r\nrrf_k = 4\r\n"
    report = server.write_raw_settings(text, version=edition.version)
    assert report.tables["search"]["rrf_k"].value == 4
    assert server.raw_settings().text == text
    assert place.file.read_bytes() == text.encode()


def test_a_text_is_checked_before_it_is_written(server, place):
    wrong = "[search]\nrrf_k = 0\n"
    assert server.check_settings(HOUSE) is None
    assert "line 2: search.rrf_k" in server.check_settings(wrong)
    with pytest.raises(ConfigError, match=r"line 2: search\.rrf_k"):
        server.write_raw_settings(wrong)
    with pytest.raises(InvalidInput, match="half a character"):
        server.write_raw_settings("# \ud800")
    assert place.file.read_text() == HOUSE


def test_an_agent_has_values_of_its_own_until_it_gives_them_up(server):
    assert server.agents() == [Agent(id=REVIEWER, is_overridden=True)]
    own = server.agent(REVIEWER)
    assert (own.id, own.is_overridden) == (REVIEWER, True)
    assert (own.values["fact_limit"], own.sources["fact_limit"]) == (2, SettingSource.AGENT)
    assert (own.values["max_total"], own.sources["max_total"]) == (7, SettingSource.FILE)
    own = server.change_agent(REVIEWER, {"max_total": 3}, reset=True, version=own.version)
    assert own.sources["fact_limit"] is SettingSource.BUILT_IN
    assert own.values["max_total"] == 3
    own = server.change_agent(REVIEWER, {"max_total": None})
    assert (own.is_overridden, own.values["max_total"]) == (False, 7)
    assert server.agent("nobody").is_overridden is False


def test_a_key_is_made_told_once_and_revoked(server, place):
    key, token = server.add_key("desk", "write", workspace="shop", agent="coder")
    assert (key.name, key.role, key.workspace, key.agent) == ("desk", Role.WRITE, "shop", "coder")
    assert key == server.keys()[-1]
    assert not is_token_of(key, token)
    with Tacit.connect(place.url, token) as tacit:
        assert tacit.server.status().agent == "coder"
    with pytest.raises(AlreadyKnown):
        server.add_key("desk", "read")
    with pytest.raises(InvalidInput, match="role"):
        server.add_key("other", "king")
    server.revoke_key(key.id)
    assert server.keys()[-1].revoked_at is not None
    with pytest.raises(NotFound):
        server.revoke_key("../status")


def test_keys_that_were_there_are_told_without_their_secrets(server, place):
    first = server.keys()[0]
    assert (first.id, first.workspace) == (place.admin.id, None)
    assert to_rfc3339(first.created_at) == to_rfc3339(place.admin.created_at)


def test_the_docs_name_every_call():
    page = (Path(__file__).parent.parent / "docs/client.md").read_text()
    for name, _ in inspect.getmembers(RemoteServer, inspect.isfunction):
        assert name.startswith("_") or f"`{name}(" in page, name
