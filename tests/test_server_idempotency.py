"""Requests with a key: done once, answered alike, in one transaction where the work is one."""

import threading
from contextlib import contextmanager

import pytest

from tacit import Tacit
from tacit.server import idempotency
from tacit.store.postgres import connections as postgres
from tacit.store.sqlite import connections as sqlite
from tests.serving import served
from tests.support import open_backend

NEW = {"content": "the well is deep"}
ONE = {"Idempotency-Key": "one"}


@pytest.fixture
def house():
    with served() as house:
        yield house


def _key(name):
    return {"headers": {"Idempotency-Key": name}}


_BACKGROUND = ("tacit-jobs", "tacit-encoding")
"""Threads that drop what is old, once a day, and that make tokens."""


@pytest.mark.parametrize(("backend", "module"), [("sqlite", sqlite), ("postgres", postgres)])
def test_a_write_with_a_key_is_one_transaction(backend, module, tmp_path, monkeypatch):
    begun = []
    writing = module.Connections.writing

    @contextmanager
    def counted(*given):
        if threading.current_thread().name not in _BACKGROUND:
            begun.append(given)
        with writing(*given) as connection:
            yield connection

    def cost(path, body=None, status=200):
        begun.clear()
        answer = client.post(path, json=body, **_key(path))
        assert answer.status_code == status
        written = len(begun)
        again = client.post(path, json=body, **_key(path))
        assert (again.json(), again.status_code) == (answer.json(), status)
        assert again.headers["Idempotent-Replayed"] == "true"
        return written, answer.json()

    monkeypatch.setattr(module.Connections, "writing", counted)
    store = open_backend(backend, tmp_path)
    with served(store) as house:
        client = house.client
        many = {"items": [NEW, {"content": "the roof is new"}]}
        count, written = cost("/v1/memories", NEW, 201)
        assert count == 1
        assert cost("/v1/memories/bulk", many)[0] == 1
        assert cost("/v1/memories/bulk/forget", {"ids": [written["memory"]["id"]]})[0] == 1
        assert cost("/v1/sessions/s/pause")[0] == 1
        assert cost("/v1/sessions/s/resume")[0] == 1
        count, turn = cost("/v1/turns", {"session": "s", "text": "How deep is the well?"}, 201)
        assert count == 3
        assert cost(f"/v1/turns/{turn['id']}/commit", {"reply": "Deep.", "learn": False})[0] == 1
    house.tacit.close()


def test_a_server_that_dies_before_the_commit_has_done_nothing(house, monkeypatch):
    def die(*_):
        raise RuntimeError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "seal", die)
        assert house.client.post("/v1/memories", json=NEW, headers=ONE).status_code == 500
    assert house.tacit.list() == []
    answer = house.client.post("/v1/memories", json=NEW, headers=ONE)
    assert (answer.status_code, answer.json()["status"]) == (201, "created")
    assert "Idempotent-Replayed" not in answer.headers


def test_a_server_that_dies_after_the_commit_has_kept_its_answer(house, monkeypatch):
    work = idempotency._IdempotentRequest.work

    def die(*given):
        work(*given)
        raise RuntimeError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(idempotency._IdempotentRequest, "work", die)
        assert house.client.post("/v1/memories", json=NEW, headers=ONE).status_code == 500
    (memory,) = house.tacit.list()
    answer = house.client.post("/v1/memories", json=NEW, headers=ONE)
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert (answer.status_code, answer.json()["status"]) == (201, "created")
    assert answer.json()["memory"]["id"] == memory.id


def test_an_answer_stays_when_what_it_told_of_is_gone(house):
    id = house.tacit.remember("the well is deep").id
    house.tacit.forget(id)
    first = house.client.post(f"/v1/memories/{id}/restore", headers=ONE)
    house.tacit.forget(id)
    again = house.client.post(f"/v1/memories/{id}/restore", headers=ONE)
    assert (again.status_code, again.json()) == (200, first.json())


def test_the_same_request_sent_twice_at_once_is_done_once(house, monkeypatch):
    together, remember = threading.Barrier(2, timeout=30), Tacit.remember

    def remember_together(*given, **named):
        together.wait()
        return remember(*given, **named)

    monkeypatch.setattr(Tacit, "remember", remember_together)
    answers = []

    def send():
        answers.append(house.client.post("/v1/memories", json=NEW, headers=ONE))

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [each.status_code for each in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert len(house.tacit.memories.history(answers[0].json()["memory"]["id"])) == 1


def test_servers_of_one_database_do_a_request_once(tmp_path):
    with served(tmp_path / "m.db") as one, served(tmp_path / "m.db") as other:
        first = one.client.post("/v1/memories", json=NEW, headers=ONE)
        again = other.client.post("/v1/memories", json=NEW, headers=ONE)
        changed = other.client.post("/v1/memories", json={"content": "x"}, headers=ONE)
    assert (again.status_code, again.json()) == (201, first.json())
    assert changed.status_code == 422
    assert changed.json()["type"].endswith(":key_reused")


def test_what_fails_half_way_leaves_nothing(house):
    known = house.tacit.remember("the well is deep").id
    house.tacit.forget(known)
    asked = {"json": {"ids": [known, "01890a5d-ac96-774b-bcce-b302099a8057"]}, "headers": ONE}
    assert house.client.post("/v1/memories/bulk/restore", **asked).status_code == 404
    assert house.tacit.list() == []
    house.tacit.restore(known)
    assert house.client.post("/v1/memories/bulk/restore", **asked).status_code == 404


def test_what_was_said_in_a_turn_is_learned_after_its_commit(tmp_path):
    with served(tmp_path / "m.db") as house:
        body = {"session": "s", "text": "I prefer tabs over spaces in Go code."}
        turn = house.client.post("/v1/turns", json=body, **_key("begin")).json()
        house.client.post(f"/v1/turns/{turn['id']}/commit", json={"reply": "Ok."}, **_key("end"))
        house.tacit.learn()
        assert [each.content for each in house.tacit.list()]


@pytest.mark.parametrize("erase", ["id", "matching", "session"])
def test_no_erased_words_are_given_again(house, erase):
    memory = house.client.post("/v1/memories", json=NEW, **_key("new")).json()["memory"]
    asked = {"session": "s", "text": "How deep is the well?", "history": []}
    turn = house.client.post("/v1/turns", json=asked, **_key("turn"))
    assert "the well is deep" in turn.text
    if erase == "id":
        house.tacit.erase(memory["id"])
    elif erase == "matching":
        house.tacit.memories.erase_matching(contains="well")
    else:
        house.tacit.memories.erase_session("s")
    for path, body, name in (("/v1/turns", asked, "turn"), ("/v1/memories", NEW, "new")):
        again = house.client.post(path, json=body, **_key(name))
        assert again.status_code == 410
        assert again.json()["type"] == "urn:tacit:problem:answer_erased"
        assert "deep" not in again.text
    assert [each.content for each in house.tacit.list()] == (
        ["the well is deep"] if erase == "session" else []
    )


def test_an_erasure_with_a_key_is_answered_alike(house):
    house.client.post("/v1/memories", json=NEW)
    body = {"contains": "well"}
    first = house.client.post("/v1/memories/erase", json=body, **_key("erase"))
    again = house.client.post("/v1/memories/erase", json=body, **_key("erase"))
    assert (first.status_code, again.json()) == (200, first.json())
