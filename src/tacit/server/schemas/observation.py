"""Health, status, counts, activity, events and workspaces."""

from pydantic import Field

from tacit.core.events import EventPage
from tacit.server.schemas.common import ResponseModel
from tacit.server.schemas.values import model_of

EventPageResponse = model_of(EventPage, "EventPage", more={"next": (str | None, Field(None))})


# Health and status


class HealthResponse(ResponseModel):
    """The server is alive."""

    status: str = Field(examples=["ok"])
    version: str


# Counts


# Workspaces


class WorkspacesResponse(ResponseModel):
    """The names of workspaces."""

    items: list[str] = Field(examples=[["default", "shop"]])
