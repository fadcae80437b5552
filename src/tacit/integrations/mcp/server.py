"""The MCP server: tools and resources on a store, answered in the name of who asks."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from inspect import getdoc
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

from tacit.core.errors import InvalidInput, NotFound, TacitError
from tacit.integrations.mcp.place import Place, asking
from tacit.integrations.mcp.resources import Resources
from tacit.integrations.mcp.tools import Tools
from tacit.integrations.mcp.view import Source
from tacit.integrations.mcp.wording import instructions
from tacit.version import __version__

_TITLE = "Tacit memory"
_MOST_TOLD = 10


def create_server(tacit: Source, place: Place, *, read_only: bool = False) -> MCPServer:
    """A server for one place; a read-only one has no tools that write."""
    server = _Server(place, read_only=read_only)
    for name, tool, annotations in Tools(tacit).offered(read_only=read_only):
        server.add_tool(
            tool,
            name=name,
            title=annotations.title,
            description=getdoc(tool),
            annotations=annotations,
        )
    Resources(tacit).offer(server)
    return server


class _Server(MCPServer):
    """Knows who asks, and says what was wrong in words."""

    def __init__(self, place: Place, *, read_only: bool) -> None:
        super().__init__(
            "tacit",
            title=_TITLE,
            instructions=instructions(read_only=read_only),
            version=__version__,
            log_level="WARNING",
        )
        self._place = place

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; what goes wrong is said so that a model can mend it."""
        await self._refuse_unknown(name, arguments)
        try:
            await self._take_place(context)
            return await super().call_tool(name, arguments, context)
        except TacitError as error:
            raise ToolError(str(error)) from error
        except ToolError as error:
            raise _mended(error) from error.__cause__

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource; one that may not be seen is not there."""
        try:
            await self._take_place(context)
            return await super().read_resource(uri, context)
        except TacitError as error:
            raise ResourceError(str(error)) from error
        except UnexpectedResourceError as error:
            raise _told(error) from error

    async def _take_place(self, context: Context[Any, Any] | None) -> None:
        place = self._place if context is None else self._place.seen_from(context)
        if place.project is None and place.find_project is not None:
            place = replace(place, project=await asyncio.to_thread(place.find_project))
        asking.set(place)

    async def _refuse_unknown(self, name: str, arguments: dict[str, Any]) -> None:
        tools = {tool.name: tool for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"there is no tool {name!r} here; there are: {', '.join(tools)}")
        known = tools[name].input_schema["properties"]
        for argument in arguments:
            if argument not in known:
                raise ToolError(f"{name} has no argument {argument!r}; it has: {', '.join(known)}")


def _mended(error: ToolError) -> ToolError:
    """The error as its cause tells it; what nobody foresaw keeps its words to itself."""
    cause = error.__cause__
    if isinstance(cause, TacitError):
        return ToolError(str(cause))
    if isinstance(cause, ValidationError):
        problems = cause.errors(include_input=False)
        more = [f"and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
        return ToolError("; ".join([*map(_complaint, problems[:_MOST_TOLD]), *more]))
    if isinstance(error, UnexpectedToolError):
        return UnexpectedToolError("something went wrong in here; the server's log says what")
    return error


def _complaint(problem: Any) -> str:
    """What is wrong with one argument."""
    place = ".".join(map(str, problem["loc"]))
    said = problem["msg"]
    return f"{place}: {said[0].lower()}{said[1:]}"


def _told(error: ResourceError) -> ResourceError:
    """The error behind one that came up while a resource was read."""
    cause: BaseException | None = error
    while isinstance(cause, ResourceError):
        cause = cause.__cause__
    if isinstance(cause, NotFound | InvalidInput):
        return ResourceNotFoundError(str(cause))
    return ResourceError(str(cause)) if isinstance(cause, TacitError) else error
