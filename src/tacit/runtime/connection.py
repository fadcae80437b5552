"""A connection whose headers must come soon, and of which one address holds few that send none."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEADER_SECONDS = 10.0
MOST_WAITING = 128
"""Connections of one address whose headers have not come; of more the oldest is closed."""


class ImpatientConnection(HttpToolsProtocol):
    """Closes a connection whose headers do not come in time."""

    waiting: asyncio.TimerHandle | None = None
    """Set as long as headers are waited for."""

    _is_upgraded = False

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
        """Take what came; what is no part of a request is waited for a while only."""
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle
        is_between = cycle is None or cycle.response_complete
        if is_between and self.waiting is None and not self._is_upgraded:
            self._wait_for_headers()

    def on_headers_complete(self) -> None:
        """Let the request take its time from here on."""
        self._stop_waiting()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection on; whoever has it now decides how long it lasts."""
        self._is_upgraded = True
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop_waiting()
        super().connection_lost(exc)

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
