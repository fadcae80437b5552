"""A server process: over standard input and output, or over HTTP."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial

from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.routing import Route

from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.integrations.mcp.gate import Gate
from tacit.integrations.mcp.place import Place
from tacit.integrations.mcp.server import create_server
from tacit.integrations.mcp.view import Source
from tacit.runtime.hosts import Hosts
from tacit.runtime.listener import Listener
from tacit.runtime.listening import address, bound, is_loopback
from tacit.settings.server import ServerSettings

PATH = "/mcp"
_DRAIN_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where a server listens, and whether it has tools that write."""

    host: str = "127.0.0.1"
    port: int = 8378
    read_only: bool = False


def serve_stdio(tacit: Source, place: Place, *, read_only: bool) -> None:
    """Serve whoever started this process, until they close its input."""
    create_server(tacit, place, read_only=read_only).run("stdio")


def serve_http(
    tacit: Tacit,
    place: Place,
    options: Options,
    settings: Callable[[], ServerSettings],
    announce: Callable[[str], None],
) -> None:
    """Serve until the process is told to stop; `announce` hears of the address once it listens.

    Where others can reach it, nobody comes in without a key, and there must be one. `settings`
    tells the limits of now.
    """
    is_exposed = not is_loopback(options.host)
    if is_exposed and not tacit.keys.any():
        raise InvalidInput(
            "host",
            f"{options.host} can be reached by others, and there are no keys; make one first:"
            " tacit keys add NAME (with the same --db)",
        )
    app = _app(tacit, place, options, settings, is_exposed=is_exposed)
    with closing(bound(options.host, options.port)) as listening:
        announced = partial(announce, f"{address(listening)}{PATH}")
        Listener(app, announced, drain_seconds=_DRAIN_SECONDS).run([listening])


def _app(
    tacit: Tacit,
    place: Place,
    options: Options,
    settings: Callable[[], ServerSettings],
    *,
    is_exposed: bool,
) -> Starlette:
    """Both kinds of servers behind one gate."""
    reading = create_server(tacit, place, read_only=True)
    writing = reading if options.read_only else create_server(tacit, place)
    servers = (reading,) if options.read_only else (reading, writing)
    inner = {server: _inner(server, options.host) for server in servers}
    gate = Gate(
        tacit.keys,
        tacit.workspace,
        is_exposed=is_exposed,
        hosts=Hosts(("*",) if is_exposed else (options.host,)),
        settings=settings,
        writing=inner[writing],
        reading=inner[reading],
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with reading.session_manager.run():
            if writing is reading:
                yield
                return
            async with writing.session_manager.run():
                yield

    return Starlette(routes=[Route(PATH, endpoint=gate)], lifespan=lifespan)


def _inner(server: MCPServer, host: str) -> Starlette:
    """One server as an application; on loopback it checks Host once more."""
    return server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, host=host
    )
