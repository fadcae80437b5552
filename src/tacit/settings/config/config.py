"""A configuration: one immutable snapshot, and where each of its values comes from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from tacit.runtime.trust import IgnoredSetting
from tacit.settings.config.tables import Table
from tacit.settings.daemon import DaemonSettings
from tacit.settings.definition import definition
from tacit.settings.grounding import GroundingSettings
from tacit.settings.injection import InjectionSettings
from tacit.settings.postgres import PostgresSettings
from tacit.settings.search import SearchSettings
from tacit.settings.server import ServerSettings
from tacit.settings.upkeep import UpkeepSettings
from tacit.settings.writing import WritingSettings

Values: TypeAlias = Mapping[str, Any]
"""Some settings by name, checked."""


class Source(StrEnum):
    """Where a value comes from, weakest first."""

    BUILT_IN = "built_in"
    FILE = "file"
    PROJECT = "project"
    ENVIRONMENT = "environment"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLayer:
    """What the file of a project says, as far as a project may say it and the user agreed to it."""

    path: Path | None = None
    """The file that acts; None where none does."""
    values: Mapping[Table, Values] = field(default_factory=dict)
    agents: Mapping[str, Values] = field(default_factory=dict)
    """What it says of memory injection for single agents."""
    ignored: tuple[IgnoredSetting, ...] = ()
    """What is there and does not act."""

    def table(self, table: Table, agent: str | None = None) -> Values:
        """What it says in a table, for all or for an agent."""
        own = self.agents.get(agent, {}) if agent and table is Table.MEMORY_INJECTION else {}
        return {**self.values.get(table, {}), **own}


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What the files and the environment say; without any, the built-in values."""

    path: Path | None = None
    search: SearchSettings = field(default_factory=SearchSettings)
    writing: WritingSettings = field(default_factory=WritingSettings)
    upkeep: UpkeepSettings = field(default_factory=UpkeepSettings)
    postgres: PostgresSettings = field(default_factory=PostgresSettings)
    server: ServerSettings = field(default_factory=ServerSettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)
    grounding: GroundingSettings = field(default_factory=GroundingSettings)
    defaults: Values = field(default_factory=dict)
    environment: Values = field(default_factory=dict)
    overrides: Mapping[str, Values] = field(default_factory=dict)
    """What each agent has of its own, by its id."""
    sources: Mapping[tuple[Table, str], Source] = field(default_factory=dict)
    """Where values of the tables for all come from; the others are built in."""
    warnings: tuple[str, ...] = ()
    """What was left out of values that are used all the same, and why."""
    project: ProjectLayer = field(default_factory=ProjectLayer)
    """What the project's file adds."""

    @property
    def ignored(self) -> tuple[IgnoredSetting, ...]:
        """What a project's file says and does not count."""
        return self.project.ignored

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that the file names, in its order."""
        return tuple(self.overrides)

    def injection(self, agent: str | None) -> InjectionSettings:
        """The settings of an agent, field by field; those of all where it has none of its own."""
        values: dict[str, Any] = {}
        for layer in self._layers(agent).values():
            values.update(layer)
        return InjectionSettings(**values)

    def settings(self, table: Table, agent: str | None = None) -> Any:
        """The settings of a table; an agent has its own of memory_injection only."""
        if table is Table.MEMORY_INJECTION:
            return self.injection(agent)
        return getattr(self, str(table))

    def source(self, agent: str | None, name: str, table: Table = Table.MEMORY_INJECTION) -> Source:
        """Where an agent's value of a setting comes from."""
        definition(table.settings_class, name)
        if table is not Table.MEMORY_INJECTION:
            return self.sources.get((table, name), Source.BUILT_IN)
        having = [source for source, layer in self._layers(agent).items() if name in layer]
        return having[-1] if having else Source.BUILT_IN

    def _layers(self, agent: str | None) -> dict[Source, Values]:
        return {
            Source.FILE: self.defaults,
            Source.PROJECT: self.project.table(Table.MEMORY_INJECTION, agent),
            Source.ENVIRONMENT: self.environment,
            Source.AGENT: {} if agent is None else self.overrides.get(agent, {}),
        }
