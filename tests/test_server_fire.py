"""Servers killed under load: clients send again what was not answered, and all that holds."""

import random
import time
from collections import Counter

import httpx2
import pytest

from tacit import FakeEmbedder, Tacit
from tests.fire.journal import attempts
from tests.fire.judge import judge
from tests.fire.server_balancer import balanced
from tests.fire.server_client import HEADER, Client
from tests.fire.server_crew import serving
from tests.postgres_server import new_database

_CLIENTS = 4
_MOST_BETWEEN_KILLS = 25
_STUCK_SECONDS = 120
_PAGE = 1_000


@pytest.mark.crash
def test_nothing_is_lost_when_the_server_is_killed_fifty_times(tmp_path):
    _one_server_killed(tmp_path, kills=50)


@pytest.mark.crash
def test_two_servers_on_one_database_lose_nothing_when_either_is_killed_fifty_times(tmp_path):
    _one_of_two_killed(tmp_path, kills=50)


def _one_server_killed(folder, kills):
    database = str(folder / "memory.db")
    with serving(database) as servers:
        clients = _at_work(servers.urls[0], folder, keeps_connections=True)
        _kill(servers, clients, kills)
        _check_over_the_api(servers.urls[0], folder, clients)
    _judged(database, folder, clients, servers.kills)


def _one_of_two_killed(folder, kills):
    database = new_database(f"tacit_server_fire_{kills}")
    with serving(database, 2) as servers:
        with balanced(servers.ports) as balancer:
            clients = _at_work(balancer.url, folder, keeps_connections=False)
            _kill(servers, clients, kills)
            _check_over_the_api(balancer.url, folder, clients)
        turns = [turn for client in clients for turn in client.begun_and_committed]
        crossed = sum(balancer.served[first] != balancer.served[last] for first, last in turns)
        print(f"{crossed} of {len(turns)} turns were committed by the server that had not begun it")
        assert crossed > 0
    _judged(database, folder, clients, servers.kills)


def _at_work(url, folder, *, keeps_connections):
    clients = [
        Client(url, folder, number, keeps_connections=keeps_connections)
        for number in range(_CLIENTS)
    ]
    for client in clients:
        client.start()
    return clients


def _kill(servers, clients, kills):
    """Kill one after a few more answers each time, then let the clients settle what is open."""
    dice = random.Random(5)
    for _ in range(kills):
        _wait_for_answers(clients, dice.randint(1, _MOST_BETWEEN_KILLS))
        servers.kill_one()
    _wait_for_answers(clients, _MOST_BETWEEN_KILLS)
    for client in clients:
        client.stop()
    for client in clients:
        client.join(_STUCK_SECONDS)
    assert [client.failure for client in clients] == [None] * _CLIENTS
    assert not any(client.is_alive() for client in clients)


def _wait_for_answers(clients, more):
    wanted = _answers(clients) + more
    end = time.monotonic() + _STUCK_SECONDS
    while _answers(clients) < wanted:
        assert time.monotonic() < end, [client.failure for client in clients]
        time.sleep(0.005)


def _answers(clients):
    return sum(len(client.answered) for client in clients)


def _check_over_the_api(url, folder, clients):
    tried = [each for path in folder.glob("*.journal") for each in attempts(path)]
    with httpx2.Client(base_url=url, timeout=60) as http:
        contents = Counter(each["content"] for each in _memories(http))
        assert [content for content, count in contents.items() if count > 1] == []
        wanted = {each.given["content"] for each in tried if each.what == "remember"}
        assert wanted - set(contents) == set()
        for commit in [each for each in tried if each.what == "commit"]:
            answer = http.get(f"/v1/turns/{commit.given['receipt']}")
            assert answer.json().get("state") == "committed", (commit, answer.text)
        for id in [id for client in clients for id in client.rolled_back]:
            assert http.get(f"/v1/turns/{id}").status_code == 404
        for sent, told in [each for client in clients for each in client.answered[-5:]]:
            again = http.post(sent.path, json=sent.body, headers={HEADER: sent.key})
            assert (again.json(), again.headers["Idempotent-Replayed"]) == (told, "true")


def _memories(http):
    asked = {"any_state": True, "sort": "created", "limit": _PAGE}
    after = {}
    while True:
        page = http.get("/v1/memories", params={**asked, **after}).json()
        yield from page["items"]
        if page["next"] is None:
            return
        after = {"after": page["next"]}


def _judged(database, folder, clients, kills):
    """The servers had no embedder, and the judge has one."""
    with Tacit.open(database, embedder=FakeEmbedder()) as tacit:
        tacit.archive.embed_missing()
    verdict = judge(database, folder)
    cut_off = sum(client.cut_off for client in clients)
    later = sum(client.taken_over for client in clients)
    never = sum(client.never_taken_over for client in clients)
    print(
        f"{kills} kills, {cut_off} requests cut off, {later} taken over by key,"
        f" {never} settled without it: {verdict}"
    )
    assert verdict.turns > 0
