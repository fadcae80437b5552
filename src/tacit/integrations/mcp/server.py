"""The MCP server: its tools and resources, served over standard input or HTTP."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from functools import partial
from inspect import getdoc
from itertools import islice
from typing import Any

from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import (
    ResourceError,
    ResourceNotFoundError,
    ToolError,
    UnexpectedResourceError,
    UnexpectedToolError,
)
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError
from pydantic.networks import AnyUrl
from starlette.applications import Starlette
from starlette.routing import Route

from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput, NotFound, TacitError
from tacit.core.explanations import explain_candidate
from tacit.core.receipt import Fate, Receipt
from tacit.integrations.mcp.caller import CallerView, McpCaller, MemorySource, current_caller
from tacit.integrations.mcp.http_access import AccessMiddleware
from tacit.integrations.mcp.responses import server_instructions
from tacit.integrations.mcp.tools import McpTools
from tacit.language.neutralization import neutralize_line
from tacit.runtime.addresses import AllowedHosts, bind_socket, is_loopback, socket_url
from tacit.runtime.http_server import HttpServer
from tacit.settings.server import ServerSettings
from tacit.version import __version__

# Resources: sessions and receipts of the caller's project, as JSON


_MOST_LISTED = 20
_MOST_CANDIDATES = 50
_MOST_BLOCKS = 20
_MOST_ENTRIES = 200


class McpResources:
    """The resources, on a store."""

    def __init__(self, tacit: MemorySource) -> None:
        self._tacit = tacit

    def register(self, server: MCPServer) -> None:
        """Let a server offer them."""
        for uri, title, read in (
            ("tacit://sessions", "Sessions", self.sessions),
            ("tacit://sessions/{id}", "A session", self.session),
            ("tacit://receipts", "Receipts of the last turns", self.receipts),
            ("tacit://receipts/{id}", "The receipt of a turn", self.receipt),
        ):
            server.resource(uri, title=title, mime_type="application/json")(read)

    def sessions(self) -> dict[str, Any]:
        """The sessions of this project that were active last, newest first."""
        return _neutralise_values({"sessions": list(islice(self._view().sessions(), _MOST_LISTED))})

    def session(self, id: str) -> dict[str, Any]:
        """One session: the blocks it was given, what may come again, and its last receipts."""
        view = self._view()
        report = self._tacit.sessions.get(view.check_session(id), agent=view.caller.name)
        told = report.to_dict()
        return _neutralise_values(told) | {
            "blocks": told["blocks"][-_MOST_BLOCKS:],
            "ledger": told["ledger"][-_MOST_ENTRIES:],
            "receipts": list(map(_summarize_receipt, report.receipts)),
        }

    def receipts(self) -> dict[str, Any]:
        """The last turns of this project, newest first: what was asked and what was injected."""
        return {
            "receipts": list(map(_summarize_receipt, islice(self._view().receipts(), _MOST_LISTED)))
        }

    def receipt(self, id: str) -> dict[str, Any]:
        """One turn: every memory that it thought of, and why it was injected or left out."""
        receipt = self._view().receipt(id)
        ordered = sorted(receipt.candidates, key=lambda each: each.fate is not Fate.INJECTED)
        shown = [each.to_dict() | {"reason": explain_candidate(each)} for each in ordered]
        told = receipt.to_dict() | {"candidates": shown[:_MOST_CANDIDATES]}
        return _neutralise_values(told) | {
            "candidates_left_out": max(len(shown) - _MOST_CANDIDATES, 0)
        }

    def _view(self) -> CallerView:
        return CallerView.of(self._tacit, current_caller.get())


def _summarize_receipt(receipt: Receipt) -> dict[str, Any]:
    return _neutralise_values(receipt.summary() | {"query": receipt.query})


def _neutralise_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same with every text in it as one line that cannot pass for structure."""
    return {name: _neutralise(value) for name, value in values.items()}


def _neutralise(value: Any) -> Any:
    if isinstance(value, str):
        return neutralize_line(value)
    if isinstance(value, Mapping):
        return _neutralise_values(value)
    return list(map(_neutralise, value)) if isinstance(value, list | tuple) else value


# The server


_TITLE = "Tacit memory"
_MOST_PROBLEMS = 10


def create_server(tacit: MemorySource, caller: McpCaller, *, read_only: bool = False) -> MCPServer:
    """A server for one caller; a read-only one has no tools that write."""
    server = _Server(caller, read_only=read_only)
    for name, tool, annotations in McpTools(tacit).list_offers(read_only=read_only):
        server.add_tool(
            tool,
            name=name,
            title=annotations.title,
            description=getdoc(tool),
            annotations=annotations,
        )
    McpResources(tacit).register(server)
    return server


class _Server(MCPServer):
    """Sets the caller of each request, and turns errors into readable messages."""

    def __init__(self, caller: McpCaller, *, read_only: bool) -> None:
        super().__init__(
            "tacit",
            title=_TITLE,
            instructions=server_instructions(read_only=read_only),
            version=__version__,
            log_level="WARNING",
        )
        self._caller = caller

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; errors tell the model how to correct the call."""
        await self._refuse_unknown(name, arguments)
        try:
            await self._set_caller(context)
            return await super().call_tool(name, arguments, context)
        except TacitError as error:
            raise ToolError(str(error)) from error
        except ToolError as error:
            raise _readable_tool_error(error) from error.__cause__

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource; one that the caller may not see counts as missing."""
        try:
            await self._set_caller(context)
            return await super().read_resource(uri, context)
        except TacitError as error:
            raise ResourceError(str(error)) from error
        except UnexpectedResourceError as error:
            raise _readable_resource_error(error) from error

    async def _set_caller(self, context: Context[Any, Any] | None) -> None:
        caller = self._caller if context is None else self._caller.for_request(context)
        if caller.project is None and caller.find_project is not None:
            caller = replace(caller, project=await asyncio.to_thread(caller.find_project))
        current_caller.set(caller)

    async def _refuse_unknown(self, name: str, arguments: dict[str, Any]) -> None:
        tools = {tool.name: tool for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"there is no tool {name!r} here; there are: {', '.join(tools)}")
        known = tools[name].input_schema["properties"]
        for argument in arguments:
            if argument not in known:
                raise ToolError(f"{name} has no argument {argument!r}; it has: {', '.join(known)}")


def _readable_tool_error(error: ToolError) -> ToolError:
    """The error with its cause's message; unexpected errors reveal nothing."""
    cause = error.__cause__
    if isinstance(cause, TacitError):
        return ToolError(str(cause))
    if isinstance(cause, ValidationError):
        problems = cause.errors(include_input=False)
        more = (
            [f"and {len(problems) - _MOST_PROBLEMS} more"] if len(problems) > _MOST_PROBLEMS else []
        )
        return ToolError("; ".join([*map(_describe_problem, problems[:_MOST_PROBLEMS]), *more]))
    if isinstance(error, UnexpectedToolError):
        return UnexpectedToolError("something went wrong in here; the server's log says what")
    return error


def _describe_problem(problem: Any) -> str:
    """What is wrong with one argument."""
    argument = ".".join(map(str, problem["loc"]))
    said = problem["msg"]
    return f"{argument}: {said[0].lower()}{said[1:]}"


def _readable_resource_error(error: ResourceError) -> ResourceError:
    """The error behind one that came up while a resource was read."""
    cause: BaseException | None = error
    while isinstance(cause, ResourceError):
        cause = cause.__cause__
    if isinstance(cause, NotFound | InvalidInput):
        return ResourceNotFoundError(str(cause))
    return ResourceError(str(cause)) if isinstance(cause, TacitError) else error


# Serving over standard input and output, or over HTTP


PATH = "/mcp"
_DRAIN_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """Where a server listens, and whether it has tools that write."""

    host: str = "127.0.0.1"
    port: int = 8378
    read_only: bool = False


def serve_stdio(tacit: MemorySource, caller: McpCaller, *, read_only: bool) -> None:
    """Serve the process that started this one, until it closes our input."""
    create_server(tacit, caller, read_only=read_only).run("stdio")


def serve_http(
    tacit: Tacit,
    caller: McpCaller,
    options: HttpOptions,
    settings: Callable[[], ServerSettings],
    announce: Callable[[str], None],
) -> None:
    """Serve until the process is stopped; `announce` gets the address once it listens.

    Where others can reach the server, every request needs a key, and one must exist. `settings`
    returns the current limits.
    """
    is_exposed = not is_loopback(options.host)
    if is_exposed and not tacit.keys.any():
        raise InvalidInput(
            "host",
            f"{options.host} can be reached by others, and there are no keys; make one first:"
            " tacit keys add NAME (with the same --db)",
        )
    app = _create_app(tacit, caller, options, settings, is_exposed=is_exposed)
    with closing(bind_socket(options.host, options.port)) as listening:
        announced = partial(announce, f"{socket_url(listening)}{PATH}")
        HttpServer(app, announced, drain_seconds=_DRAIN_SECONDS).run([listening])


def _create_app(
    tacit: Tacit,
    caller: McpCaller,
    options: HttpOptions,
    settings: Callable[[], ServerSettings],
    *,
    is_exposed: bool,
) -> Starlette:
    """The application: a reading and a writing server behind the access check."""
    reading = create_server(tacit, caller, read_only=True)
    writing = reading if options.read_only else create_server(tacit, caller)
    servers = (reading,) if options.read_only else (reading, writing)
    inner = {server: _create_mcp_app(server, options.host) for server in servers}
    gate = AccessMiddleware(
        tacit.keys,
        tacit.workspace.name,
        is_exposed=is_exposed,
        hosts=AllowedHosts(("*",) if is_exposed else (options.host,)),
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


def _create_mcp_app(server: MCPServer, host: str) -> Starlette:
    """One server as an application; on loopback it checks Host once more."""
    return server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, host=host
    )
