"""Calls of those who run a store: its settings and its keys."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tacit.api.protocols.administration import KeysProtocol, SettingsProtocol
from tacit.api.server_status import Agent, AgentSettings, SettingsCheck, SettingsReport
from tacit.core.errors import ConfigError, InvalidInput, NotFound
from tacit.core.fields import check_field
from tacit.core.keys import Key, Role, is_token_of, issue_key, parse_key_id
from tacit.core.kinds import check_choice
from tacit.runtime.clock import Clock
from tacit.settings.config import Config, SettingsTable, list_settings
from tacit.settings.config_file import Change, ConfigFile, FileVersion, Revert, encode_file_text
from tacit.settings.live_config import ConfigState, LiveConfig
from tacit.settings.loader import validate_config
from tacit.store.protocols.store import Store


class Settings(SettingsProtocol):
    """The settings in force, and the file that changes are written to.

    With the `version` that was read, a change is refused with `ConfigChanged` if the file was
    changed since then. Settings that a program gave as a `Config` have no file and do not change.
    """

    def __init__(self, config: Config | LiveConfig) -> None:
        self._config = config

    def show(self) -> SettingsReport:
        return self._report(self._version())

    def change(
        self, changes: Mapping[str, Mapping[str, Any]], *, version: str | None = None
    ) -> SettingsReport:
        wanted = [
            change
            for table, values in changes.items()
            for change in _to_changes(check_choice("changes", SettingsTable, table), values)
        ]
        written = self._adopt(self._file().change(wanted, expected=version))
        return self._report(written, wanted)

    def read_file(self) -> FileVersion:
        return self._file().read()

    def write_file(self, text: str, *, version: str | None = None) -> SettingsReport:
        encode_file_text(text)
        return self._report(self._adopt(self._file().write(text, expected=version)))

    def check_file(self, text: str) -> SettingsCheck:
        encode_file_text(text)
        try:
            found = validate_config(self._file().path, text)
        except ConfigError as error:
            return SettingsCheck(ok=False, problem=str(error))
        return SettingsCheck(ok=True, warnings=found.warnings)

    def agents(self) -> Sequence[Agent]:
        config = self._state().config
        return [_to_agent(config, id) for id in config.agents]

    def agent(self, id: str) -> AgentSettings:
        agent = check_field("agent", id)
        return self._agent_report(agent, self._version())

    def change_agent(
        self,
        id: str,
        changes: Mapping[str, Any],
        *,
        reset: bool = False,
        version: str | None = None,
    ) -> AgentSettings:
        agent = check_field("agent", id)
        values = _to_changes(SettingsTable.MEMORY_INJECTION, changes, agent)
        wanted: list[Change | Revert] = [Revert(agent=agent)] if reset else []
        written = self._adopt(self._file().change([*wanted, *values], expected=version))
        return self._agent_report(agent, written, values)

    def _version(self) -> str | None:
        """The version of the file's text, valid or not; None if there is none to read."""
        try:
            return self._file().version()
        except ConfigError:
            return None

    def _state(self) -> ConfigState:
        """The current settings, and the problem with their file, if any."""
        if isinstance(self._config, LiveConfig):
            return self._config.state()
        return ConfigState(config=self._config)

    def _file(self) -> ConfigFile:
        return ConfigFile(self._live().writable_path())

    def _live(self) -> LiveConfig:
        if isinstance(self._config, LiveConfig):
            return self._config
        raise ConfigError(
            "these settings were given by the program and have no file;"
            " open the store with a file (config=PATH) to change them"
        )

    def _adopt(self, written: FileVersion) -> str:
        self._live().adopt_text(written.text)
        return written.version

    def _report(self, version: str | None, changes: Iterable[Change] = ()) -> SettingsReport:
        """The current settings, never older than the version returned with them."""
        state = self._state()
        config, project = state.config, state.config.project.path
        is_fixed = not isinstance(self._config, LiveConfig)
        return SettingsReport(
            path="" if is_fixed else str(self._file().path),
            version=version,
            problem=state.problem,
            project=None if project is None else str(project),
            ignored=tuple(config.ignored),
            tables={table: list_settings(config, table) for table in SettingsTable},
            agents=tuple(config.agents),
            warnings=(*_warnings_of(changes), *config.warnings),
        )

    def _agent_report(
        self, id: str, version: str | None, changes: Iterable[Change] = ()
    ) -> AgentSettings:
        """The current settings of an agent, never older than the version returned with them."""
        config = self._state().config
        found = list_settings(config, SettingsTable.MEMORY_INJECTION, id)
        return AgentSettings(
            id=id,
            is_overridden=_to_agent(config, id).is_overridden,
            values={name: each.value for name, each in found.items()},
            sources={name: each.source for name, each in found.items()},
            warnings=(*_warnings_of(changes), *config.warnings),
            version=version,
        )


def _to_agent(config: Config, id: str) -> Agent:
    return Agent(id=id, is_overridden=bool(config.overrides.get(id)))


def _to_changes(
    table: SettingsTable, values: Mapping[str, Any], agent: str | None = None
) -> list[Change]:
    """The changes of a table; errors name the setting as the caller wrote it."""
    changes = []
    for name, value in values.items():
        try:
            changes.append(Change(table=table, name=name, value=value, agent=agent))
        except InvalidInput as error:
            raise InvalidInput(f"{table}.{error.field}", error.problem) from None
    return changes


def _warnings_of(changes: Iterable[Change]) -> list[str]:
    return [warning for change in changes for warning in change.warnings]


class Keyring(KeysProtocol):
    """The keys of a store, for every workspace."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def list(self) -> Sequence[Key]:
        return self._store.keys().all()

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
        key, token = issue_key(
            name,
            role,
            workspace=workspace,
            agent=agent,
            user=user,
            speaks_for_users=speaks_for_users,
            at=self._clock(),
        )
        self._store.keys().add(key)
        return key, token

    def revoke(self, id: str) -> None:
        if not self._store.keys().revoke(id, self._clock()):
            raise NotFound(f"there is no key {id!r} in use; tacit keys list shows them")

    def any(self) -> bool:
        """Whether a key was ever created."""
        return self._store.keys().any()

    def find_by_token(self, token: str) -> Key | None:
        """The active key with a token, or None."""
        id = parse_key_id(token)
        key = None if id is None else self._store.keys().get(id)
        if key is None or key.revoked_at is not None or not is_token_of(key, token):
            return None
        return key
