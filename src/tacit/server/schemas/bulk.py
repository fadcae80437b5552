"""Work on many memories: filters, counting, erasing, assigning, upkeep."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from tacit.core.fields import MAX_LIMIT
from tacit.core.kinds import Actor, MemoryType, Scope, Sort, State, Trust
from tacit.server.schemas.common import (
    After,
    ForAgent,
    ForProject,
    ForUser,
    GivenId,
    Limit,
    LongList,
    RequestModel,
    ResponseModel,
    ShortList,
    with_example,
)
from tacit.server.schemas.memories import By
from tacit.writing.upkeep.maintenance import MOST_LOOKED_AT

_NOT_FILTERS = {"any_state", "agent", "user", "sort", "limit", "after"}


class MemoryConditions(RequestModel):
    """Conditions that must all hold; omitted ones are ignored."""

    types: ShortList[MemoryType] | None = None
    scope: Scope | None = None
    scope_id: str | None = None
    key: str | None = None
    tag: str | None = None
    pinned: bool | None = None
    contains: str | None = Field(
        None,
        description="Words in the content, the key or a tag, in capitals or not.",
        examples=["jwt"],
    )
    source: Actor | None = Field(None, description="Who wrote it.")
    trust: Trust | None = None
    explicit: bool | None = Field(None, description="Whether a person wrote it.")
    session: str | None = Field(None, description="Where it was said.")
    expires: bool | None = Field(None, description="Whether it has a time to expire.")
    min_importance: float | None = Field(None, ge=0, le=1)
    max_importance: float | None = Field(None, ge=0, le=1)
    min_confidence: float | None = Field(None, ge=0, le=1)
    created_from: str | None = Field(
        None, description="Written then or later.", examples=["2026-01-31"]
    )
    created_to: str | None = Field(None, description="Written before then.")
    updated_from: str | None = Field(None, description="Changed then or later.")


class CountRequest(MemoryConditions):
    """Conditions on visible memories."""

    state: State = Field(State.LIVE, description="live if nothing is said")
    any_state: bool = Field(False, description="Past, future and forgotten ones too.")
    agent: ForAgent = None
    user: ForUser = None
    project: ForProject = None

    def filters(self) -> dict[str, Any]:
        """The filters for the library, without the viewer."""
        asked = self.model_dump(exclude=_NOT_FILTERS)
        return {**asked, "state": None} if self.any_state else asked


class ListRequest(CountRequest):
    """Which memories, in which order, and which page."""

    sort: Sort = Sort.RECENT
    limit: Limit = 50
    after: After = None


class CountResponse(ResponseModel):
    """A count."""

    count: int


CountQuery = Annotated[CountRequest, Query()]
ListQueryParams = Annotated[ListRequest, Query()]


# Erasure


_DRY_RUN = "Only count what would go."
_NOT_ERASE_FILTERS = {"dry_run", "by"}


class EraseRequest(RequestModel):
    """Whether it is a dry run, and who asks."""

    model_config = with_example(dry_run=True)

    dry_run: bool = Field(False, description=_DRY_RUN)
    by: By = None


class EraseOwnerRequest(EraseRequest):
    """Whose memories and turns to erase."""

    model_config = with_example(scope="user", scope_id="ann", dry_run=True)

    scope: Scope
    scope_id: str = Field(description="Which one; empty for the one without a name.")


class EraseMatchingRequest(MemoryConditions):
    """Which memories to erase, in every state unless one is named."""

    model_config = with_example(contains="heliotrope", dry_run=True)

    state: State | None = Field(None, description="every one if nothing is said")
    dry_run: bool = Field(False, description=_DRY_RUN)
    by: By = None

    def filters(self) -> dict[str, Any]:
        """The arguments for the library."""
        return self.model_dump(exclude=_NOT_ERASE_FILTERS)


# Assignment to users


_NOT_SELECTION = {"user", "ids", "agent", "by"}


class AssignRequest(MemoryConditions):
    """Which memories to assign to a user: those named, or those that filters match."""

    model_config = with_example(user="ann", types=["preference"], dry_run=True)

    user: str = Field(description="Whose they are to be.", examples=["ann"])
    ids: LongList[GivenId] | None = Field(
        None, description="These; without them, all that are meant."
    )
    from_user: str = Field("", description="Whose they are now; empty for those of no user.")
    state: State | None = Field(None, description="every one if nothing is said")
    agent: str | None = Field(None, description="What this agent may see.")
    limit: int = Field(MAX_LIMIT, ge=1, le=MAX_LIMIT, description="How many at most.")
    after: str | None = Field(None, description="Where to go on: `next` of the answer before.")
    dry_run: bool = Field(False, description="Only count what would change.")
    by: By = None

    def selection(self) -> dict[str, Any]:
        """The selection for the library, without the new owner and the actor."""
        return self.model_dump(exclude=_NOT_SELECTION)


# Upkeep


class UpkeepRequest(RequestModel):
    """How many memories to look at, and whether it is a dry run."""

    model_config = with_example(dry_run=True, limit=100)

    dry_run: bool = Field(False, description="Only tell what would be done.")
    limit: int | None = Field(
        None, ge=1, le=MOST_LOOKED_AT, description="So many memories at most; else as settings say."
    )
