"""A process that serves an application on a socket, until it is told to stop."""

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


class ServiceListener(HttpServer):
    """Is ready before it listens, and lets streams end before it waits for answers to be sent."""

    def __init__(self, app: ASGIApp, service: Service, announce: Callable[[], None]) -> None:
        super().__init__(app, announce, drain_seconds=service.config.server.drain_seconds)
        self._app = app
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, once nothing is left to be made ready by the first request."""
        limit = self._service.config.server.threads
        sys.setswitchinterval(_SWITCH_SECONDS)
        to_thread.current_default_thread_limiter().total_tokens = limit
        if isinstance(self._app, Starlette):
            await _made_ready(self._app)
        await super().startup(sockets)

    def end(self) -> None:
        """Begin nothing new, and stop once what was begun is done."""
        self._service.stop()
        super().end()


async def _made_ready(app: Starlette) -> None:
    """Ask for what is not there, so that every route is looked at."""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/-", "headers": [], "query_string": b""}
    with suppress(HTTPException):
        await app.router({**scope, "app": app, "root_path": ""}, receive, send)
