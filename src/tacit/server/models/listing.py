"""Which memories are listed or counted."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from tacit.core.kinds import Actor, MemoryType, Scope, Sort, State, Trust
from tacit.server.models.common import After, ForAgent, ForUser, Given, Limit, NamedItems, Told

_OWN = {"any_state", "agent", "user", "sort", "limit", "after"}


class Conditions(Given):
    """Conditions that all must hold; what is not said is free."""

    types: NamedItems[MemoryType] | None = None
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


class Filtering(Conditions):
    """Conditions on memories that somebody may see."""

    state: State = Field(State.LIVE, description="live if nothing is said")
    any_state: bool = Field(False, description="Past, future and forgotten ones too.")
    agent: ForAgent = None
    user: ForUser = None

    def filters(self) -> dict[str, Any]:
        """What the library is asked, except for whom."""
        asked = self.model_dump(exclude=_OWN)
        return {**asked, "state": None} if self.any_state else asked


class Listing(Filtering):
    """Which memories, in which order, and which page of them."""

    sort: Sort = Sort.RECENT
    limit: Limit = 50
    after: After = None


class CountShape(Told):
    """How many there are."""

    count: int


Filtered = Annotated[Filtering, Query()]
Listed = Annotated[Listing, Query()]
