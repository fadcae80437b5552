"""A process that serves an application on a socket, until it is told to stop."""

import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import uvicorn
from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message

from tacit.server.service import Service


class Listener(uvicorn.Server):
    """Tells when it listens, and lets streams end before it waits for answers to be sent."""

    def __init__(self, app: ASGIApp, service: Service, announce: Callable[[], None]) -> None:
        logging.getLogger("uvicorn").setLevel(logging.WARNING)  # it tells of starting in many words
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=service.config.server.drain_seconds,
        )
        super().__init__(config)
        self._app = app
        self._service = service
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, once nothing is left to be made ready by the first request."""
        limit = self._service.config.server.threads
        to_thread.current_default_thread_limiter().total_tokens = limit
        if isinstance(self._app, Starlette):
            await _made_ready(self._app)
        await super().startup(sockets)
        self._announce()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop in good order; a second signal does not wait."""
        self.force_exit = self.should_exit
        self.end()

    def end(self) -> None:
        """Begin nothing new, and stop once what was begun is done."""
        self._service.stop()
        self.should_exit = True


async def _made_ready(app: Starlette) -> None:
    """Ask for what is not there, so that every route is looked at."""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/-", "headers": [], "query_string": b""}
    with suppress(HTTPException):
        await app.router({**scope, "app": app, "root_path": ""}, receive, send)
