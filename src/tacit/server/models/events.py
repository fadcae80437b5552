"""What happened in a workspace."""

from typing import Any

from pydantic import Field

from tacit.core.events import EventKind
from tacit.server.models.common import Page, Told


class EventShape(Told):
    """What happened when; memories are named by their ids only."""

    number: int
    at: str
    kind: EventKind
    data: dict[str, Any]


class EventPageShape(Page[EventShape]):
    """Events in their order."""

    first: int = Field(description="The oldest that is kept; 0 if none is.")
    last: int = Field(description="The newest that there ever was; 0 if none.")
