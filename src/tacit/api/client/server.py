"""`RemoteServer`: the status, settings, agents and keys of a server."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2

from tacit.api.client.connection import Connection, quote_segment, read_items, read_nothing
from tacit.api.client.messages import to_plain
from tacit.api.server_status import (
    Agent,
    AgentSettings,
    ServerReadiness,
    ServerStatus,
    SettingsReport,
)
from tacit.core.errors import ArchiveError, ConfigError, InvalidInput
from tacit.core.fields import check_field
from tacit.core.keys import Key, Role
from tacit.core.kinds import check_choice
from tacit.settings.config_file import FileVersion

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
