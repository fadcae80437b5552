"""A configuration: a snapshot of all settings, the source of each value, and the files it reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, TypeVar

from tacit.core.json_value import INLINE, JsonField, JsonValue
from tacit.runtime.trust import IgnoredSetting, resolve_folder
from tacit.settings.definition import (
    SettingDefinition,
    check_setting,
    find_definition,
    list_definitions,
    to_setting_value,
)
from tacit.settings.grounding import GroundingSettings
from tacit.settings.injection import InjectionSettings
from tacit.settings.proxy import ProxySettings
from tacit.settings.search import SearchSettings
from tacit.settings.server import DaemonSettings, PostgresSettings, ServerSettings
from tacit.settings.toml_edit import KeyPath
from tacit.settings.writing import UpkeepSettings, WritingSettings


class SettingsTable(StrEnum):
    """A table of settings, by its name in the file."""

    MEMORY_INJECTION = "memory_injection"
    SEARCH = "search"
    WRITING = "writing"
    UPKEEP = "upkeep"
    POSTGRES = "postgres"
    SERVER = "server"
    PROXY = "proxy"
    DAEMON = "daemon"
    GROUNDING = "grounding"

    @property
    def settings_class(self) -> type:
        """The class that defines its settings."""
        return _CLASSES[self]

    @property
    def place(self) -> KeyPath:
        """Its place in a file; the settings of an agent are in the agent's entry."""
        return ("defaults", str(self)) if self is SettingsTable.MEMORY_INJECTION else (str(self),)

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The prefixes of its environment variables, the strongest first."""
        ours = f"TACIT_{self.upper()}_"
        return (ours, *_OTHER_PREFIXES.get(self, ()))


_OTHER_PREFIXES: Mapping[SettingsTable, tuple[str, ...]] = MappingProxyType(
    {
        SettingsTable.MEMORY_INJECTION: ("AGENT_RUNTIME_MEMORY_INJECTION_",),
        SettingsTable.GROUNDING: ("AGENT_RUNTIME_LLM_GROUNDING_",),
    }
)
"""Prefixes that earlier programs used for the same settings."""

_CLASSES: Mapping[SettingsTable, type] = MappingProxyType(
    {
        SettingsTable.MEMORY_INJECTION: InjectionSettings,
        SettingsTable.SEARCH: SearchSettings,
        SettingsTable.WRITING: WritingSettings,
        SettingsTable.UPKEEP: UpkeepSettings,
        SettingsTable.POSTGRES: PostgresSettings,
        SettingsTable.SERVER: ServerSettings,
        SettingsTable.PROXY: ProxySettings,
        SettingsTable.DAEMON: DaemonSettings,
        SettingsTable.GROUNDING: GroundingSettings,
    }
)


Values: TypeAlias = Mapping[str, Any]
"""Some settings by name, checked."""


class SettingSource(StrEnum):
    """Where a value comes from, weakest first."""

    BUILT_IN = "built_in"
    USER_FILE = "user_file"
    """The user's own file, where a database has settings of its own beside it."""
    FILE = "file"
    """The file that settings are written to: the database's, the named one, or the user's."""
    PROJECT = "project"
    ENVIRONMENT = "environment"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLayer:
    """The settings of a project's file that a project may set and the user has agreed to."""

    path: Path | None = None
    """The file that is used; None if there is none."""
    values: Mapping[SettingsTable, Values] = field(default_factory=dict)
    agents: Mapping[str, Values] = field(default_factory=dict)
    """Settings of `memory_injection` for single agents."""
    ignored: tuple[IgnoredSetting, ...] = ()
    """What is in the file but has no effect."""

    def table(self, table: SettingsTable, agent: str | None = None) -> Values:
        """Its values of a table, shared or for an agent."""
        own = (
            self.agents.get(agent, {}) if agent and table is SettingsTable.MEMORY_INJECTION else {}
        )
        return {**self.values.get(table, {}), **own}


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings, from the files, the environment, and the built-in values."""

    path: Path | None = None
    """The file of the user; if the database has one of its own, that."""
    base_path: Path | None = None
    """The user's file beneath the database's, if there are both."""
    search: SearchSettings = field(default_factory=SearchSettings)
    writing: WritingSettings = field(default_factory=WritingSettings)
    upkeep: UpkeepSettings = field(default_factory=UpkeepSettings)
    postgres: PostgresSettings = field(default_factory=PostgresSettings)
    server: ServerSettings = field(default_factory=ServerSettings)
    proxy: ProxySettings = field(default_factory=ProxySettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)
    grounding: GroundingSettings = field(default_factory=GroundingSettings)
    base_defaults: Values = field(default_factory=dict)
    defaults: Values = field(default_factory=dict)
    environment: Values = field(default_factory=dict)
    overrides: Mapping[str, Values] = field(default_factory=dict)
    """The settings of each agent, by its id."""
    sources: Mapping[tuple[SettingsTable, str], SettingSource] = field(default_factory=dict)
    """The sources of values in shared tables; values that are missing here are built in."""
    warnings: tuple[str, ...] = ()
    """Parts of values that are ignored, each with the reason."""
    project: ProjectLayer = field(default_factory=ProjectLayer)
    """The settings that the project's file adds."""

    @property
    def ignored(self) -> tuple[IgnoredSetting, ...]:
        """What is in a project's file but has no effect."""
        return self.project.ignored

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that the file names, in its order."""
        return tuple(self.overrides)

    def injection(self, agent: str | None) -> InjectionSettings:
        """The settings of an agent, field by field; the shared ones where it has none."""
        values: dict[str, Any] = {}
        for layer in self._layers(agent).values():
            values.update(layer)
        return InjectionSettings(**values)

    def settings(self, table: SettingsTable, agent: str | None = None) -> Any:
        """The settings of a table; only `memory_injection` differs by agent."""
        if table is SettingsTable.MEMORY_INJECTION:
            return self.injection(agent)
        return getattr(self, str(table))

    def source(
        self, agent: str | None, name: str, table: SettingsTable = SettingsTable.MEMORY_INJECTION
    ) -> SettingSource:
        """Where an agent's value of a setting comes from."""
        find_definition(table.settings_class, name)
        if table is not SettingsTable.MEMORY_INJECTION:
            return self.sources.get((table, name), SettingSource.BUILT_IN)
        having = [source for source, layer in self._layers(agent).items() if name in layer]
        return having[-1] if having else SettingSource.BUILT_IN

    def _layers(self, agent: str | None) -> dict[SettingSource, Values]:
        return {
            SettingSource.USER_FILE: self.base_defaults,
            SettingSource.FILE: self.defaults,
            SettingSource.PROJECT: self.project.table(SettingsTable.MEMORY_INJECTION, agent),
            SettingSource.ENVIRONMENT: self.environment,
            SettingSource.AGENT: {} if agent is None else self.overrides.get(agent, {}),
        }


# The files of a configuration.


CONFIG_VARIABLE = "TACIT_CONFIG"
CONFIG_FILE_NAME = "tacit.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigPaths:
    """The files to read: the user's, and the database's and the project's that add to it."""

    own: Path | None = None
    """Named, or in the user's configuration folder."""
    database: Path | None = None
    """Of one database, in the user's configuration folder."""
    project: Path | None = None
    """In the folder that a program runs in; it acts after consent."""
    home: Path | None = None
    """Where settings are written to, whether it exists or not; None for `own`."""


DATABASES_FOLDER = "databases"
"""Holds a file for each database whose settings were changed by themselves."""


def find_config(
    environment: Mapping[str, str],
    folder: Path,
    user_folder: Path,
    *,
    in_folder: bool = True,
    database: str | None = None,
) -> ConfigPaths:
    """The file that TACIT_CONFIG names, alone; else the user's, the database's, the folder's.

    A named file needs no consent, nor does one in the user's own folder. `database` is the name of
    the database's file.
    """
    named = environment.get(CONFIG_VARIABLE)
    if named:
        return ConfigPaths(own=folder / named)
    own, there = user_folder / CONFIG_FILE_NAME, folder / CONFIG_FILE_NAME
    is_of_project = (
        in_folder and _is_visible_file(there) and resolve_folder(there) != resolve_folder(own)
    )
    home = None if database is None else user_folder / DATABASES_FOLDER / database
    return ConfigPaths(
        own=own if _is_visible_file(own) else None,
        database=home if home is not None and _is_visible_file(home) else None,
        project=there if is_of_project else None,
        home=home,
    )


def _is_visible_file(path: Path) -> bool:
    """Whether a file exists; files in folders that we may not read do not count."""
    try:
        return path.is_file()
    except PermissionError:
        return False


# A setting with its current value and source.


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingEntry(JsonValue):
    """A setting: its value, its source and the values it accepts."""

    value: Any
    source: SettingSource
    definition: Annotated[SettingDefinition, INLINE]

    @classmethod
    def reader(cls, field: JsonField) -> Callable[[Any], Any]:
        """A value is read as settings hold it."""
        if field.name == "value":
            return to_setting_value
        return super(SettingEntry, cls).reader(field)


def list_settings(
    config: Config, table: SettingsTable, agent: str | None = None
) -> dict[str, SettingEntry]:
    """Every setting of a table by its name, with the value for an agent or for all."""
    found = config.settings(table, agent)
    return {
        each.name: SettingEntry(
            definition=each,
            value=getattr(found, each.name),
            source=config.source(agent, each.name, table),
        )
        for each in list_definitions(table.settings_class)
    }


# Settings with some values replaced.


Settings = TypeVar("Settings", InjectionSettings, SearchSettings)


def override_settings(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """A copy with some values replaced; an unknown name is an error."""
    accepted = {name: check_setting(type(settings), name, value) for name, value in values.items()}
    return replace(settings, **accepted)


def make_injection_settings(values: Mapping[str, Any]) -> InjectionSettings:
    """The defaults with some values replaced; an unknown name is an error."""
    return override_settings(InjectionSettings(), values)


def make_search_settings(values: Mapping[str, Any]) -> SearchSettings:
    """The defaults with some values replaced; an unknown name is an error."""
    return override_settings(SearchSettings(), values)
