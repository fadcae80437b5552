"""A server process: from its options to its end."""

import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial

from anyio import to_thread
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message

from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.runtime.addresses import Networks, bind_socket, is_loopback, socket_url, to_local_url
from tacit.runtime.http_server import HttpServer
from tacit.server.app import create_app
from tacit.server.lifecycle import running_service
from tacit.server.service import Service
from tacit.server.supervisor import Supervisor, WorkerInfo, own_command
from tacit.settings.live_config import LiveConfig

_SWITCH_SECONDS = 0.0005
"""So soon a thread that computes lets the others go on: answering must not wait for reading."""

_MORE_THREADS = 2
"""For looking up keys and the like, beside the threads that requests are worked on with."""


class ServiceListener(HttpServer):
    """Prepares everything before it listens, and ends streams before it drains responses."""

    def __init__(self, app: ASGIApp, service: Service, announce: Callable[[], None]) -> None:
        super().__init__(app, announce, drain_seconds=service.config.server.drain_seconds)
        self._app = app
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Prepare the routes and threads, then listen."""
        limit = self._service.config.server.threads
        sys.setswitchinterval(_SWITCH_SECONDS)
        to_thread.current_default_thread_limiter().total_tokens = limit + _MORE_THREADS
        if isinstance(self._app, Starlette):
            await _prepare_routes(self._app)
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


# The process


MakePages = Callable[[str, tuple[str, ...], Callable[[], Networks]], FastAPI]
"""Makes the pages beside a server: the address to ask it at, its names, and trusted proxies."""

PORT = 8377
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """Where a server listens, its extra host names, and its number of processes."""

    host: str = LOOPBACK
    port: int = PORT
    hosts: tuple[str, ...] = ()
    workers: int = 1


def serve(
    tacit: Tacit,
    live: LiveConfig,
    options: ServerOptions,
    announce: Callable[[str], None],
    make_pages: MakePages | None = None,
) -> None:
    """Serve until the process is stopped; `announce` receives the address once it listens.

    Where others can reach it, nobody comes in without a key, and there must be one.
    """
    is_exposed = not is_loopback(options.host)
    if is_exposed and not tacit.keys.any():
        raise InvalidInput(
            "host",
            f"{options.host} can be reached by others, and there are no keys; make one first:"
            " tacit keys add operator --every-workspace --role admin (with the same --db)",
        )
    worker = WorkerInfo.of_process()
    if options.workers > 1 and tacit.describe()["backend"] == "memory":
        raise InvalidInput("workers", "one process alone has what is in its memory; name a --db")
    if options.workers > 1 and worker is None:
        with closing(bind_socket(options.host, options.port)) as listening:
            supervisor = Supervisor(listening, own_command(), options.workers)
            supervisor.serve(lambda: announce(socket_url(listening)))
        return
    share = worker.count if worker else 1
    with running_service(tacit, live, is_exposed=is_exposed, share=share) as service:
        _serve_in_process(service, options, is_exposed, worker, announce, make_pages)


def _serve_in_process(
    service: Service,
    options: ServerOptions,
    is_exposed: bool,
    worker: WorkerInfo | None,
    announce: Callable[[str], None],
    make_pages: MakePages | None,
) -> None:
    names = options.hosts or (("*",) if is_exposed else (options.host,))
    with closing(
        worker.socket() if worker else bind_socket(options.host, options.port)
    ) as listening:
        own = to_local_url(socket_url(listening))
        pages = make_pages(own, names, partial(_trusted_proxies, service)) if make_pages else None
        app = create_app(service, hosts=names, pages=pages)
        on_ready = worker.report_ready if worker else lambda: announce(socket_url(listening))
        ServiceListener(app, service, on_ready).run([listening])


def _trusted_proxies(service: Service) -> Networks:
    return service.config.server.proxy_networks
