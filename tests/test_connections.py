"""Connections and forms that take without giving: given up before they shut out anybody."""

import asyncio
import os
import stat

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from tacit import Tacit
from tacit.runtime import connection
from tacit.runtime.hosts import Hosts
from tacit.runtime.listener import Listener
from tacit.runtime.listening import bound
from tests.serving import served


async def _answer(scope, receive, send):
    if scope["type"] == "http":
        await PlainTextResponse("served")(scope, receive, send)


async def _with_listener(act):
    """Act on the port of a listener."""
    ready = asyncio.Event()
    listener = Listener(_answer, ready.set, drain_seconds=1)
    listener.config.lifespan = "off"
    listening = bound("127.0.0.1", 0)
    task = asyncio.create_task(listener._serve([listening]))
    await ready.wait()
    try:
        return await act(listening.getsockname()[1])
    finally:
        listener.end()
        await task
        listening.close()


async def _is_served(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    told = await reader.read()
    writer.close()
    return told.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("sent", [b"", b"G", b"\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_connection_whose_headers_do_not_come_is_closed(monkeypatch, sent):
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.05)

    async def act(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        told = await asyncio.wait_for(reader.read(), 30)
        writer.close()
        return told

    assert asyncio.run(_with_listener(act)) == b""


def test_a_request_that_takes_its_time_is_answered(monkeypatch):
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.05)

    async def act(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert (await reader.readuntil(b"served")).startswith(b"HTTP/1.1 200")
        writer.close()
        return await _is_served(port)

    assert asyncio.run(_with_listener(act))


def test_connections_without_headers_shut_out_nobody(monkeypatch):
    monkeypatch.setattr(connection, "MOST_WAITING", 3)

    async def act(port):
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
        assert await _is_served(port)
        closed = [await asyncio.wait_for(reader.read(), 30) for reader, _ in idle[:6]]
        for _, writer in idle:
            writer.close()
        return closed

    assert asyncio.run(_with_listener(act)) == [b""] * 6


def _guarded():
    from tacit.ui.security import SecurityMiddleware

    async def echo(scope, receive, send):
        taken = 0
        while True:
            message = await receive()
            taken += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        await PlainTextResponse(str(taken))(scope, receive, send)

    return SecurityMiddleware(echo, Hosts(("testserver",)))


def test_a_form_of_a_page_has_a_few_kilobytes():
    pytest.importorskip("nicegui")
    client = TestClient(_guarded())
    assert client.post("/sign-in", content=b"a" * 60_000).text == "60000"
    assert client.post("/sign-in", content=b"a" * 70_000).status_code == 413
    assert client.post("/sign-in", content=iter([b"a" * 50_000] * 3)).status_code == 413


def test_who_hangs_up_while_signing_in_leaves_nothing_behind():
    pytest.importorskip("nicegui")
    sent = []

    async def gone():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"testserver"), (b"content-length", b"10")]
    scope = {"type": "http", "method": "POST", "path": "/sign-in", "headers": headers}
    asyncio.run(_guarded()(scope, gone, send))
    assert sent == []


def test_one_key_leaves_event_streams_to_others(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nevent_streams = 8\n")
    with served(config=config) as house:
        streams = house.service.streams
        assert [streams.open("one", 8) for _ in range(8)].count(True) == 4
        assert streams.open("other", 8)
        assert streams.count == 5


@pytest.mark.skipif(not hasattr(os, "umask"), reason="modes of folders")
def test_folders_are_made_for_their_owner_alone(tmp_path):
    old = os.umask(0)
    try:
        Tacit.open(tmp_path / "a" / "b" / "memory.db", embedder="none").close()
    finally:
        os.umask(old)
    for made in (tmp_path / "a", tmp_path / "a" / "b"):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
