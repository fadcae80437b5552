"""Memories, writes, links, searches, imports and marks."""

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import Field

from tacit.core.kinds import Actor, MemoryType, Relation, Scope, Trust
from tacit.search.modes import Mode
from tacit.server.schemas.common import (
    LongList,
    RequestModel,
    ResponseModel,
    ShortList,
    with_example,
)
from tacit.writing.archive.files import Format
from tacit.writing.draft import Status

_BY = "In whose name; the user's, if nothing is said."

Id = Annotated[str, Field(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]
By = Annotated[Actor | None, Field(description=_BY)]
MemoryId = Annotated[str, Path(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]
ByQuery = Annotated[Actor | None, Query(description=_BY)]


class OriginRequest(RequestModel):
    """Where something was said."""

    session: str | None = None
    ordinal: int | None = None
    speaker: str | None = None
    time: str | None = None
    file: str | None = None
    url: str | None = None


class MemoryRequestFields(RequestModel):
    """The fields of a memory besides its content."""

    type: MemoryType | None = None
    key: str | None = Field(None, examples=["editor.indent"])
    importance: float | None = Field(None, ge=0, le=1)
    confidence: float | None = Field(None, ge=0, le=1)
    scope: Scope | None = None
    scope_id: str | None = None
    agent: str | None = Field(None, description="Visible to this agent only.")
    origin: OriginRequest | None = None
    trust: Trust | None = None
    tags: LongList[str] | None = None
    metadata: dict[str, Any] | None = None
    pinned: bool | None = None
    valid_from: str | None = Field(None, examples=["2026-12-31"])
    valid_to: str | None = None
    expires_at: str | None = None

    def given_fields(self) -> dict[str, Any]:
        """The fields that were sent, including nulls."""
        return self.model_dump(exclude_unset=True, exclude={"by"})


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

    ids: LongList[Id]
    by: By = None


class BulkGetRequest(RequestModel):
    """Memories to read, by their ids."""

    model_config = with_example(ids=["01890a5d-ac96-774b-bcce-b302099a8057"])

    ids: LongList[Id]


class EditRequest(MemoryRequestFields):
    """The fields to change; null clears an optional field."""

    model_config = with_example(importance=0.9, pinned=True)

    content: str | None = None
    by: By = None


class ActorRequest(RequestModel):
    """The actor."""

    model_config = with_example(by="operator")

    by: By = None


class LinkRequest(RequestModel):
    """Two memories to link."""

    source: Id
    target: Id
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
    min_confidence: float = Field(0.0, ge=0, le=1)
    settings: dict[str, Any] = Field(
        {}, description="Settings of search for this call only.", examples=[{"max_results": 5}]
    )


class MemoryResponse(ResponseModel):
    """One statement, whose it is, where it came from, and when it was true."""

    id: Id
    workspace: str
    content: str
    type: MemoryType
    key: str | None
    importance: float
    confidence: float
    scope: Scope
    scope_id: str
    agent: str | None
    source: Actor
    origin: dict[str, Any]
    trust: Trust
    explicit: bool
    pinned: bool
    tags: list[str]
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    last_accessed_at: str | None
    access_count: int
    valid_from: str | None
    valid_to: str | None
    superseded_by: str | None
    expires_at: str | None
    forgotten: bool


class MemoriesResponse(ResponseModel):
    """The memories found, in the order of the request."""

    items: list[MemoryResponse]


class ReviewResponse(ResponseModel):
    """A change that waits for a person."""

    id: Id
    memory: Id
    action: str
    change: dict[str, Any]
    by: Actor
    created_at: str


class WrittenResponse(ResponseModel):
    """The memory as it is now, and what was done."""

    status: Status
    memory: MemoryResponse
    superseded: list[Id]
    review: ReviewResponse | None


class BulkWrittenResponse(ResponseModel):
    """The result of each write, in the order of the request."""

    items: list[WrittenResponse]


class ErasureResponse(ResponseModel):
    """How many of each kind were removed, and what could not be reached."""

    memory: Id
    removed: dict[str, int]
    not_reached: list[str]


class AuditEntryResponse(ResponseModel):
    """One change of a memory."""

    id: Id
    memory: Id
    action: str
    by: Actor
    at: str
    subject: str
    old: dict[str, Any] | None
    new: dict[str, Any] | None


class LinkResponse(ResponseModel):
    """A link between two memories."""

    source: Id
    target: Id
    relation: Relation
    weight: float


class GraphResponse(ResponseModel):
    """The memories around one, and their links."""

    nodes: list[MemoryResponse]
    edges: list[LinkResponse]


class HitResponse(ResponseModel):
    """One memory found, and how it was scored."""

    score: float
    relevance: float
    sources: dict[str, dict[str, float]]
    parts: dict[str, float]
    memory: MemoryResponse


class SearchResponse(ResponseModel):
    """Hits, best first; `degraded` names every source that was left out."""

    hits: list[HitResponse]
    degraded: list[str]
    timings_ms: dict[str, float]


class RejectedLineResponse(ResponseModel):
    """A line that was not imported."""

    line: int
    reason: str


class ImportResponse(ResponseModel):
    """How the lines ended, and the format of the file."""

    format: Format
    counts: dict[str, int]
    rejected: list[RejectedLineResponse] = Field(description="The first thousand lines left out.")
    rejected_count: int = Field(description="How many lines were left out.")


# Marks


class MarkAuthorRequest(RequestModel):
    """The author: an agent's mark counts in its own turns, a user's in that user's."""

    by: By = None
    agent: str | None = Field(default=None, description="The agent that marks.")
    user: str | None = Field(default=None, description="The user in whose turns it counts.")


class MarkIrrelevantRequest(MarkAuthorRequest):
    """A memory that was irrelevant in a turn."""

    memory: Id


class MarkIrrelevantForRequest(MarkAuthorRequest):
    """A question for which a memory is irrelevant."""

    text: str = Field(examples=["Why JWT instead of sessions?"])


class MarkResponse(ResponseModel):
    """The id of a mark, which can be removed."""

    mark: Id


class MarkedResponse(ResponseModel):
    """A mark: when and by whom; the text of the question is not kept."""

    id: Id
    memory: Id
    at: str
    by: Actor
    agent: str | None
    user: str | None
