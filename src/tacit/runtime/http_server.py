"""The HTTP server: limits on connections and headers, request bodies, and a graceful stop."""

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from types import FrameType
from typing import IO, Any

import uvicorn
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tacit.core.errors import TacitError

HEADER_SECONDS = 10.0
MAX_WAITING_CONNECTIONS = 128
"""Connections of one address whose headers have not come; of more the oldest is closed."""

MAX_HEADER_BYTES = 64 * 1024
"""Request line, headers and trailers of one request; a longer head gets 431."""

_BYTES_PER_HEADER = 32
"""Counted for each header beside its text, as HTTP/2 counts them: it bounds their number too."""

_TOO_LARGE = b"The request line and the headers are longer than 64 KB."
_TOO_LARGE_RESPONSE = b"\r\n".join(
    (
        b"HTTP/1.1 431 Request Header Fields Too Large",
        b"content-type: text/plain; charset=utf-8",
        b"content-length: %d" % len(_TOO_LARGE),
        b"connection: close",
        b"",
        _TOO_LARGE,
    )
)


class HeadersTooLarge(Exception):
    """The request line, headers and trailers of a request exceed their limit."""


class LimitedConnection(HttpToolsProtocol):
    """Closes a connection whose headers do not come in time or are too large."""

    waiting: asyncio.TimerHandle | None = None
    """Set as long as headers are waited for."""

    _is_upgraded = False
    _is_in_headers = True
    _header_bytes = 0
    """Size of the request line, headers and trailers of this request that the parser reported."""

    _unreported_bytes = 0
    """Bytes since the parser last reported the end of headers, a chunk, a body or a request. The
    parser keeps an unfinished header and reports it only once it ends."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the headers of the first request."""
        super().connection_made(transport)
        self._wait_for_headers()
        waiting = {
            each.waiting.when(): each
            for each in self.connections
            if isinstance(each, LimitedConnection)
            and each.waiting is not None
            and _client_host(each) == _client_host(self)
        }
        if len(waiting) > MAX_WAITING_CONNECTIONS:
            waiting[min(waiting)].transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse the data, and start the timer for headers if no request is under way."""
        self._unreported_bytes += len(data)
        super().data_received(data)
        if self._unreported_bytes > MAX_HEADER_BYTES:
            self._refuse_headers()
        cycle: RequestResponseCycle | None = self.cycle
        is_between = cycle is None or cycle.response_complete
        if is_between and self.waiting is None and not self._is_upgraded:
            self._wait_for_headers()

    def on_message_begin(self) -> None:
        """Count the headers of a new request."""
        self._is_in_headers = True
        self._header_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the URL."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. A trailer is counted and dropped: it must not pass for a header."""
        self._count(len(name) + len(value) + _BYTES_PER_HEADER)
        if self._is_in_headers:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Let the request take its time from here on."""
        self._is_in_headers = False
        self._unreported_bytes = 0
        self._stop_waiting()
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        """Note that a chunk begins."""
        self._unreported_bytes = 0

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._unreported_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is there."""
        self._unreported_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser could not take."""
        if self._header_bytes > MAX_HEADER_BYTES:
            self._refuse_headers()
        else:
            super().send_400_response(msg)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection on; whoever has it now decides how long it lasts."""
        self._is_upgraded = True
        super().handle_websocket_upgrade()

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: the application answers such a request."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _count(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > MAX_HEADER_BYTES:
            raise HeadersTooLarge  # the parser stops, and the request is refused

    def _refuse_headers(self) -> None:
        """Close the connection, with 431 unless an earlier request is still being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        if self.transport.is_closing():
            return
        if self._is_in_headers and (cycle is None or cycle.response_complete):
            self.transport.write(_TOO_LARGE_RESPONSE)
        self.transport.close()

    def _wait_for_headers(self) -> None:
        self.waiting = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None

    def _give_up(self) -> None:
        self.waiting = None
        self.transport.close()


def _client_host(connection: HttpToolsProtocol) -> str:
    return connection.client[0] if connection.client else ""


_MAX_SOCKET_MESSAGE_BYTES = 1024 * 1024


class HttpServer(uvicorn.Server):
    """A uvicorn server that announces when it listens and gives running requests time to finish.

    Without `sockets`, a request for a WebSocket reaches the application like any other request.
    """

    def __init__(
        self,
        app: Any,
        announce: Callable[[], None],
        *,
        drain_seconds: int,
        sockets: bool = True,
    ) -> None:
        logging.getLogger("uvicorn").setLevel(logging.WARNING)  # it tells of starting in many words
        config = uvicorn.Config(
            app,
            http=LimitedConnection,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="auto" if sockets else "none",
            ws_max_size=_MAX_SOCKET_MESSAGE_BYTES,
            timeout_graceful_shutdown=drain_seconds,
        )
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and announce it."""
        await super().startup(sockets)
        self._announce()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop gracefully; a second signal stops at once."""
        self.force_exit = self.should_exit
        self.end()

    def end(self) -> None:
        """Accept nothing new, and stop once running requests are done."""
        self.should_exit = True


# Request bodies: read to their end before anything is done, and given up if they come too slowly.


IDLE_SECONDS = 10.0
WHOLE_SECONDS = 30.0
MIN_BYTES_PER_SECOND = 1_024
"""Bytes a second that a body must have after the first 30 seconds."""

_IN_MEMORY = 1_048_576
_PIECE = 1_048_576


class BodyTooSlow(TacitError):
    """A body whose next bytes did not come in time."""

    def __init__(self) -> None:
        super().__init__(
            f"the body did not come: after {IDLE_SECONDS:g} seconds without a byte, or"
            f" {WHOLE_SECONDS:g} at less than {MIN_BYTES_PER_SECOND} bytes a second, it is given up"
        )


class BodyTooLong(TacitError):
    """A body that is longer than is taken."""


def has_body(scope: Scope) -> bool:
    """Whether a request comes with a body."""
    headers = dict(scope["headers"])
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"


def parse_content_length(stated: str) -> int:
    """The length that a header states; 0 where it states none that can be read."""
    is_number = stated.isascii() and stated.isdigit()
    return int(stated[:20]) if is_number else 0


@dataclass(frozen=True, slots=True)
class RequestBody:
    """A body that came to its end; long ones are kept in a file without a name."""

    _file: IO[bytes]

    def replay(self, receive: Receive) -> Receive:
        """The messages of the body once more, and then whatever else is received."""
        self._file.seek(0)
        ended = False

        async def again() -> Message:
            nonlocal ended
            if ended:
                return await receive()
            piece = self._file.read(_PIECE)
            ended = len(piece) < _PIECE
            return {"type": "http.request", "body": piece, "more_body": not ended}

        return again

    def whole(self) -> bytes:
        """All of it."""
        self._file.seek(0)
        return self._file.read()

    def close(self) -> None:
        """Drop what was kept."""
        self._file.close()


async def read_body(receive: Receive, most: int) -> RequestBody:
    """Read a body of so many bytes at most; one that does not come soon enough is given up."""
    file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    try:
        begun, taken, is_more = time.monotonic(), 0, True
        while is_more:
            until = begun + WHOLE_SECONDS + taken / MIN_BYTES_PER_SECOND
            message = await _receive_next(receive, min(IDLE_SECONDS, until - time.monotonic()))
            piece = message.get("body", b"")
            taken += len(piece)
            _check_length(taken, most)
            file.write(piece)
            is_more = message.get("more_body", False)
    except BaseException:
        file.close()
        raise
    return RequestBody(file)


def _check_length(taken: int, most: int) -> None:
    if taken > most:
        raise BodyTooLong(f"at most {most // 1024} KB are taken here; send less at once")


async def _receive_next(receive: Receive, seconds: float) -> Message:
    try:
        async with asyncio.timeout(seconds):
            message = await receive()
    except TimeoutError:
        raise BodyTooSlow from None
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message
