"""Memories, writes, links, searches, imports and marks."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from tacit.core.kinds import Actor, MemoryType, Relation, Scope
from tacit.core.memory import Memory
from tacit.search.modes import Mode
from tacit.server.schemas.common import (
    GivenId,
    LongList,
    RequestModel,
    ResponseModel,
    ShortList,
    with_example,
)
from tacit.server.schemas.values import request_of
from tacit.writing.draft import DRAFT_FIELDS

_BY = "In whose name; the user's, if nothing is said."

Id = Annotated[str, Field(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]
By = Annotated[Actor | None, Field(description=_BY)]
ByQuery = Annotated[Actor | None, Query(description=_BY)]


DRAFT_MODEL = request_of(Memory, "DraftFields", only=DRAFT_FIELDS - {"content"})


class MemoryRequestFields(DRAFT_MODEL):  # type: ignore[misc, valid-type]
    """The fields of a memory besides its content."""

    def given_fields(self) -> dict[str, Any]:
        """The fields that were sent, including nulls."""
        given: dict[str, Any] = self.model_dump(exclude_unset=True, exclude={"by"})
        return given


class NewMemoryRequest(MemoryRequestFields):
    """A statement to store."""

    content: str = Field(examples=["We chose JWT over session tokens for the API"])


class RememberRequest(NewMemoryRequest):
    """A statement to store, and its actor."""

    by: By = None


class BulkRememberRequest(RequestModel):
    """Statements to store, all or none."""

    model_config = with_example(
        items=[{"content": "Staging has 4 replicas"}, {"content": "Ann owns the migration"}]
    )

    items: LongList[NewMemoryRequest]
    by: By = None


class BulkIdsRequest(RequestModel):
    """Memories by their ids."""

    model_config = with_example(ids=["01890a5d-ac96-774b-bcce-b302099a8057"])

    ids: LongList[GivenId]
    by: By = None


class BulkGetRequest(RequestModel):
    """Memories to read, by their ids."""

    model_config = with_example(ids=["01890a5d-ac96-774b-bcce-b302099a8057"])

    ids: LongList[GivenId]


class EditRequest(MemoryRequestFields):
    """The fields to change; null clears an optional field."""

    model_config = with_example(importance=0.9, pinned=True)

    content: str | None = None
    by: By = None


class PromoteRequest(MemoryRequestFields):
    """The fields of the memory that an episode becomes; its words are those that were said."""

    content: Annotated[str | None, Field(description="Other words than those that were said.")] = (
        None
    )
    by: By = None


class ActorRequest(RequestModel):
    """The actor."""

    model_config = with_example(by="operator")

    by: By = None


class LinkRequest(RequestModel):
    """Two memories to link."""

    source: GivenId
    target: GivenId
    relation: Relation = Relation.RELATED_TO
    weight: float = Field(0.5, ge=0, le=1)
    by: By = None


class SearchRequest(RequestModel):
    """A search."""

    text: str = Field(examples=["how do we sign people in?"])
    mode: Mode = Mode.HYBRID
    types: ShortList[MemoryType] | None = None
    scope: Scope | None = None
    scope_id: str | None = None
    agent: str | None = None
    user: str | None = None
    session: str | None = Field(
        None, description="Inside this session: its memories too, and those of no other."
    )
    min_confidence: float = Field(0.0, ge=0, le=1)
    episodes: bool = Field(False, description="Also what the user said about it.")
    project: str | None = Field(
        None, description="Leaves out what belongs to other projects or was said in them."
    )
    limit: int | None = Field(
        None, ge=1, le=1_000, description="At most this many; else the setting max_results."
    )
    settings: dict[str, Any] = Field(
        {}, description="Settings of search for this call only.", examples=[{"max_results": 5}]
    )


# Marks


class MarkAuthorRequest(RequestModel):
    """The author: an agent's mark counts in its own turns, a user's in that user's."""

    by: By = None
    agent: str | None = Field(default=None, description="The agent that marks.")
    user: str | None = Field(default=None, description="The user in whose turns it counts.")


class MarkIrrelevantRequest(MarkAuthorRequest):
    """A memory that was irrelevant in a turn."""

    memory: GivenId


class MarkIrrelevantForRequest(MarkAuthorRequest):
    """A question for which a memory is irrelevant."""

    text: str = Field(examples=["Why JWT instead of sessions?"])


class MarkResponse(ResponseModel):
    """The id of a mark, which can be removed."""

    mark: Id
