"""Settings: one definition each, immutable; a change is a new value."""

from tacit.settings.checking import check, left_out
from tacit.settings.daemon import DaemonSettings
from tacit.settings.definition import (
    Caution,
    Definition,
    Group,
    Kind,
    definition,
    definitions,
)
from tacit.settings.grounding import GroundingSettings
from tacit.settings.injection import (
    LEAST_BLOCK_CHARACTERS,
    LEAST_BLOCK_TOKENS,
    CachePolicy,
    ConflictPolicy,
    InjectionSettings,
    PinnedSort,
)
from tacit.settings.making import changed, injection_settings, search_settings
from tacit.settings.postgres import PostgresSettings
from tacit.settings.search import Fusion, SearchSettings
from tacit.settings.server import Networks, ServerSettings
from tacit.settings.upkeep import UpkeepSettings
from tacit.settings.writing import WritePolicy, WritingSettings

__all__ = [
    "LEAST_BLOCK_CHARACTERS",
    "LEAST_BLOCK_TOKENS",
    "CachePolicy",
    "Caution",
    "ConflictPolicy",
    "DaemonSettings",
    "Definition",
    "Fusion",
    "GroundingSettings",
    "Group",
    "InjectionSettings",
    "Kind",
    "Networks",
    "PinnedSort",
    "PostgresSettings",
    "SearchSettings",
    "ServerSettings",
    "UpkeepSettings",
    "WritePolicy",
    "WritingSettings",
    "changed",
    "check",
    "definition",
    "definitions",
    "injection_settings",
    "left_out",
    "search_settings",
]
