"""A server process: from its options to its end."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from fastapi import FastAPI
from starlette.types import ASGIApp

from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.language.extraction.rule_tables import prepare_patterns
from tacit.runtime.addresses import (
    AllowedHosts,
    Networks,
    bind_socket,
    is_loopback,
    socket_url,
    to_local_url,
)
from tacit.server.app import create_app
from tacit.server.lifecycle import running_service, warm_workspaces
from tacit.server.listener import ServiceListener
from tacit.server.service import Service
from tacit.server.supervisor import Supervisor, WorkerInfo, own_command
from tacit.settings.live_config import LiveConfig

Wrap = Callable[[ASGIApp, FastAPI, Service, AllowedHosts], ASGIApp]
"""Puts something before the application, such as the proxy: the application, its API and names."""

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
    wrap: Wrap | None = None,
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
    if options.workers > 1 and tacit.workspace.describe()["backend"] == "memory":
        raise InvalidInput("workers", "one process alone has what is in its memory; name a --db")
    if options.workers > 1 and worker is None:
        with closing(bind_socket(options.host, options.port)) as listening:
            supervisor = Supervisor(listening, own_command(), options.workers)
            supervisor.serve(lambda: announce(socket_url(listening)))
        return
    share = worker.count if worker else 1
    prepare_patterns(lambda: None)
    with running_service(tacit, live, is_exposed=is_exposed, share=share) as service:
        warm_workspaces(service)
        _serve_in_process(service, options, is_exposed, worker, announce, make_pages, wrap)


def _serve_in_process(
    service: Service,
    options: ServerOptions,
    is_exposed: bool,
    worker: WorkerInfo | None,
    announce: Callable[[str], None],
    make_pages: MakePages | None,
    wrap: Wrap | None,
) -> None:
    names = options.hosts or (("*",) if is_exposed else (options.host,))
    with closing(
        worker.socket() if worker else bind_socket(options.host, options.port)
    ) as listening:
        own = to_local_url(socket_url(listening))
        pages = make_pages(own, names, partial(_trusted_proxies, service)) if make_pages else None
        api = create_app(service, hosts=names, pages=pages)
        app = api if wrap is None else wrap(api, api, service, AllowedHosts(names))
        on_ready = worker.report_ready if worker else lambda: announce(socket_url(listening))
        has_pages = pages is not None  # which talk to their browsers by WebSockets
        ServiceListener(app, service, on_ready, routes=api, sockets=has_pages).run([listening])


def _trusted_proxies(service: Service) -> Networks:
    return service.config.server.proxy_networks
