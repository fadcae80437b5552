"""The configuration files of each coding CLI, what belongs into them, and where it is installed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tacit.core.errors import ConfigError
from tacit.integrations.hooks.clients import CLIENTS
from tacit.integrations.installer.config_parts import (
    ConfigPart,
    HooksPart,
    JsonServerPart,
    PluginManifest,
    TomlServerPart,
)
from tacit.integrations.installer.program import PROGRAM_NAME, Program
from tacit.runtime.files import read_file
from tacit.version import __version__

_TIMEOUT_SECONDS = 10


class ClientName(StrEnum):
    """A coding CLI, by the name that people type."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"

    @property
    def label(self) -> str:
        """The name that people read."""
        return _CLIENT_CONFIGS[self].title


class InstallScope(StrEnum):
    """For whom it is installed."""

    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class ConfigTarget:
    """A file, and the parts that belong into it."""

    path: Path
    parts: tuple[ConfigPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClientConfig:
    """How a client is configured."""

    title: str
    folder: str
    variable: str
    second: int = 1
    """One second in the client's unit of time."""
    at_end: int = 5
    """Seconds for the end of a session, when nobody wants to wait."""
    hook_extras: Mapping[str, str] = field(default_factory=dict)
    server_extras: Mapping[str, Any] = field(default_factory=dict)
    off: Mapping[str, Any] = field(default_factory=dict)

    def timeout(self, event: str) -> int:
        """The client's timeout for a hook; longer than the hook's own limit."""
        return self.second * (self.at_end if event == "SessionEnd" else _TIMEOUT_SECONDS)


_CLIENT_CONFIGS: Mapping[ClientName, _ClientConfig] = {
    ClientName.CLAUDE_CODE: _ClientConfig(
        title="Claude Code",
        folder=".claude",
        variable="CLAUDE_CONFIG_DIR",
        server_extras={"alwaysLoad": True},
        off={"disableAllHooks": True},
    ),
    ClientName.CODEX: _ClientConfig(
        title="Codex", folder=".codex", variable="CODEX_HOME", at_end=3
    ),
    ClientName.GEMINI: _ClientConfig(
        title="Gemini CLI",
        folder=".gemini",
        variable="",
        second=1_000,
        hook_extras={"name": PROGRAM_NAME},
        off={"hooksConfig": {"enabled": False}},
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallFolders:
    """Where a user's and a project's files are."""

    home: Path
    project: Path
    environment: Mapping[str, str]


def find_targets(
    client: ClientName,
    scope: InstallScope,
    program: Program,
    around: InstallFolders,
    *,
    tools: bool = False,
) -> tuple[ConfigTarget, ...]:
    """The files of a client that hold hooks and the server; `tools` adds hooks for tools."""
    shape = _CLIENT_CONFIGS[client]
    folder = (around.project if scope is InstallScope.PROJECT else around.home) / shape.folder
    moved = around.environment.get(shape.variable) if scope is InstallScope.USER else None
    if moved:
        folder = Path(moved)
    hooks, server = _hooks_part(client, program, tools=tools), _server_part(client, program)
    if client is ClientName.GEMINI:
        return (ConfigTarget(folder / "settings.json", (hooks, server)),)
    if client is ClientName.CODEX:
        config = ConfigTarget(folder / "config.toml", (TomlServerPart(program=program),))
        return (ConfigTarget(folder / "hooks.json", (hooks,)), config)
    servers = folder / ".claude.json" if moved else folder.parent / _SERVER_FILES[scope]
    return (ConfigTarget(folder / "settings.json", (hooks,)), ConfigTarget(servers, (server,)))


def plugin_targets(
    folder: Path, program: Program, *, tools: bool = False
) -> tuple[ConfigTarget, ...]:
    """The files of a folder that Claude Code takes as a plugin."""
    client = ClientName.CLAUDE_CODE
    return (
        ConfigTarget(
            folder / ".claude-plugin" / "plugin.json", (PluginManifest(content=_MANIFEST),)
        ),
        ConfigTarget(folder / "hooks" / "hooks.json", (_hooks_part(client, program, tools=tools),)),
        ConfigTarget(folder / ".mcp.json", (_server_part(client, program),)),
    )


def _hooks_part(client: ClientName, program: Program, *, tools: bool) -> HooksPart:
    shape, known = _CLIENT_CONFIGS[client], CLIENTS[client]
    events = (*known.events, *known.tool_events) if tools else known.events
    return HooksPart(
        client=client,
        program=program,
        timeouts={event: shape.timeout(event) for event in events},
        extras=shape.hook_extras,
        off=shape.off,
    )


def _server_part(client: ClientName, program: Program) -> JsonServerPart:
    return JsonServerPart(program=program, extras=_CLIENT_CONFIGS[client].server_extras)


_SERVER_FILES = {InstallScope.USER: ".claude.json", InstallScope.PROJECT: ".mcp.json"}

_MANIFEST = {
    "name": PROGRAM_NAME,
    "version": __version__,
    "description": "Brings what was said before into the conversation when it matters.",
    "author": {"name": "Tacit"},
    "license": "Apache-2.0",
}


# Where Tacit is installed now, read from the clients' own files


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledHooks:
    """A client's file with hooks of ours, or one that cannot be read."""

    client: ClientName
    scope: InstallScope
    path: Path
    commands: tuple[tuple[str, ...], ...] = ()
    """The words of each different command."""
    missing: tuple[str, ...] = ()
    """Events without our hook."""
    is_off: bool = False
    """Whether the file turns all hooks off."""
    problem: str | None = None


def find_installed_hooks(program: Program, around: InstallFolders) -> Iterator[InstalledHooks]:
    """Every file that holds hooks of ours or cannot be read, each once."""
    seen: set[Path] = set()
    for client in ClientName:
        for scope in InstallScope:
            for target in find_targets(client, scope, program, around):
                hooks = next((each for each in target.parts if isinstance(each, HooksPart)), None)
                if hooks is None or target.path in seen:
                    continue
                seen.add(target.path)
                found = _read_installed_hooks(client, scope, target.path, hooks)
                if found is not None:
                    yield found


def _read_installed_hooks(
    client: ClientName, scope: InstallScope, path: Path, hooks: HooksPart
) -> InstalledHooks | None:
    try:
        text = read_file(path).decode()
        found = hooks.commands(text, path)
    except OSError:  # not there, or not this user's
        return None
    except (ConfigError, ValueError) as error:
        return InstalledHooks(client=client, scope=scope, path=path, problem=str(error))
    if not found:
        return None
    return InstalledHooks(
        client=client,
        scope=scope,
        path=path,
        commands=tuple(sorted(set(found.values()))),
        missing=tuple(event for event in hooks.timeouts if event not in found),
        is_off=hooks.is_off(text, path),
    )
