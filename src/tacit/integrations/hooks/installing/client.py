"""The coding CLIs that Tacit can be installed in, and where each keeps its configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tacit.integrations.hooks.clients import CLIENTS
from tacit.integrations.hooks.installing.part import Hooks, JsonServer, Manifest, Part, TomlServer
from tacit.integrations.hooks.installing.program import NAME, Program
from tacit.version import __version__

_SECONDS = 10


class Client(StrEnum):
    """A coding CLI, by the name that people type."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"

    @property
    def label(self) -> str:
        """The name that people read."""
        return _SHAPES[self].title


class Scope(StrEnum):
    """For whom it is installed."""

    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Target:
    """A file, and the parts that belong into it."""

    path: Path
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """How a client wants to be told."""

    title: str
    folder: str
    variable: str
    second: int = 1
    """In the unit of its timeouts."""
    at_end: int = 5
    """Seconds for the end of a session, when nobody wants to wait."""
    hook_extras: Mapping[str, str] = field(default_factory=dict)
    server_extras: Mapping[str, Any] = field(default_factory=dict)
    off: Mapping[str, Any] = field(default_factory=dict)

    def timeout(self, event: str) -> int:
        """How long the client waits: longer than a hook takes by its own limit."""
        return self.second * (self.at_end if event == "SessionEnd" else _SECONDS)


_SHAPES: Mapping[Client, _Shape] = {
    Client.CLAUDE_CODE: _Shape(
        title="Claude Code",
        folder=".claude",
        variable="CLAUDE_CONFIG_DIR",
        server_extras={"alwaysLoad": True},
        off={"disableAllHooks": True},
    ),
    Client.CODEX: _Shape(title="Codex", folder=".codex", variable="CODEX_HOME", at_end=3),
    Client.GEMINI: _Shape(
        title="Gemini CLI",
        folder=".gemini",
        variable="",
        second=1_000,
        hook_extras={"name": NAME},
        off={"hooksConfig": {"enabled": False}},
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where a user's and a project's files are."""

    home: Path
    project: Path
    environment: Mapping[str, str]


def targets(
    client: Client,
    scope: Scope,
    program: Program,
    around: Surroundings,
    *,
    tools: bool = False,
) -> tuple[Target, ...]:
    """The files of a client that hold hooks, for its tools too if wanted, and the server."""
    shape = _SHAPES[client]
    folder = (around.project if scope is Scope.PROJECT else around.home) / shape.folder
    moved = around.environment.get(shape.variable) if scope is Scope.USER else None
    if moved:
        folder = Path(moved)
    hooks, server = _hooks(client, program, tools=tools), _server(client, program)
    if client is Client.GEMINI:
        return (Target(folder / "settings.json", (hooks, server)),)
    if client is Client.CODEX:
        config = Target(folder / "config.toml", (TomlServer(program=program),))
        return (Target(folder / "hooks.json", (hooks,)), config)
    servers = folder / ".claude.json" if moved else folder.parent / _SERVERS[scope]
    return (Target(folder / "settings.json", (hooks,)), Target(servers, (server,)))


def plugin(folder: Path, program: Program, *, tools: bool = False) -> tuple[Target, ...]:
    """The files of a folder that Claude Code takes as a plugin."""
    client = Client.CLAUDE_CODE
    return (
        Target(folder / ".claude-plugin" / "plugin.json", (Manifest(content=_MANIFEST),)),
        Target(folder / "hooks" / "hooks.json", (_hooks(client, program, tools=tools),)),
        Target(folder / ".mcp.json", (_server(client, program),)),
    )


def _hooks(client: Client, program: Program, *, tools: bool) -> Hooks:
    shape, known = _SHAPES[client], CLIENTS[client]
    events = (*known.events, *known.tool_events) if tools else known.events
    return Hooks(
        client=client,
        program=program,
        timeouts={event: shape.timeout(event) for event in events},
        extras=shape.hook_extras,
        off=shape.off,
    )


def _server(client: Client, program: Program) -> JsonServer:
    return JsonServer(program=program, extras=_SHAPES[client].server_extras)


_SERVERS = {Scope.USER: ".claude.json", Scope.PROJECT: ".mcp.json"}

_MANIFEST = {
    "name": NAME,
    "version": __version__,
    "description": "Brings what was said before into the conversation when it matters.",
    "author": {"name": "Tacit"},
    "license": "Apache-2.0",
}
