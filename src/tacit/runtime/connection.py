"""A connection whose headers must come soon and are bounded in size and number per address."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEADER_SECONDS = 10.0
MOST_WAITING = 128
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


class ImpatientConnection(HttpToolsProtocol):
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
            if isinstance(each, ImpatientConnection)
            and each.waiting is not None
            and _host(each) == _host(self)
        }
        if len(waiting) > MOST_WAITING:
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


def _host(connection: HttpToolsProtocol) -> str:
    return connection.client[0] if connection.client else ""
