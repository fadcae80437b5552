"""Events over the API: in pages, and as a stream that one can come back to."""

import asyncio
import json
import threading
from contextlib import contextmanager

import pytest

from tacit import Tacit
from tacit.api.tacit import find_access
from tacit.core.permissions import Viewer
from tacit.server import event_stream
from tests.serving import running, served


@pytest.fixture
def house():
    with served() as house:
        yield house


def _changed(count, start=0):
    """What to remember for so many events."""
    return [f"the tea of day {number} is green" for number in range(start, start + count)]


def _heard(lines, count=None):
    """Events as a client reads them: name, id and data; as many as are wanted."""
    found, event = [], {}
    while len(found) != count:
        line = next(lines, None)
        if line is None:
            break
        name, _, value = line.partition(": ")
        if line == "":
            if "data" in event:
                found.append((event.get("event"), event.get("id"), json.loads(event["data"])))
            event = {}
        elif name:
            event[name] = value
    return found


def _so_far(house, headers=None, **query):
    """All that a stream tells until the server stops, as it does at once."""
    house.service.streams.end()
    answer = house.client.get("/v1/events", params=query, headers=headers)
    assert answer.status_code == 200
    return _heard(iter(answer.text.splitlines()))


@contextmanager
def _listening(client, **asked):
    """A stream of a real server, from the moment on that it is heard."""
    with client.stream("GET", "/v1/events", **asked) as answer:
        lines = answer.iter_lines()
        place = next(lines)
        assert place.startswith("id: ")
        yield lines


def test_events_come_page_by_page_in_their_order(house):
    for text in _changed(5):
        house.tacit.remember(text)
    first = house.client.get("/v1/events/list?limit=3").json()
    assert [each["number"] for each in first["items"]] == [1, 2, 3]
    assert (first["first"], first["last"], first["next"]) == (1, 5, "3")
    rest = house.client.get(f"/v1/events/list?limit=3&after={first['next']}").json()
    assert [each["number"] for each in rest["items"]] == [4, 5]
    assert rest["next"] is None


def test_events_name_memories_and_never_quote_them(house):
    written = house.tacit.remember("the tea is green")
    told = house.client.get("/v1/events/list").json()["items"]
    assert told[0]["data"]["changes"] == [{"action": "insert", "memory": written.id}]
    assert "green" not in json.dumps(told)


def test_a_stream_from_0_on_tells_all_that_is_kept(house):
    for text in _changed(150):
        house.tacit.remember(text)
    house.tacit.workspace.prune_events(60)
    told = _so_far(house, after=0)
    assert [id for _, id, _ in told] == [str(number) for number in range(91, 151)]
    assert {name for name, _, _ in told} == {"memories_changed"}
    assert told[0][2]["number"] == 91


def test_a_stream_is_not_to_be_kept_or_held_back_on_its_way(house):
    house.service.streams.end()
    answer = house.client.get("/v1/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.headers["cache-control"] == "no-store"


def test_who_comes_back_too_late_is_told_of_the_gap_first(house):
    for text in _changed(150):
        house.tacit.remember(text)
    house.tacit.workspace.prune_events(100)
    told = _so_far(house, {"Last-Event-ID": "7"})
    assert told[0] == ("gap", None, {"after": 7, "first": 51})
    assert told[1][1] == "51"


@pytest.mark.parametrize("number", [50, 51, 150])
def test_who_missed_nothing_is_told_of_no_gap(house, number):
    for text in _changed(150):
        house.tacit.remember(text)
    house.tacit.workspace.prune_events(100)
    told = _so_far(house, {"Last-Event-ID": str(number)})
    assert [id for _, id, _ in told[:1]] == ([] if number == 150 else [str(number + 1)])


def test_a_number_that_was_never_given_is_a_gap_too(house):
    house.tacit.remember("the tea is green")
    assert _so_far(house, after=99) == [("gap", None, {"after": 99, "first": 1})]


def test_where_a_client_was_counts_more_than_where_it_began(house):
    for text in _changed(3):
        house.tacit.remember(text)
    assert [id for _, id, _ in _so_far(house, {"Last-Event-ID": "2"}, after=0)] == ["3"]


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "9" * 30, "²"])
def test_what_is_no_number_is_refused(house, number):
    headers = {"Last-Event-ID": number.encode()}
    assert house.client.get("/v1/events", headers=headers).status_code == 422
    assert house.client.get("/v1/events", params={"after": number}).status_code == 422
    assert house.service.streams.count == 0


def test_only_so_many_listen_at_once(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nevent_streams = 1\n")
    environment = {"TACIT_CONFIG": str(config)}
    with running(tmp_path / "m.db", environment=environment) as server, server.client() as client:
        with _listening(client):
            refused = client.get("/v1/events")
            assert (refused.status_code, "retry-after" in refused.headers) == (429, True)
            assert "tacit_event_streams 1.0" in client.get("/metrics").text
        _until(lambda: "tacit_event_streams 0.0" in client.get("/metrics").text)
        with _listening(client):
            pass
        told = client.get("/metrics").text
    timed = [line for line in told.splitlines() if "tacit_request_seconds_count" in line]
    assert [line for line in timed if 'route="/v1/events"' in line] == [
        'tacit_request_seconds_count{method="GET",route="/v1/events"} 1.0'
    ]


def _until(is_so):
    """Wait for what will be so in a moment."""
    for _ in range(600):
        if is_so():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it did not come to that")


def test_a_stream_beats_while_nothing_happens_and_ends_with_its_key(house, monkeypatch):
    monkeypatch.setattr(event_stream, "HEARTBEAT_SECONDS", 0.0)
    monkeypatch.setattr(event_stream, "ACCESS_CHECK_SECONDS", 0.0)
    key = house.key("read", "default")
    answers = []
    listening = threading.Thread(
        target=lambda: answers.append(house.client.get("/v1/events", headers=key))
    )
    listening.start()
    _until(lambda: house.service.streams.count == 1)
    house.tacit.keys.revoke(house.tacit.keys.list()[0].id)
    listening.join(30)
    (answer,) = answers
    assert set(answer.text.splitlines()) <= {"id: 0", "", ": still here"}
    assert house.service.streams.count == 0


def test_who_needed_no_key_is_sent_away_once_there_is_one(house, monkeypatch):
    monkeypatch.setattr(event_stream, "HEARTBEAT_SECONDS", 0.0)
    monkeypatch.setattr(event_stream, "ACCESS_CHECK_SECONDS", 0.0)
    listening = threading.Thread(target=lambda: house.client.get("/v1/events"))
    listening.start()
    _until(lambda: house.service.streams.count == 1)
    house.key()
    listening.join(30)
    assert not listening.is_alive()


def test_two_clients_hear_everything_once_though_one_goes_and_comes_back(tmp_path):
    with (
        running(tmp_path / "m.db") as server,
        server.client() as writer,
        server.client() as steady,
        server.client() as restless,
    ):

        def write(start):
            for text in _changed(10, start):
                writer.post("/v1/memories", json={"content": text}).raise_for_status()

        with _listening(steady) as lines:
            with _listening(restless) as some:
                write(0)
                first = _heard(some, 4)
            write(10)
            last = {"Last-Event-ID": first[-1][1]}
            with _listening(restless, headers=last) as rest:
                write(20)
                again = _heard(rest, 26)
            everything = _heard(lines, 30)
    numbers = [int(id) for _, id, _ in everything]
    assert numbers == list(range(1, 31))
    assert first + again == everything


def test_a_client_that_heard_of_nothing_yet_can_come_back_too(tmp_path):
    with running(tmp_path / "m.db") as server, server.client() as client:
        client.post("/v1/memories", json={"content": "the tea is green"}).raise_for_status()
        with client.stream("GET", "/v1/events") as answer:
            place = next(answer.iter_lines()).removeprefix("id: ")
        client.post("/v1/memories", json={"content": "the tea is black"}).raise_for_status()
        with _listening(client, headers={"Last-Event-ID": place}) as lines:
            assert [id for _, id, _ in _heard(lines, 1)] == ["2"]


def test_what_another_process_does_is_heard(tmp_path):
    path = tmp_path / "m.db"
    with (
        running(path) as server,
        server.client() as client,
        _listening(client) as lines,
        Tacit.open(path, embedder="none") as other,
    ):
        written = other.remember("the tea is green")
        other.sessions.reset_memory_injection_tracking("s1")
        other.workspace.open("elsewhere").remember("not for everybody")
        other.forget(written.id)
        heard = _heard(lines, 3)
    assert [name for name, _, _ in heard] == [
        "memories_changed",
        "session_reset",
        "memories_changed",
    ]
    assert heard[0][2]["data"]["changes"][0]["memory"] == written.id


def test_streams_end_when_the_server_stops(tmp_path):
    with (
        running(tmp_path / "m.db") as server,
        server.client() as client,
        _listening(client) as lines,
    ):
        assert server.stop() == 0
        assert _heard(lines) == []


def test_a_stream_tells_nothing_more_once_its_key_is_revoked(house):
    house.tacit.remember("the tea is green")
    own = find_access(house.tacit, Viewer())
    listener = event_stream.EventSubscriber(
        access=own, streams=house.service.streams, is_allowed=lambda: False
    )

    async def heard():
        return [each async for each in event_stream.stream_events(listener, 0)]

    assert [each for each in asyncio.run(heard()) if b"event:" in each] == []
