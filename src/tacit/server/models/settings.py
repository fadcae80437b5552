"""Settings, for all and of single agents."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from tacit.core.errors import InvalidInput
from tacit.server.models.common import Given, Told, example
from tacit.server.models.health import IgnoredShape, SettingsProblem
from tacit.settings.config import SettingSource, SettingsTable
from tacit.settings.config_file import Change, Revert
from tacit.settings.definition import SettingGroup, SettingKind

Version = Annotated[
    str | None, Field(description="As in the ETag; null where the file cannot be read.")
]
Values = Annotated[
    dict[str, Any],
    Field(
        default_factory=dict,
        description="The settings to change; null leaves one to weaker places.",
    ),
]


Warnings = Annotated[
    list[str],
    Field(
        description="What was left out of values that are used all the same, and why.",
        examples=[["memory_injection.pinned_types: 'todoo' is left out: no such type; …"]],
    ),
]


class CautionShape(Told):
    """Values that are allowed but seldom wise, and why."""

    values: list[str] = Field(examples=[["event"]])
    text: str


class SettingShape(Told):
    """A setting: its value, where that comes from, and what it takes."""

    value: Any
    source: SettingSource
    default: Any
    kind: SettingKind
    low: int | float | None
    high: int | float | None
    choices: list[str]
    label: str = Field(examples=["Max Total"])
    help: str
    group: SettingGroup
    needs: str | None = Field(
        description="The setting that must be on for this one to count.",
        examples=["ambient_enabled"],
    )
    guidance: str | None = Field(description="Which value suits whom; nobody is held to it.")
    in_project: bool = Field(
        description="Whether the file of a project may set it, after the user has agreed to that."
    )
    caution: CautionShape | None


class SettingsShape(Told):
    """All settings in force, and the file that they are written to."""

    path: str = Field(description="The file; where there is none, the first change makes it.")
    version: Version
    problem: SettingsProblem | None = Field(
        description="Why the file as it is now is not used; the values are those of before."
    )
    project: str | None = Field(
        description="The file of a project that adds to it, in the folder that the server runs in."
    )
    ignored: list[IgnoredShape] = Field(description="What of a project's file does not act.")
    tables: dict[SettingsTable, dict[str, SettingShape]]
    agents: list[str] = Field(description="The agents that the file names.")
    warnings: Warnings


class ChangingSettings(Given):
    """What to change; all that is not named stays as it is."""

    model_config = example(memory_injection={"max_total": 5}, search={"rrf_k": None})

    memory_injection: Values
    search: Values
    writing: Values
    upkeep: Values
    postgres: Values
    server: Values
    daemon: Values
    grounding: Values

    def changes(self) -> list[Change]:
        """The changes that were asked for."""
        return [
            change
            for table in SettingsTable
            for change in _changes(table, getattr(self, str(table)))
        ]


class Checked(Told):
    """Whether a text would be taken, and what is wrong if it would not."""

    ok: bool
    problem: str | None = Field(
        examples=["tacit.toml, line 2: search.rrf_k: 0 is out of range; 1 to 1000"]
    )
    warnings: Warnings


class AgentShape(Told):
    """An agent that the file names."""

    id: str = Field(examples=["reviewer"])
    memory_injection_overridden: bool = Field(description="Whether it has values of its own.")


class AgentsShape(Told):
    """The agents that the file names, in its order."""

    items: list[AgentShape]


class AgentConfigShape(AgentShape):
    """The settings that an agent goes by."""

    memory_injection: dict[str, Any] = Field(examples=[{"max_total": 5}])
    sources: dict[str, SettingSource] = Field(examples=[{"max_total": "agent"}])
    warnings: Warnings
    version: Version


class ChangingAgent(Given):
    """What to change of an agent's own settings; all that is not named stays as it is."""

    model_config = example(memory_injection={"max_total": 5, "pinned_types": None})

    memory_injection: Values
    reset_memory_injection_override: bool = Field(
        False, description="Let it give up all settings of its own, before others are set."
    )

    def changes(self, agent: str) -> list[Change | Revert]:
        """The changes that were asked for, in their order."""
        first = [Revert(agent=agent)] if self.reset_memory_injection_override else []
        return [*first, *_changes(SettingsTable.MEMORY_INJECTION, self.memory_injection, agent)]


def _changes(
    table: SettingsTable, values: Mapping[str, Any], agent: str | None = None
) -> list[Change]:
    return [_change(table, name, value, agent) for name, value in values.items()]


def _change(table: SettingsTable, name: str, value: Any, agent: str | None) -> Change:
    """A change; what is wrong with it is told of the field as the caller wrote it."""
    try:
        return Change(table=table, name=name, value=value, agent=agent)
    except InvalidInput as error:
        raise InvalidInput(f"{table}.{error.field}", error.problem) from None
