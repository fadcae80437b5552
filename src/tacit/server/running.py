"""A server process: from its options to its end."""

import ipaddress
import logging
import os
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from types import FrameType

import uvicorn
from anyio import to_thread
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.types import Message

from tacit.config import LiveConfig, State
from tacit.conversation import EventKind
from tacit.engine import Tacit
from tacit.errors import InvalidInput, TacitError
from tacit.jobs import Jobs
from tacit.server.app import create_app
from tacit.server.crew import Crew, Membership, own_command
from tacit.server.service import Service
from tacit.server.upkeep import upkeep
from tacit.telemetry.traces import tracer_from

PORT = 8377
LOOPBACK = "127.0.0.1"
_log = logging.getLogger("tacit.server")


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
    jobs = Jobs(tacit.worker)
    with closing(tracer_from(os.environ)) as tracer:
        service = Service(
            tacit,
            live,
            jobs=jobs,
            tracer=tracer,
            is_exposed=is_exposed,
            share=membership.count if membership else 1,
        )
        for job in upkeep(service):
            jobs.add(job)
        stop_listening = live.listen(lambda state: _tell(service, state))
        jobs.start()
        jobs.run("all vectors")
        jobs.run("all learning")
        try:
            _run(service, options, is_exposed, membership, announce)
        finally:
            jobs.stop()
            stop_listening()


def _run(
    service: Service,
    options: Options,
    is_exposed: bool,
    membership: Membership | None,
    announce: Callable[[str], None],
) -> None:
    names = options.hosts or (("*",) if is_exposed else (options.host,))
    app = create_app(service, hosts=names)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)  # it tells of starting in many words
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=service.config.server.drain_seconds,
    )
    with closing(membership.socket() if membership else _bound(options)) as listening:
        said = membership.tell if membership else lambda: announce(_address(listening))
        _Server(app, config, service, said).run([listening])


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Server(uvicorn.Server):
    """Tells where it listens, and lets streams end before it waits for answers to be sent."""

    def __init__(
        self,
        app: FastAPI,
        config: uvicorn.Config,
        service: Service,
        announce: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._app = app
        self._service = service
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, once nothing is left to be made ready by the first request."""
        limit = self._service.config.server.threads
        to_thread.current_default_thread_limiter().total_tokens = limit
        await _made_ready(self._app)
        await super().startup(sockets)
        self._announce()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop in good order; a second signal does not wait."""
        self._service.stop()
        self.force_exit = self.should_exit
        self.should_exit = True


async def _made_ready(app: FastAPI) -> None:
    """Ask for what is not there, so that every route is looked at."""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/-", "headers": [], "query_string": b""}
    with suppress(HTTPException):
        await app.router({**scope, "app": app, "root_path": ""}, receive, send)


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


def _tell(service: Service, state: State) -> None:
    """Let those who watch a workspace know of other settings, or of a file that is wrong."""
    told = {"valid": state.problem is None}
    try:
        known = set(service.root.workspaces())
        for tacit in service.served():
            if tacit.workspace in known:
                tacit.note(EventKind.SETTINGS_CHANGED, told)
    except TacitError as error:
        _log.warning("the change of settings was not noted: %s", error)
