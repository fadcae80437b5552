"""A server process: from its options to its end."""

import ipaddress
import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from tacit.config import LiveConfig
from tacit.engine import Tacit
from tacit.errors import InvalidInput
from tacit.server.app import create_app
from tacit.server.crew import Crew, Membership, own_command
from tacit.server.listening import Listener
from tacit.server.service import Service
from tacit.server.serving import serving

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
    tacit: Tacit, live: LiveConfig, options: Options, announce: Callable[[str], None]
) -> None:
    """Serve until the process is told to stop; `announce` hears of the address once it listens.

    Where others can reach it, nobody comes in without a key, and there must be one.
    """
    is_exposed = not _is_loopback(options.host)
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
        with closing(_bound(options)) as listening:
            crew = Crew(listening, own_command(), options.workers)
            crew.serve(lambda: announce(_address(listening)))
        return
    share = membership.count if membership else 1
    with serving(tacit, live, is_exposed=is_exposed, share=share) as service:
        _run(service, options, is_exposed, membership, announce)


def _run(
    service: Service,
    options: Options,
    is_exposed: bool,
    membership: Membership | None,
    announce: Callable[[str], None],
) -> None:
    names = options.hosts or (("*",) if is_exposed else (options.host,))
    app = create_app(service, hosts=names)
    with closing(membership.socket() if membership else _bound(options)) as listening:
        said = membership.tell if membership else lambda: announce(_address(listening))
        Listener(app, service, said).run([listening])


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _bound(options: Options) -> socket.socket:
    """The socket to listen on; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((options.host, options.port))
    except socket.gaierror as error:
        listening.close()
        problem = f"{options.host} is no address of this machine ({error.strerror})"
        raise InvalidInput("host", f"{problem}; 127.0.0.1 is this machine alone") from error
    except OSError as error:
        listening.close()
        raise InvalidInput(
            "port",
            f"cannot listen on {options.host}:{options.port} ({error.strerror});"
            " stop what listens there, or name another with --port",
        ) from error
    return listening


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
