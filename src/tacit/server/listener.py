"""The listening part of a server process, which the daemon uses without the REST application."""

import socket
import sys
from collections.abc import Callable
from contextlib import suppress

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message

from tacit.runtime.http_server import HttpServer
from tacit.server.service import Service

_SWITCH_SECONDS = 0.0005
"""So soon a thread that computes lets the others go on: answering must not wait for reading."""

_MORE_THREADS = 2
"""For looking up keys and the like, beside the threads that requests are worked on with."""


class ServiceListener(HttpServer):
    """Prepares everything before it listens, and ends streams before it drains responses."""

    def __init__(
        self,
        app: ASGIApp,
        service: Service,
        announce: Callable[[], None],
        *,
        routes: Starlette | None = None,
        sockets: bool = False,
    ) -> None:
        seconds = service.config.server.drain_seconds
        super().__init__(app, announce, drain_seconds=seconds, sockets=sockets)
        self._routes = routes
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Prepare the routes and threads, then listen."""
        limit = self._service.config.server.threads
        sys.setswitchinterval(_SWITCH_SECONDS)
        to_thread.current_default_thread_limiter().total_tokens = limit + _MORE_THREADS
        if self._routes is not None:
            await _prepare_routes(self._routes)
        await super().startup(sockets)

    def end(self) -> None:
        """Stop accepting work, and end once begun work is done."""
        self._service.stop()
        super().end()


async def _prepare_routes(app: Starlette) -> None:
    """Send a request for an unknown path, so that every route is compiled."""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/-", "headers": [], "query_string": b""}
    with suppress(HTTPException):
        await app.router({**scope, "app": app, "root_path": ""}, receive, send)
