"""Giving memories to a user: what is asked for, and what came of it."""

from typing import Any

from pydantic import Field

from tacit.core.fields import MAX_LIMIT
from tacit.core.kinds import State
from tacit.server.models.common import Items, Told, example
from tacit.server.models.listing import Conditions
from tacit.server.models.memories import By, Id

_OWN = {"user", "ids", "agent", "by"}


class AssignRequest(Conditions):
    """Which memories of users become a user's: those named, or those that filters leave."""

    model_config = example(user="ann", types=["preference"], dry_run=True)

    user: str = Field(description="Whose they are to be.", examples=["ann"])
    ids: Items[Id] | None = Field(None, description="These; without them, all that are meant.")
    from_user: str = Field("", description="Whose they are now; empty for those of no user.")
    state: State | None = Field(None, description="every one if nothing is said")
    agent: str | None = Field(None, description="What this agent may see.")
    limit: int = Field(MAX_LIMIT, ge=1, le=MAX_LIMIT, description="How many at most.")
    after: str | None = Field(None, description="Where to go on: `next` of the answer before.")
    dry_run: bool = Field(False, description="Only count what would change.")
    by: By = None

    def selection(self) -> dict[str, Any]:
        """What the library is asked, except whose they become and who asks."""
        return self.model_dump(exclude=_OWN)


class AssignmentResponse(Told):
    """What became of the memories, or would; each is counted once but for `superseded`."""

    user: str
    assigned: int = Field(description="They are the user's now.")
    merged: int = Field(description="The user has a memory that says the same; it goes on.")
    outdated: int = Field(description="The user has another current value of the key.")
    queued: int = Field(description="Only a person may do this; it waits for one.")
    unchanged: int = Field(description="They were the user's already.")
    superseded: int = Field(description="Values of the user's keys that were replaced.")
    dry_run: bool
    next: str | None = Field(description="Goes back as `after` to go on; null at the end.")
