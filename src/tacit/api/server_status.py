"""What a server tells about itself: its status, jobs, settings and agents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self

from tacit.core.json_value import Example, JsonField, JsonValue, Named
from tacit.core.keys import Role
from tacit.runtime.trust import IgnoredSetting
from tacit.settings.config import SettingEntry, SettingSource, SettingsTable
from tacit.settings.definition import to_setting_value
from tacit.settings.live_config import ConfigProblem

READY = "ready"

Version = Annotated[str | None, "As in the ETag; null where the file cannot be read."]
Warnings = Annotated[
    tuple[str, ...],
    "What was left out of values that are used all the same, and why.",
    Example(["memory_injection.pinned_types: 'todoo' is left out: no such type; …"]),
]
Ignored = Annotated[tuple[IgnoredSetting, ...], "What of a project's file does not act."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerReadiness(JsonValue):
    """Whether a server is ready, and the state of each part."""

    status: Annotated[str, Example(READY)]
    checks: Annotated[Mapping[str, str], Example({"store": "ok", "settings": "ok"})]

    @property
    def is_ready(self) -> bool:
        """Whether it serves requests."""
        return self.status == READY


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport(JsonValue):
    """The state of a periodic job of a server: runs, last result, last error."""

    name: str
    runs: int = 0
    last_at: datetime | None = None
    last_result: str | None = None
    last_error: str | None = None
    progress: Annotated[
        str | None,
        "How far it is while it runs, if it takes long.",
        Example("tokens: 1,200 of 40,000 in default"),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFileStatus(JsonValue):
    """The settings file in use, and its problems."""

    path: str | None = None
    problem: ConfigProblem | None = None
    ignored: Ignored = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus(JsonValue):
    """The status of a server as the caller sees it: who they are, and its problems.

    Jobs and the settings file are shown to server-wide keys only.
    """

    version: str
    workspace: str
    role: Role
    agent: str | None
    user: Annotated[str | None, "The user whom the caller's key is bound to."]
    speaks_for_users: bool
    server_wide: bool
    keys_needed: Annotated[bool, "Whether nobody comes in without a key."]
    started_at: datetime
    embedder: str | None
    store: Mapping[str, Any]
    settings: SettingsFileStatus
    jobs: tuple[JobReport, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsReport(JsonValue):
    """All current settings by table and name, and the file they are written to."""

    path: Annotated[str, "The file; where there is none, the first change makes it."]
    version: Version
    problem: Annotated[
        ConfigProblem | None,
        "Why the file as it is now is not used; the values are those of before.",
    ]
    project: Annotated[
        str | None,
        "The file of a project that adds to it, in the folder that the server runs in.",
    ] = None
    ignored: Ignored = ()
    tables: Mapping[SettingsTable, Mapping[str, SettingEntry]]
    agents: Annotated[tuple[str, ...], "The agents that the file names."]
    warnings: Warnings = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; each setting has the name it stands under."""
        tables = {
            table: {name: {**each, "name": name} for name, each in entries.items()}
            for table, entries in values["tables"].items()
        }
        return super(SettingsReport, cls).from_dict({**values, "tables": tables})


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsCheck(JsonValue):
    """Whether a text is valid as a settings file, and what is wrong if it is not."""

    ok: bool
    problem: Annotated[
        str | None, Example("tacit.toml, line 2: search.rrf_k: 0 is out of range; 1 to 1000")
    ] = None
    warnings: Warnings = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent(JsonValue):
    """An agent named in the settings file."""

    id: Annotated[str, Example("reviewer")]
    is_overridden: Annotated[
        bool, Named("memory_injection_overridden"), "Whether it has values of its own."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings(Agent):
    """The injection settings of an agent, and the source of each."""

    values: Annotated[Mapping[str, Any], Named("memory_injection"), Example({"max_total": 5})]
    sources: Annotated[Mapping[str, SettingSource], Example({"max_total": "agent"})]
    warnings: Warnings = ()
    version: Version

    @classmethod
    def reader(cls, field: JsonField) -> Callable[[Any], Any]:
        """Values are read as settings hold them."""
        if field.name == "values":
            return lambda value: {name: to_setting_value(each) for name, each in value.items()}
        return super(AgentSettings, cls).reader(field)
