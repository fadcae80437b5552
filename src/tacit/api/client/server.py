"""`RemoteServer`: the status, settings, agents and keys of a server."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

import httpx2

from tacit.api.client.connection import Connection, quote_segment, read_items, read_nothing
from tacit.api.client.messages import to_plain
from tacit.core.errors import ArchiveError, ConfigError, InvalidInput
from tacit.core.fields import check_field
from tacit.core.keys import Key, Role
from tacit.core.kinds import check_choice
from tacit.runtime.trust import IgnoredSetting
from tacit.settings.config import SettingEntry, SettingSource, SettingsTable, to_setting_value
from tacit.settings.config_file import FileVersion
from tacit.settings.live_config import ConfigProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent named in the settings file, and whether it overrides settings."""

    id: str
    is_overridden: bool

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read a response."""
        return cls(id=values["id"], is_overridden=values["memory_injection_overridden"])


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """The injection settings of an agent, and the source of each.

    `version` is that of the file, and None where it cannot be read. `warnings` tell what was left
    out of values that are used all the same.
    """

    id: str
    is_overridden: bool
    values: Mapping[str, Any]
    sources: Mapping[str, SettingSource]
    version: str | None
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read a response."""
        return cls(
            id=values["id"],
            is_overridden=values["memory_injection_overridden"],
            values={
                name: to_setting_value(each) for name, each in values["memory_injection"].items()
            },
            sources={name: SettingSource(each) for name, each in values["sources"].items()},
            version=values["version"],
            warnings=tuple(values["warnings"]),
        )


# Status


_READY = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerReadiness:
    """Whether a server is ready, and the state of each part."""

    is_ready: bool
    checks: Mapping[str, str]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read a response."""
        return cls(is_ready=values["status"] == _READY, checks=dict(values["checks"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport:
    """The state of a periodic job of a server."""

    name: str
    runs: int
    last_at: datetime | None
    last_result: str | None
    last_error: str | None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read a response."""
        last = values["last_at"]
        return cls(
            name=values["name"],
            runs=values["runs"],
            last_at=None if last is None else check_field("at", last),
            last_result=values["last_result"],
            last_error=values["last_error"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """The status of a server as the caller sees it: who they are, and its problems.

    Jobs and the settings file are shown to server-wide keys only.
    """

    version: str
    workspace: str
    role: Role
    agent: str | None
    user: str | None
    speaks_for_users: bool
    server_wide: bool
    keys_needed: bool
    started_at: datetime
    embedder: str | None
    store: Mapping[str, Any]
    settings_path: str | None
    settings_problem: ConfigProblem | None
    settings_ignored: tuple[IgnoredSetting, ...]
    jobs: tuple[JobReport, ...]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read a response."""
        settings = values["settings"]
        return cls(
            version=values["version"],
            workspace=values["workspace"],
            role=Role(values["role"]),
            agent=values["agent"],
            user=values["user"],
            speaks_for_users=values["speaks_for_users"],
            server_wide=values["server_wide"],
            keys_needed=values["keys_needed"],
            started_at=check_field("at", values["started_at"]),
            embedder=values["embedder"],
            store=dict(values["store"]),
            settings_path=settings["path"],
            settings_problem=settings["problem"] and ConfigProblem.from_dict(settings["problem"]),
            settings_ignored=tuple(map(IgnoredSetting.from_dict, settings["ignored"])),
            jobs=tuple(map(JobReport.from_dict, values["jobs"])),
        )


# Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsReport:
    """All current settings by table and name, and the file they are written to.

    `version` is that of the file, and None where it cannot be read; `problem` says why the file
    as it is now is not used. `agents` are those that the file names, and `warnings` tell what was
    left out of values that are used all the same. `project` is the file of a project that adds to
    it, and `ignored` what of such a file does not act.
    """

    path: str
    version: str | None
    problem: ConfigProblem | None
    tables: Mapping[SettingsTable, Mapping[str, SettingEntry]]
    agents: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    project: str | None = None
    ignored: tuple[IgnoredSetting, ...] = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read a response."""
        return cls(
            path=values["path"],
            version=values["version"],
            problem=values["problem"] and ConfigProblem.from_dict(values["problem"]),
            tables={
                SettingsTable(name): _read_entries(entries)
                for name, entries in values["tables"].items()
            },
            agents=tuple(values["agents"]),
            warnings=tuple(values["warnings"]),
            project=values["project"],
            ignored=tuple(map(IgnoredSetting.from_dict, values["ignored"])),
        )


def _read_entries(entries: Mapping[str, Any]) -> dict[str, SettingEntry]:
    return {name: SettingEntry.from_dict(name, values) for name, values in entries.items()}


_TEXT = "text/plain"
_NOT_READY = 503
_SETTINGS = "/v1/settings"


class RemoteServer:
    """The status, settings, agents and keys of a server; most calls need an operator's key.

    With the `version` that was read, a change is refused with `ConfigChanged` if the file was
    changed since then.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def address(self) -> str:
        """The server's address."""
        return self._connection.transport.address

    def status(self) -> ServerStatus:
        """The server as the caller sees it: who they are, and what problems it has."""
        return self._connection.get("/v1/status", ServerStatus.from_dict)

    def ready(self) -> ServerReadiness:
        """Whether the server is ready; an unready server answers too."""
        return self._connection.fetch("/ready", _read_readiness, _NOT_READY)

    def metrics(self) -> str:
        """Metrics in the Prometheus format."""
        return self._connection.fetch("/metrics", _read_text)

    def settings(self) -> SettingsReport:
        """Every setting with its value, its source and the values it accepts."""
        return self._connection.get(_SETTINGS, SettingsReport.from_dict)

    def change_settings(
        self, changes: Mapping[str, Mapping[str, Any]], *, version: str | None = None
    ) -> SettingsReport:
        """Change settings by table and name, all or none.

        None leaves a setting to weaker places.
        """
        with _as_config_errors():
            read = SettingsReport.from_dict
            return self._connection.put(_SETTINGS, to_plain(changes), read, version=version)

    def raw_settings(self) -> FileVersion:
        """The text of the settings file, valid or not; empty if there is none."""
        with _as_config_errors():
            return self._connection.fetch(f"{_SETTINGS}/raw", _read_edition)

    def write_raw_settings(self, text: str, *, version: str | None = None) -> SettingsReport:
        """Replace the text of the settings file, if it is valid."""
        body, read = _encode_text(text), SettingsReport.from_dict
        with _as_config_errors():
            return self._connection.put(
                f"{_SETTINGS}/raw", body, read, version=version, media_type=_TEXT
            )

    def check_settings(self, text: str) -> str | None:
        """The problem with a text for the settings file, or None; nothing is written."""
        return self._connection.read_with_body(
            f"{_SETTINGS}/check", _encode_text(text), _read_problem, media_type=_TEXT
        )

    def agents(self) -> Sequence[Agent]:
        """The agents named in the settings file, in its order."""
        return self._connection.get("/v1/agents", read_items(Agent.from_dict))

    def agent(self, id: str) -> AgentSettings:
        """The settings of an agent; without overrides, the general ones."""
        return self._connection.get(_agent_path(id), AgentSettings.from_dict)

    def change_agent(
        self,
        id: str,
        changes: Mapping[str, Any],
        *,
        reset: bool = False,
        version: str | None = None,
    ) -> AgentSettings:
        """Change an agent's own settings, all or none.

        None gives one up, and `reset` all of them before others are set.
        """
        body = {
            "memory_injection": to_plain(changes),
            "reset_memory_injection_override": reset,
        }
        with _as_config_errors():
            return self._connection.put(
                _agent_path(id), body, AgentSettings.from_dict, version=version
            )

    def keys(self) -> Sequence[Key]:
        """All keys, oldest first, including revoked ones."""
        return self._connection.get("/v1/keys", read_items(Key.from_dict))

    def add_key(
        self,
        name: str,
        role: Role | str,
        *,
        workspace: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        speaks_for_users: bool = False,
    ) -> tuple[Key, str]:
        """Create a key; its token is returned only now. Without a workspace it opens all."""
        body = {
            "name": name,
            "role": str(check_choice("role", Role, role)),
            "workspace": workspace,
            "agent": agent,
            "user": user,
            "speaks_for_users": speaks_for_users,
        }
        return self._connection.change("POST", "/v1/keys", _read_new_key, body)

    def revoke_key(self, id: str) -> None:
        """Revoke an active key."""
        self._connection.change("DELETE", f"/v1/keys/{quote_segment(id)}", read_nothing)


@contextmanager
def _as_config_errors() -> Iterator[None]:
    """Raise archive errors as ConfigError, since the file is the settings file."""
    try:
        yield
    except ArchiveError as error:
        raise ConfigError(str(error)) from error


def _agent_path(id: str) -> str:
    return f"/v1/agents/{quote_segment(check_field('agent', id))}/config"


def _encode_text(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidInput("text", "has half a character in it; give whole ones") from None


def _read_readiness(answer: httpx2.Response) -> ServerReadiness:
    return ServerReadiness.from_dict(answer.json())


def _read_text(answer: httpx2.Response) -> str:
    return answer.text


def _read_edition(answer: httpx2.Response) -> FileVersion:
    version = answer.headers["ETag"].removeprefix("W/").strip('"')
    return FileVersion(text=answer.text, version=version)


def _read_problem(answer: Mapping[str, Any]) -> str | None:
    return None if answer["ok"] else str(answer["problem"])


def _read_new_key(answer: Mapping[str, Any]) -> tuple[Key, str]:
    return Key.from_dict(answer["key"]), str(answer["token"])
