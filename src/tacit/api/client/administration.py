"""`RemoteTacit`'s calls of those who run a server: its status, its settings and its keys."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2

from tacit.api.client.connection import (
    Connection,
    RemotePart,
    quote_segment,
    read_items,
    read_nothing,
)
from tacit.api.client.messages import to_plain
from tacit.api.protocols.administration import KeysProtocol, SettingsProtocol
from tacit.api.server_status import (
    Agent,
    AgentSettings,
    ServerReadiness,
    ServerStatus,
    SettingsCheck,
    SettingsReport,
)
from tacit.core.errors import ArchiveError, ConfigError
from tacit.core.fields import check_field
from tacit.core.keys import Key, Role
from tacit.core.kinds import check_choice
from tacit.settings.config_file import FileVersion, encode_file_text

_TEXT = "text/plain"
_NOT_READY = 503


class RemoteServer:
    """The state of a server: who the caller is, whether it is ready, and its metrics."""

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


# Settings


_SETTINGS = "/v1/settings"


class RemoteSettings(RemotePart, SettingsProtocol):
    """The settings of a server; changes need an operator's key."""

    def show(self) -> SettingsReport:
        return self._connection.get(_SETTINGS, SettingsReport.from_dict)

    def change(
        self, changes: Mapping[str, Mapping[str, Any]], *, version: str | None = None
    ) -> SettingsReport:
        read = SettingsReport.from_dict
        with _as_config_errors():
            return self._connection.put(_SETTINGS, to_plain(changes), read, version=version)

    def read_file(self) -> FileVersion:
        with _as_config_errors():
            return self._connection.fetch(f"{_SETTINGS}/raw", _read_edition)

    def write_file(self, text: str, *, version: str | None = None) -> SettingsReport:
        body, read = encode_file_text(text), SettingsReport.from_dict
        with _as_config_errors():
            return self._connection.put(
                f"{_SETTINGS}/raw", body, read, version=version, media_type=_TEXT
            )

    def check_file(self, text: str) -> SettingsCheck:
        return self._connection.read_with_body(
            f"{_SETTINGS}/check",
            encode_file_text(text),
            SettingsCheck.from_dict,
            media_type=_TEXT,
        )

    def agents(self) -> Sequence[Agent]:
        return self._connection.get("/v1/agents", read_items(Agent.from_dict))

    def agent(self, id: str) -> AgentSettings:
        return self._connection.get(_agent_path(id), AgentSettings.from_dict)

    def change_agent(
        self,
        id: str,
        changes: Mapping[str, Any],
        *,
        reset: bool = False,
        version: str | None = None,
    ) -> AgentSettings:
        body = {
            "memory_injection": to_plain(changes),
            "reset_memory_injection_override": reset,
        }
        with _as_config_errors():
            return self._connection.put(
                _agent_path(id), body, AgentSettings.from_dict, version=version
            )


# Keys


class RemoteKeyring(RemotePart, KeysProtocol):
    """The keys of a server, for every workspace; all calls need an operator's key."""

    def list(self) -> Sequence[Key]:
        return self._connection.get("/v1/keys", read_items(Key.from_dict))

    def add(
        self,
        name: str,
        role: Role | str,
        *,
        workspace: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        speaks_for_users: bool = False,
    ) -> tuple[Key, str]:
        body = {
            "name": name,
            "role": str(check_choice("role", Role, role)),
            "workspace": workspace,
            "agent": agent,
            "user": user,
            "speaks_for_users": speaks_for_users,
        }
        return self._connection.change("POST", "/v1/keys", _read_new_key, body)

    def revoke(self, id: str) -> None:
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


def _read_readiness(answer: httpx2.Response) -> ServerReadiness:
    return ServerReadiness.from_dict(answer.json())


def _read_text(answer: httpx2.Response) -> str:
    return answer.text


def _read_edition(answer: httpx2.Response) -> FileVersion:
    version = answer.headers["ETag"].removeprefix("W/").strip('"')
    return FileVersion(text=answer.text, version=version)


def _read_new_key(answer: Mapping[str, Any]) -> tuple[Key, str]:
    return Key.from_dict(answer["key"]), str(answer["token"])
