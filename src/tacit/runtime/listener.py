"""A listener: an application on a socket, which tells when it can be reached."""

import logging
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn

from tacit.runtime.connection import ImpatientConnection

_MAX_SOCKET_MESSAGE_BYTES = 1024 * 1024


class Listener(uvicorn.Server):
    """Tells when it listens, and stops in good order: what has begun has so many seconds to end."""

    def __init__(self, app: Any, announce: Callable[[], None], *, drain_seconds: int) -> None:
        logging.getLogger("uvicorn").setLevel(logging.WARNING)  # it tells of starting in many words
        config = uvicorn.Config(
            app,
            http=ImpatientConnection,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws_max_size=_MAX_SOCKET_MESSAGE_BYTES,
            timeout_graceful_shutdown=drain_seconds,
        )
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self._announce()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop in good order; a second signal does not wait."""
        self.force_exit = self.should_exit
        self.end()

    def end(self) -> None:
        """Begin nothing new, and stop once what was begun is done."""
        self.should_exit = True
