"""A server itself through the client: its status, readiness and metrics."""

import inspect
from pathlib import Path

import pytest

from tacit import RemoteTacit, Tacit
from tacit.api.client.administration import RemoteServer
from tacit.core.errors import NotAllowed, Unanswered
from tacit.core.keys import Role
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
        tacit.settings.write_file(HOUSE)
        yield tacit.server


@pytest.fixture
def visitor(place):
    """The server as the holder of a key for one workspace sees it."""
    with Tacit.connect(place.url, place.narrow) as tacit:
        yield tacit


def test_the_status_tells_who_runs_the_server_everything(server, place):
    status = server.status()
    assert (status.version, status.workspace, status.role) == (__version__, "shop", Role.ADMIN)
    assert (status.server_wide, status.keys_needed, status.agent) == (True, True, None)
    assert (status.settings.path, status.settings.problem) == (str(place.file), None)
    assert status.store["backend"] == "sqlite"
    assert status.started_at.tzinfo is not None
    assert "upkeep" in {job.name for job in status.jobs}


def test_the_status_tells_others_what_is_theirs_to_know(visitor):
    status = visitor.server.status()
    assert (status.workspace, status.role, status.server_wide) == ("shop", Role.READ, False)
    assert (status.settings.path, status.jobs, status.keys_needed) == (None, (), True)
    settings, keys = visitor.settings, visitor.keys
    for call in (visitor.server.metrics, settings.show, settings.agents, keys.list):
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


def test_the_docs_name_every_call():
    page = (Path(__file__).parent.parent / "docs/client.md").read_text()
    for name, _ in inspect.getmembers(RemoteServer, inspect.isfunction):
        assert name.startswith("_") or f"`{name}(" in page, name
