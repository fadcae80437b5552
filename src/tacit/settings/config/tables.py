"""The tables of a configuration that hold settings."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from tacit.settings.config.statements import Place
from tacit.settings.daemon import DaemonSettings
from tacit.settings.grounding import GroundingSettings
from tacit.settings.injection import InjectionSettings
from tacit.settings.postgres import PostgresSettings
from tacit.settings.search import SearchSettings
from tacit.settings.server import ServerSettings
from tacit.settings.upkeep import UpkeepSettings
from tacit.settings.writing import WritingSettings


class Table(StrEnum):
    """A table of settings, by the name that people use for it."""

    MEMORY_INJECTION = "memory_injection"
    SEARCH = "search"
    WRITING = "writing"
    UPKEEP = "upkeep"
    POSTGRES = "postgres"
    SERVER = "server"
    DAEMON = "daemon"
    GROUNDING = "grounding"

    @property
    def settings_class(self) -> type:
        """What defines its settings."""
        return _CLASSES[self]

    @property
    def place(self) -> Place:
        """Where it stands in a file; an agent's own stands in the agent's entry."""
        return ("defaults", str(self)) if self is Table.MEMORY_INJECTION else (str(self),)

    @property
    def prefixes(self) -> tuple[str, ...]:
        """How the names of its variables begin, the strongest first."""
        ours = f"TACIT_{self.upper()}_"
        return (ours, *_RUNTIMES.get(self, ()))


_RUNTIMES: Mapping[Table, tuple[str, ...]] = MappingProxyType(
    {
        Table.MEMORY_INJECTION: ("AGENT_RUNTIME_MEMORY_INJECTION_",),
        Table.GROUNDING: ("AGENT_RUNTIME_LLM_GROUNDING_",),
    }
)
"""How programs that came before name the same settings."""

_CLASSES: Mapping[Table, type] = MappingProxyType(
    {
        Table.MEMORY_INJECTION: InjectionSettings,
        Table.SEARCH: SearchSettings,
        Table.WRITING: WritingSettings,
        Table.UPKEEP: UpkeepSettings,
        Table.POSTGRES: PostgresSettings,
        Table.SERVER: ServerSettings,
        Table.DAEMON: DaemonSettings,
        Table.GROUNDING: GroundingSettings,
    }
)
