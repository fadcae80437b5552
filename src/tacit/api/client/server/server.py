"""RemoteServer: what there is to ask of a server itself."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2

from tacit.api.client.answers import items, nothing
from tacit.api.client.connection import Connection, segment
from tacit.api.client.messages import plain
from tacit.api.client.server.agents import Agent, AgentSettings
from tacit.api.client.server.health import Readiness, ServerStatus
from tacit.api.client.server.settings import SettingsReport
from tacit.core.errors import ArchiveError, ConfigError, InvalidInput
from tacit.core.fields import check_field
from tacit.core.keys import Key, Role
from tacit.core.kinds import check_choice
from tacit.settings.config.edition import Edition

_TEXT = "text/plain"
_NOT_READY = 503
_SETTINGS = "/v1/settings"


class RemoteServer:
    """How a server is, its settings, agents and keys; all but the first for who runs it.

    Whoever gives the `version` that they have read changes only that one: where somebody else was
    faster, `ConfigChanged` is raised and nothing is written.
    """

    def __init__(self, at: Connection) -> None:
        self._at = at

    @property
    def address(self) -> str:
        """Where it is asked."""
        return self._at.transport.address

    def status(self) -> ServerStatus:
        """The server as the caller sees it: who they are, and what is amiss."""
        return self._at.get("/v1/status", ServerStatus.from_dict)

    def ready(self) -> Readiness:
        """Whether it can serve; one that cannot says so too."""
        return self._at.fetch("/ready", _readiness, _NOT_READY)

    def metrics(self) -> str:
        """Metrics as Prometheus reads them."""
        return self._at.fetch("/metrics", _text)

    def settings(self) -> SettingsReport:
        """Every setting with its value, where that comes from, and what it takes."""
        return self._at.get(_SETTINGS, SettingsReport.from_dict)

    def change_settings(
        self, changes: Mapping[str, Mapping[str, Any]], *, version: str | None = None
    ) -> SettingsReport:
        """Change what is named by table and name, all of it or nothing.

        None leaves a setting to weaker places.
        """
        with _of_a_file():
            read = SettingsReport.from_dict
            return self._at.put(_SETTINGS, plain(changes), read, version=version)

    def raw_settings(self) -> Edition:
        """The text of the file, valid or not; where there is no file, nothing."""
        with _of_a_file():
            return self._at.fetch(f"{_SETTINGS}/raw", _edition)

    def write_raw_settings(self, text: str, *, version: str | None = None) -> SettingsReport:
        """Replace the text of the file, if it is valid."""
        body, read = _encoded(text), SettingsReport.from_dict
        with _of_a_file():
            return self._at.put(f"{_SETTINGS}/raw", body, read, version=version, media_type=_TEXT)

    def check_settings(self, text: str) -> str | None:
        """What is wrong with a text for the file, if anything is; nothing is written."""
        return self._at.look(f"{_SETTINGS}/check", _encoded(text), _problem, media_type=_TEXT)

    def agents(self) -> Sequence[Agent]:
        """The agents that the file of settings names, in its order."""
        return self._at.get("/v1/agents", items(Agent.from_dict))

    def agent(self, id: str) -> AgentSettings:
        """The settings that an agent goes by; one without any of its own goes by those of all."""
        return self._at.get(_agent_path(id), AgentSettings.from_dict)

    def change_agent(
        self,
        id: str,
        changes: Mapping[str, Any],
        *,
        reset: bool = False,
        version: str | None = None,
    ) -> AgentSettings:
        """Change what is named of an agent's own settings, all of it or nothing.

        None gives one up, and `reset` all of them before others are set.
        """
        body = {
            "memory_injection": plain(changes),
            "reset_memory_injection_override": reset,
        }
        with _of_a_file():
            return self._at.put(_agent_path(id), body, AgentSettings.from_dict, version=version)

    def keys(self) -> Sequence[Key]:
        """Every key, oldest first, revoked ones too."""
        return self._at.get("/v1/keys", items(Key.from_dict))

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
        """Make a key; its token is told this once. Without a workspace it is for every one."""
        body = {
            "name": name,
            "role": str(check_choice("role", Role, role)),
            "workspace": workspace,
            "agent": agent,
            "user": user,
            "speaks_for_users": speaks_for_users,
        }
        return self._at.change("POST", "/v1/keys", _made, body)

    def revoke_key(self, id: str) -> None:
        """End a key that is in use."""
        self._at.change("DELETE", f"/v1/keys/{segment(id)}", nothing)


@contextmanager
def _of_a_file() -> Iterator[None]:
    """What a server finds wrong with a file is here its file of settings."""
    try:
        yield
    except ArchiveError as error:
        raise ConfigError(str(error)) from error


def _agent_path(id: str) -> str:
    return f"/v1/agents/{segment(check_field('agent', id))}/config"


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidInput("text", "has half a character in it; give whole ones") from None


def _readiness(answer: httpx2.Response) -> Readiness:
    return Readiness.from_dict(answer.json())


def _text(answer: httpx2.Response) -> str:
    return answer.text


def _edition(answer: httpx2.Response) -> Edition:
    version = answer.headers["ETag"].removeprefix("W/").strip('"')
    return Edition(text=answer.text, version=version)


def _problem(answer: Mapping[str, Any]) -> str | None:
    return None if answer["ok"] else str(answer["problem"])


def _made(answer: Mapping[str, Any]) -> tuple[Key, str]:
    return Key.from_dict(answer["key"]), str(answer["token"])
