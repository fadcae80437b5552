"""Connections and forms that take without giving: given up before they shut out anybody."""

import asyncio
import os
import stat

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tacit import Tacit
from tacit.runtime import http_server as connection
from tacit.runtime.addresses import AllowedHosts, bind_socket
from tacit.runtime.http_server import HttpServer
from tests.serving import served


async def _answer(scope, receive, send):
    if scope["type"] == "http":
        await PlainTextResponse("served")(scope, receive, send)


async def _with_listener(act, app=_answer):
    """Act on the port of a listener."""
    ready = asyncio.Event()
    listener = HttpServer(app, ready.set, drain_seconds=1)
    listener.config.lifespan = "off"
    listening = bind_socket("127.0.0.1", 0)
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
    monkeypatch.setattr(connection, "MAX_WAITING_CONNECTIONS", 3)

    async def act(port):
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
        assert await _is_served(port)
        closed = [await asyncio.wait_for(reader.read(), 30) for reader, _ in idle[:6]]
        for _, writer in idle:
            writer.close()
        return closed

    assert asyncio.run(_with_listener(act)) == [b""] * 6


_HEAD = b"GET / HTTP/1.1\r\nHost: a\r\n"
_CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


async def _send_in_pieces(port, parts):
    """What is answered to a request that comes in many pieces."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)
        return await asyncio.wait_for(reader.read(), 30)
    except ConnectionError:
        return b"closed"
    finally:
        writer.close()


@pytest.mark.parametrize(
    "parts",
    [
        [_HEAD + b"A: ", *[b"a" * 9_000] * 8],
        [_HEAD + b"A: " + b"a" * 70_000 + b"\r\n\r\n"],
        [_HEAD, *[b"A: " + b"a" * 900 + b"\r\n"] * 80],
        [_HEAD + b"A: a\r\n" * 2_000 + b"\r\n"],
        [b"GET /", *[b"a" * 9_000] * 8],
        [b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n"],
    ],
    ids=["endless", "long", "many", "short", "endless URL", "long URL"],
)
def test_a_request_whose_headers_are_too_large_gets_431(parts):
    told = asyncio.run(_with_listener(lambda port: _send_in_pieces(port, parts)))
    assert told == b"closed" or told.startswith(b"HTTP/1.1 431 ")
    assert told.count(b"HTTP/1.1") <= 1


def test_the_answer_to_headers_that_are_too_large_can_be_read():
    parts = [_HEAD + b"A: ", b"a" * (connection.MAX_HEADER_BYTES - 100), b"a" * 100]
    told = asyncio.run(_with_listener(lambda port: _send_in_pieces(port, parts)))
    assert told.startswith(b"HTTP/1.1 431 ")
    assert told.endswith(b"longer than 64 KB.")


@pytest.mark.parametrize("trailers", [[b"A: ", *[b"a" * 9_000] * 8], [b"A: a\r\n" * 2_000]])
def test_trailers_are_bounded_as_headers_are(trailers):
    heard = []

    async def app(scope, receive, send):
        while True:
            message = await receive()
            heard.append(message["type"])
            if message["type"] == "http.disconnect":
                return

    parts = [_CHUNKED + b"1\r\na\r\n0\r\n", *trailers]
    told = asyncio.run(_with_listener(lambda port: _send_in_pieces(port, parts), app))
    assert told in (b"", b"closed")
    assert heard[-1] == "http.disconnect"


def test_a_trailer_is_no_header():
    seen = []

    async def app(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        seen.extend(scope["headers"])
        await PlainTextResponse("served")(scope, receive, send)

    async def act(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_CHUNKED + b"1\r\na\r\n0\r\nAuthorization: Bearer x\r\n\r\n")
        await reader.readuntil(b"served")
        writer.close()

    asyncio.run(_with_listener(act, app))
    assert [name for name, _ in seen] == [b"host", b"transfer-encoding"]


def test_a_long_body_in_short_chunks_is_served():
    async def act(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_CHUNKED)
        for _ in range(100):
            writer.write(b"1;name=value\r\na\r\n" * 100)
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        told = await asyncio.wait_for(reader.readuntil(b"served"), 30)
        writer.close()
        return told

    assert asyncio.run(_with_listener(act)).startswith(b"HTTP/1.1 200")


def _guarded(**options):
    from tacit.ui.security import SecurityMiddleware

    async def echo(scope, receive, send):
        taken = 0
        while True:
            message = await receive()
            taken += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        await PlainTextResponse(str(taken))(scope, receive, send)

    return SecurityMiddleware(echo, AllowedHosts(("testserver",)), **options)


def test_a_form_of_a_page_has_a_few_kilobytes():
    pytest.importorskip("nicegui")
    client = TestClient(_guarded())
    assert client.post("/sign-in", content=b"a" * 60_000).text == "60000"
    assert client.post("/sign-in", content=b"a" * 70_000).status_code == 413
    assert client.post("/sign-in", content=iter([b"a" * 50_000] * 3)).status_code == 413


def test_the_address_of_a_page_has_so_many_parameters_and_bytes():
    pytest.importorskip("nicegui")
    client = TestClient(_guarded())
    assert client.get("/memories?" + "a=1&" * 199).status_code == 200
    for query in ("a=1&" * 200, "a" * 33_000):
        assert client.get(f"/memories?{query}").status_code == 414


def _sockets(app, **options):
    pytest.importorskip("nicegui")
    from tacit.ui.security import SecurityMiddleware

    return TestClient(SecurityMiddleware(app, AllowedHosts(("testserver",)), **options))


async def _echo(scope, receive, send):
    """Sends back the length of each message."""
    assert (await receive())["type"] == "websocket.connect"
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": str(len(message["text"]))})
    await send({"type": "websocket.send", "text": "too late"})


@pytest.mark.parametrize(
    ("sent", "code"),
    [({"bytes": b"a"}, 1003), ({"text": "bYWJj"}, 1003), ({"text": "4" * 300_000}, 1009)],
)
def test_a_page_sends_short_text_only(sent, code):
    client = _sockets(_echo)
    with client.websocket_connect("/_nicegui_ws/socket.io/") as socket:
        socket.send_text("4" * 200_000)
        assert socket.receive_text() == "200000"
        socket.send({"type": "websocket.receive", **sent})
        assert socket.receive() == {"type": "websocket.close", "code": code}


def test_one_address_opens_so_many_sockets(monkeypatch):
    pytest.importorskip("nicegui")
    from tacit.settings.server import ServerSettings
    from tacit.ui import sockets

    monkeypatch.setattr(sockets, "MAX_SOCKETS_PER_ADDRESS", 2)
    proxies = ServerSettings(trusted_proxies="10.0.0.1").proxy_networks
    client = _sockets(_echo, trusted=lambda: proxies)
    client = TestClient(client.app, client=("10.0.0.1", 1))

    def connect(address):
        return client.websocket_connect("/_nicegui_ws/", headers={"X-Forwarded-For": address})

    with connect("192.0.2.1"), connect("192.0.2.1"):
        with pytest.raises(WebSocketDisconnect), connect("192.0.2.1"):
            pass
        with connect("192.0.2.2"):
            pass
    with connect("192.0.2.1"):
        pass


def test_messages_of_a_socket_that_come_too_fast_are_held_back():
    pytest.importorskip("nicegui")
    from tacit.ui.sockets import MessageRate

    now = 0.0
    rate = MessageRate(lambda: now)
    assert not any(rate.delay(1) for _ in range(1_000))
    assert sum(rate.delay(1) for _ in range(100)) > 1
    now = 60.0
    assert [rate.delay(200_000) for _ in range(10)] == [0.0] * 10
    assert rate.delay(200_000) > 0


def test_the_pages_take_no_polling_and_let_no_other_origin_in():
    async def open_to_all(scope, receive, send):
        headers = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": "true"}
        await PlainTextResponse("served", headers=headers)(scope, receive, send)

    client = _sockets(open_to_all)
    assert client.post("/_nicegui_ws/socket.io/?transport=polling").status_code == 400
    answer = client.get("/sign-in")
    assert answer.text == "served"
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_the_pages_of_one_address_are_limited_and_files_are_not():
    pytest.importorskip("nicegui")
    from nicegui import __version__ as version

    client = TestClient(_guarded(monotonic=lambda: 0.0))
    answers = [client.get("/memories") for _ in range(150)]
    assert {answer.status_code for answer in answers} == {200, 429}
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert client.get("/sign-in").status_code == 429
    assert client.get(f"/_nicegui/{version}/nowhere").status_code == 429
    for path in ("/_tacit/tacit.js", f"/_nicegui/{version}/static/vue.js"):
        assert client.get(path).status_code == 200
    other = TestClient(client.app, client=("192.0.2.9", 1))
    assert other.get("/memories").status_code == 200


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
