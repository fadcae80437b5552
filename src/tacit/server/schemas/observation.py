"""Health, status, counts, activity, events and workspaces."""

from typing import Any

from pydantic import Field

from tacit.core.events import EventKind
from tacit.core.keys import Role
from tacit.core.kinds import MemoryType, Scope, State
from tacit.core.receipt import CandidateSource, Fate, SkipReason
from tacit.server.schemas.common import PageResponse, ResponseModel


class TokensResponse(ResponseModel):
    """Injected tokens: in total, and per turn that injected something."""

    sum: int
    mean: float
    p95: int


class LatencyResponse(ResponseModel):
    """Latency percentiles in milliseconds."""

    p50: float
    p95: float


class PeriodResponse(ResponseModel):
    """The turns of one period."""

    start: str
    injected: int
    nothing: int
    skipped: int
    tokens: int


class SeriesResponse(ResponseModel):
    """Periods of equal length, oldest first, without gaps."""

    step_seconds: int
    periods: list[PeriodResponse]


class GrowthResponse(ResponseModel):
    """The number of memories before a range of days, and those created on each day."""

    before: int
    created: dict[str, int] = Field(examples=[{"2026-03-01": 12}])


class MemoryUseResponse(ResponseModel):
    """How many turns injected a memory."""

    memory: str
    count: int


class ActivityResponse(ResponseModel):
    """The results and costs of the last turns of a workspace, and how memory grew."""

    turns: int = Field(description="How many it covers.")
    since: str | None = Field(description="When the first of them was.")
    until: str | None = Field(description="When the last of them was.")
    injected: int
    nothing: int = Field(description="Turns that found nothing relevant.")
    skipped: dict[SkipReason, int] = Field(description="Turns that did not look, by reason.")
    degraded: int = Field(description="Turns in which a part failed.")
    reasons: dict[str, int] = Field(description="Problems, and how often they occurred.")
    found: dict[CandidateSource, int] = Field(description="Memories that were injected.")
    left_out: dict[Fate, int] = Field(description="Memories that were considered and left out.")
    tokens: TokensResponse
    latency_ms: dict[str, LatencyResponse] = Field(description="By stage; `total` is the whole.")
    series: SeriesResponse
    growth: GrowthResponse
    top: list[MemoryUseResponse] = Field(description="The memories that were injected most.")


# Events


class EventResponse(ResponseModel):
    """An event; memories are named by their ids only."""

    number: int
    at: str
    kind: EventKind
    data: dict[str, Any]


class EventPageResponse(PageResponse[EventResponse]):
    """Events in order."""

    first: int = Field(description="The oldest that is kept; 0 if none is.")
    last: int = Field(description="The newest that there ever was; 0 if none.")


# Health and status


class HealthResponse(ResponseModel):
    """The server is alive."""

    status: str = Field(examples=["ok"])
    version: str


class ReadinessResponse(ResponseModel):
    """Whether the server is ready, and the state of each part."""

    status: str = Field(examples=["ready"])
    checks: dict[str, str] = Field(examples=[{"store": "ok", "settings": "ok"}])


class SettingsProblemResponse(ResponseModel):
    """Why the settings file is not used as it is, and since when."""

    message: str
    since: str


class IgnoredSettingResponse(ResponseModel):
    """A setting of a project's file that is ignored."""

    file: str = Field(examples=["/home/ann/shop/tacit.toml"])
    setting: str | None = Field(
        description="The setting that is ignored; null for the whole file.",
        examples=["writing.llm_base_url"],
    )
    reason: str = Field(examples=["you have not agreed to it"])
    command: str | None = Field(
        description="What to run on the server's machine.",
        examples=["tacit trust /home/ann/shop/tacit.toml"],
    )


class SettingsStatusResponse(ResponseModel):
    """The settings file in use."""

    path: str | None
    problem: SettingsProblemResponse | None
    ignored: list[IgnoredSettingResponse] = Field(
        description="What of a project's file does not act."
    )


class JobStatusResponse(ResponseModel):
    """The state of a job."""

    name: str
    runs: int
    last_at: str | None
    last_result: str | None
    last_error: str | None


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
    jobs: list[JobStatusResponse]


# Counts


class StatsResponse(ResponseModel):
    """Counts of a workspace, and the store they are in."""

    workspace: str
    by_state: dict[State, int]
    by_type: dict[MemoryType, int]
    by_scope: dict[Scope, int]
    associations: int
    audit_entries: int
    reviews: int
    indexed: int
    vectors: dict[str, int]
    store: dict[str, Any]


# Workspaces


class WorkspacesResponse(ResponseModel):
    """The names of workspaces."""

    items: list[str] = Field(examples=[["default", "shop"]])
