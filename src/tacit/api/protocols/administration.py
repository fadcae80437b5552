"""Calls of those who run a store: its settings and its keys."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tacit.api.server_status import Agent, AgentSettings, SettingsCheck, SettingsReport
from tacit.core.keys import Key, Role
from tacit.settings.config_file import FileVersion


class SettingsProtocol(Protocol):
    """The settings in force, and the file that changes are written to.

    With the `version` that was read, a change is refused with `ConfigChanged` if the file was
    changed since then.
    """

    def show(self) -> SettingsReport:
        """Every setting with its value, its source and the values it accepts."""

    def change(
        self, changes: Mapping[str, Mapping[str, Any]], *, version: str | None = None
    ) -> SettingsReport:
        """Change settings by table and name, all or none; in force from the next turn on.

        None leaves a setting to weaker places.
        """

    def read_file(self) -> FileVersion:
        """The text of the settings file, valid or not; empty if there is none."""

    def write_file(self, text: str, *, version: str | None = None) -> SettingsReport:
        """Replace the text of the settings file, if it is valid."""

    def check_file(self, text: str) -> SettingsCheck:
        """Whether a text is valid as the settings file; nothing is written."""

    def agents(self) -> Sequence[Agent]:
        """The agents named in the settings file, in its order."""

    def agent(self, id: str) -> AgentSettings:
        """The settings of an agent; without overrides, the general ones."""

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


class KeysProtocol(Protocol):
    """The keys of a store, for every workspace."""

    def list(self) -> Sequence[Key]:
        """All keys, oldest first, including revoked ones."""

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
        """Create a key; its token is returned only now. Without a workspace it opens all."""

    def revoke(self, id: str) -> None:
        """Revoke an active key."""
