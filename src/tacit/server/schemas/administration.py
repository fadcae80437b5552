"""Settings, the settings of single agents, and keys."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from tacit.core.errors import InvalidInput
from tacit.core.keys import Key, Role
from tacit.server.schemas.common import RequestModel, ResponseModel, with_example
from tacit.server.schemas.values import Derived
from tacit.settings.config import SettingsTable
from tacit.settings.config_file import Change, Revert

_SPEAKS = (
    "Whether what its holder sends as a person's words counts as a person's. Always true without"
    " an agent."
)


class CreateKeyRequest(RequestModel):
    """A key to create."""

    name: str = Field(examples=["ci"])
    workspace: str | None = Field(
        description="The workspace that it opens; null, which must be said, opens every one.",
        examples=["default"],
    )
    role: Role
    agent: str | None = Field(None, description="Whoever holds it acts as this agent.")
    user: str | None = Field(None, description="Bind it to this user.", examples=["ann"])
    speaks_for_users: bool = Field(False, description=_SPEAKS)


class CreatedKeyResponse(ResponseModel):
    """A new key with its token, which cannot be shown again."""

    key: Annotated[Any, Derived(Key)]
    token: str = Field(examples=["tacit_k3v09hq2mzx1_…"])


SettingValues = Annotated[
    dict[str, Any],
    Field(
        default_factory=dict,
        description="The settings to change; null leaves one to weaker places.",
    ),
]


class ChangeSettingsRequest(RequestModel):
    """The settings to change; all others stay as they are."""

    model_config = with_example(memory_injection={"max_total": 5}, search={"rrf_k": None})

    memory_injection: SettingValues
    search: SettingValues
    writing: SettingValues
    upkeep: SettingValues
    postgres: SettingValues
    server: SettingValues
    proxy: SettingValues
    daemon: SettingValues
    grounding: SettingValues

    def changes(self) -> list[Change]:
        """The requested changes."""
        return [
            change
            for table in SettingsTable
            for change in _changes(table, getattr(self, str(table)))
        ]


class SettingsCheckResponse(ResponseModel):
    """Whether a text is valid, and what is wrong if it is not."""

    ok: bool
    problem: str | None = Field(
        examples=["tacit.toml, line 2: search.rrf_k: 0 is out of range; 1 to 1000"]
    )
    warnings: list[str] = Field(
        description="What was left out of values that are used all the same, and why.",
        examples=[["memory_injection.pinned_types: 'todoo' is left out: no such type; …"]],
    )


class ChangeAgentRequest(RequestModel):
    """The changes of an agent's own settings; all others stay as they are."""

    model_config = with_example(memory_injection={"max_total": 5, "pinned_types": None})

    memory_injection: SettingValues
    reset_memory_injection_override: bool = Field(
        False, description="Let it give up all settings of its own, before others are set."
    )

    def changes(self, agent: str) -> list[Change | Revert]:
        """The requested changes, in order."""
        first = [Revert(agent=agent)] if self.reset_memory_injection_override else []
        return [*first, *_changes(SettingsTable.MEMORY_INJECTION, self.memory_injection, agent)]


def _changes(
    table: SettingsTable, values: Mapping[str, Any], agent: str | None = None
) -> list[Change]:
    return [_change(table, name, value, agent) for name, value in values.items()]


def _change(table: SettingsTable, name: str, value: Any, agent: str | None) -> Change:
    """A change; errors name the field as the caller wrote it."""
    try:
        return Change(table=table, name=name, value=value, agent=agent)
    except InvalidInput as error:
        raise InvalidInput(f"{table}.{error.field}", error.problem) from None
