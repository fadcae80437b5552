"""Settings, the settings of single agents, and keys."""

from typing import Annotated, Any

from pydantic import Field

from tacit.core.keys import Key, Role
from tacit.server.schemas.common import RequestModel, ResponseModel, with_example
from tacit.server.schemas.values import Derived
from tacit.settings.config import SettingsTable

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

    def tables(self) -> dict[str, dict[str, Any]]:
        """The settings to change, by table."""
        return {str(table): getattr(self, str(table)) for table in SettingsTable}


class ChangeAgentRequest(RequestModel):
    """The changes of an agent's own settings; all others stay as they are."""

    model_config = with_example(memory_injection={"max_total": 5, "pinned_types": None})

    memory_injection: SettingValues
    reset_memory_injection_override: bool = Field(
        False, description="Let it give up all settings of its own, before others are set."
    )
