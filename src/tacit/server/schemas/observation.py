"""Health, status, counts, activity, events and workspaces."""

from typing import Annotated, Any

from pydantic import Field

from tacit.core.events import EventPage
from tacit.core.keys import Role
from tacit.runtime.trust import IgnoredSetting
from tacit.server.jobs import JobOutcome
from tacit.server.schemas.common import ResponseModel
from tacit.server.schemas.values import Derived, model_of
from tacit.settings.live_config import ConfigProblem

EventPageResponse = model_of(EventPage, "EventPage", more={"next": (str | None, Field(None))})


# Health and status


class HealthResponse(ResponseModel):
    """The server is alive."""

    status: str = Field(examples=["ok"])
    version: str


class ReadinessResponse(ResponseModel):
    """Whether the server is ready, and the state of each part."""

    status: str = Field(examples=["ready"])
    checks: dict[str, str] = Field(examples=[{"store": "ok", "settings": "ok"}])


SettingsProblem = Annotated[Any, Derived(ConfigProblem)]
IgnoredSettings = Annotated[
    list[Annotated[Any, Derived(IgnoredSetting)]],
    Field(description="What of a project's file does not act."),
]


class SettingsStatusResponse(ResponseModel):
    """The settings file in use."""

    path: str | None
    problem: SettingsProblem | None
    ignored: IgnoredSettings


class StatusResponse(ResponseModel):
    """The server as the caller sees it."""

    version: str
    workspace: str
    role: Role
    agent: str | None
    user: str | None = Field(description="The user whom the caller's key is bound to.")
    speaks_for_users: bool
    server_wide: bool
    keys_needed: bool = Field(description="Whether nobody comes in without a key.")
    started_at: str
    embedder: str | None
    store: dict[str, Any]
    settings: SettingsStatusResponse
    jobs: list[Annotated[Any, Derived(JobOutcome)]]


# Counts


# Workspaces


class WorkspacesResponse(ResponseModel):
    """The names of workspaces."""

    items: list[str] = Field(examples=[["default", "shop"]])
