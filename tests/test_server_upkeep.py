"""What a server does beside its answers: jobs, events of its own, traces, leases and shares."""

import threading
import time

import pytest

from tacit import Tacit
from tacit.api.calls import answers
from tacit.core.events import EventKind
from tacit.server import idempotency
from tests.collecting import collecting
from tests.serving import running, served

NEW = {"content": "the tea is green"}
SAID = {"session": "s", "text": "Where is the tea?"}


@pytest.fixture
def house():
    with served() as house:
        yield house


def test_tidying_drops_events_and_answers_that_are_not_kept(tmp_path, monkeypatch):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nevents_kept = 100\n")
    with served(config=config) as house:
        for number in range(120):
            house.tacit.workspace.open("w").workspace.note(
                EventKind.SETTINGS_CHANGED, {"number": number}
            )
        headers = {"Tacit-Workspace": "w", "Idempotency-Key": "one"}
        house.client.post("/v1/memories", json=NEW, headers=headers)
        monkeypatch.setattr(answers, "timedelta", lambda **_: -answers._LEASE)
        house.service.jobs.run("tidying").result(30)
        assert house.tacit.workspace.open("w").workspace.events().first == 22
        (tidying,) = [each for each in house.service.jobs.outcomes() if each.name == "tidying"]
        assert tidying.last_result == "dropped 21 events and 1 answers"


def test_looking_at_a_workspace_that_is_not_there_makes_none(house):
    house.client.get("/v1/memories", headers={"Tacit-Workspace": "nowhere"})
    for name in ("tidying", "vectors", "tokens", "upkeep", "learning"):
        house.service.jobs.run(name).result(30)
    assert "nowhere" not in house.tacit.workspace.names()


@pytest.mark.parametrize("what", ["vectors", "tokens"])
@pytest.mark.parametrize("is_asked_for", [True, False])
def test_memories_without_vectors_or_tokens_get_them(tmp_path, what, is_asked_for):
    with Tacit.open(tmp_path / "m.db", "north", embedder="none") as plain:
        plain.remember("the barn has two doors")
    with served(tmp_path / "m.db") as house:
        if is_asked_for:
            house.client.get("/v1/stats", headers={"Tacit-Workspace": "north"})
        house.service.jobs.run(what if is_asked_for else f"all {what}").result(30)
    with Tacit.open(tmp_path / "m.db", "north", embedder="none") as tacit:
        counts = tacit.workspace.stats().counts
        held = {"vectors": counts.vectors, "tokens": counts.token_codes}
        assert sum(held[what].values()) == 1


def test_who_runs_the_server_sees_how_far_a_job_is(house):
    house.service.jobs.note_progress("tokens", "tokens: 8 of 90 in north")
    jobs = house.client.get("/v1/status").json()["jobs"]
    assert {each["name"]: each["progress"] for each in jobs}["tokens"] == "tokens: 8 of 90 in north"


def test_a_job_that_fails_is_told_to_who_runs_the_server_alone(house, monkeypatch):
    monkeypatch.setattr(type(house.tacit.workspace), "names", lambda _: 1 / 0)
    house.service.jobs.run("all vectors").result(30)
    keys = house.key("read"), house.key("read", workspace="north")
    whole, narrow = (house.client.get("/v1/status", headers=each).json() for each in keys)
    errors = {each["name"]: each["last_error"] for each in whole["jobs"]}
    assert "ZeroDivisionError" in errors["all vectors"]
    assert narrow["jobs"] == []


def test_those_who_watch_hear_of_other_settings_and_of_a_file_that_is_wrong(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("")
    environment = {"TACIT_CONFIG": str(config)}
    with running(tmp_path / "m.db", environment=environment) as server, server.client() as client:
        client.post("/v1/memories", json=NEW)
        for text, is_valid in (("[search]\nrrf_k = 7\n", True), ("[search]\nrrf_k = no\n", False)):
            config.write_text(text)
            assert _eventually(lambda valid=is_valid: {"valid": valid} in _settings_events(client))


def test_a_collector_hears_of_requests_and_turns(tmp_path):
    with collecting() as collector:
        address = f"http://127.0.0.1:{collector.server_port}"
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": address}
        with running(tmp_path / "m.db", environment=environment) as server:
            with server.client() as client:
                client.post("/v1/turns", json={"session": "s", "text": "Where is the tea kept?"})
            server.stop()
        spans = [
            span
            for _, sent in collector.received
            for resource in sent.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
    (request,) = [span for span in spans if span.name == "POST /v1/turns"]
    (turn,) = [span for span in spans if span.name == "tacit.turn"]
    assert turn.parent_span_id == request.span_id
    assert "tea" not in str(spans)


def test_a_request_that_takes_long_is_not_begun_twice(house, monkeypatch):
    monkeypatch.setattr(idempotency, "_RENEWED_SECONDS", 0.02)
    monkeypatch.setattr(answers, "_LEASE", answers._LEASE / 30)
    begun, go = threading.Event(), threading.Event()
    really = type(house.tacit).turn

    def slow(*given, **named):
        begun.set()
        assert go.wait(30)
        return really(*given, **named)

    monkeypatch.setattr(type(house.tacit), "turn", slow)
    sent = []
    asked = {"json": SAID, "headers": {"Idempotency-Key": "one"}}
    first = threading.Thread(target=lambda: sent.append(house.client.post("/v1/turns", **asked)))
    first.start()
    assert begun.wait(30)
    time.sleep(2 * answers._LEASE.total_seconds())
    second = house.client.post("/v1/turns", **asked)
    go.set()
    first.join(30)
    assert (second.status_code, sent[0].status_code) == (409, 201)
    assert house.client.post("/v1/turns", **asked).json() == sent[0].json()


def test_a_request_whose_server_died_is_taken_over(house, monkeypatch):
    monkeypatch.setattr(answers, "_LEASE", -answers._LEASE)
    asked = {"json": SAID, "headers": {"Idempotency-Key": "one"}}
    monkeypatch.setattr(answers.AnswerStore, "finish", lambda *_: None)
    assert house.client.post("/v1/turns", **asked).status_code == 201
    monkeypatch.undo()
    assert house.client.post("/v1/turns", **asked).status_code == 409
    monkeypatch.setattr(answers, "_LEASE", -answers._LEASE)
    assert house.client.post("/v1/turns", **asked).status_code == 201


def test_processes_that_serve_together_share_what_all_may(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nrequests_per_minute = 24\nevent_streams = 3\n")
    with served(config=config) as house:
        house.service.share = 2
        allowed = [house.client.get("/v1/memories").status_code for _ in range(3)]
        assert allowed == [200, 200, 429]


def _settings_events(client):
    events = client.get("/v1/events/list", params={"limit": 100}).json()["items"]
    return [each["data"] for each in events if each["kind"] == "settings_changed"]


def _eventually(holds):
    for _ in range(300):
        if holds():
            return True
        time.sleep(0.05)
    return False
