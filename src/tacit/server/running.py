"""A server process: from its options to its end."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from fastapi import FastAPI

from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.runtime.addresses import Networks, bind_socket, is_loopback, socket_url, to_local_url
from tacit.server.app import create_app
from tacit.server.crew import Crew, Membership, own_command
from tacit.server.listening import ServiceListener
from tacit.server.service import Service
from tacit.server.serving import serving
from tacit.settings.live_config import LiveConfig

MakePages = Callable[[str, tuple[str, ...], Callable[[], Networks]], FastAPI]
"""Makes the pages beside a server: the address to ask it at, its names, and trusted proxies."""

PORT = 8377
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where a server listens, the names it goes by besides those of loopback, and its processes."""

    host: str = LOOPBACK
    port: int = PORT
    hosts: tuple[str, ...] = ()
    workers: int = 1


def serve(
    tacit: Tacit,
    live: LiveConfig,
    options: Options,
    announce: Callable[[str], None],
    make_pages: MakePages | None = None,
) -> None:
    """Serve until the process is told to stop; `announce` hears of the address once it listens.

    Where others can reach it, nobody comes in without a key, and there must be one.
    """
    is_exposed = not is_loopback(options.host)
    if is_exposed and not tacit.keys.any():
        raise InvalidInput(
            "host",
            f"{options.host} can be reached by others, and there are no keys; make one first:"
            " tacit keys add operator --every-workspace --role admin (with the same --db)",
        )
    membership = Membership.of_process()
    if options.workers > 1 and tacit.describe()["backend"] == "memory":
        raise InvalidInput("workers", "one process alone has what is in its memory; name a --db")
    if options.workers > 1 and membership is None:
        with closing(bind_socket(options.host, options.port)) as listening:
            crew = Crew(listening, own_command(), options.workers)
            crew.serve(lambda: announce(socket_url(listening)))
        return
    share = membership.count if membership else 1
    with serving(tacit, live, is_exposed=is_exposed, share=share) as service:
        _run(service, options, is_exposed, membership, announce, make_pages)


def _run(
    service: Service,
    options: Options,
    is_exposed: bool,
    membership: Membership | None,
    announce: Callable[[str], None],
    make_pages: MakePages | None,
) -> None:
    names = options.hosts or (("*",) if is_exposed else (options.host,))
    with closing(
        membership.socket() if membership else bind_socket(options.host, options.port)
    ) as listening:
        own = to_local_url(socket_url(listening))
        pages = make_pages(own, names, partial(_proxies, service)) if make_pages else None
        app = create_app(service, hosts=names, pages=pages)
        said = membership.tell if membership else lambda: announce(socket_url(listening))
        ServiceListener(app, service, said).run([listening])


def _proxies(service: Service) -> Networks:
    return service.config.server.proxy_networks
