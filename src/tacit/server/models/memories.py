"""Memories, and what is done with them."""

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import Field

from tacit.core.kinds import Actor, MemoryType, Relation, Scope, Trust
from tacit.search.modes import Mode
from tacit.server.models.common import Given, Items, NamedItems, Told, example
from tacit.writing.archive.files import Format
from tacit.writing.draft import Status

_BY = "In whose name; the user's, if nothing is said."

Id = Annotated[str, Field(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]
By = Annotated[Actor | None, Field(description=_BY)]
MemoryId = Annotated[str, Path(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]
AskedBy = Annotated[Actor | None, Query(description=_BY)]


class OriginShape(Given):
    """Where something was said."""

    session: str | None = None
    ordinal: int | None = None
    speaker: str | None = None
    time: str | None = None
    file: str | None = None
    url: str | None = None


class Fields(Given):
    """What can be said about a memory besides its content."""

    type: MemoryType | None = None
    key: str | None = Field(None, examples=["editor.indent"])
    importance: float | None = Field(None, ge=0, le=1)
    confidence: float | None = Field(None, ge=0, le=1)
    scope: Scope | None = None
    scope_id: str | None = None
    agent: str | None = Field(None, description="Visible to this agent only.")
    origin: OriginShape | None = None
    trust: Trust | None = None
    tags: Items[str] | None = None
    metadata: dict[str, Any] | None = None
    pinned: bool | None = None
    valid_from: str | None = Field(None, examples=["2026-12-31"])
    valid_to: str | None = None
    expires_at: str | None = None

    def given(self) -> dict[str, Any]:
        """What was really said, null included."""
        return self.model_dump(exclude_unset=True, exclude={"by"})


class NewMemory(Fields):
    """A statement to keep."""

    content: str = Field(examples=["We chose JWT over session tokens for the API"])


class Remembering(NewMemory):
    """A statement to keep, and who says so."""

    by: By = None


class Bulk(Given):
    """Statements to keep: all of them, or none."""

    model_config = example(
        items=[{"content": "Staging has 4 replicas"}, {"content": "Ann owns the migration"}]
    )

    items: Items[NewMemory]
    by: By = None


class Ids(Given):
    """Memories by their ids."""

    model_config = example(ids=["01890a5d-ac96-774b-bcce-b302099a8057"])

    ids: Items[Id]
    by: By = None


class Reading(Given):
    """Memories to read, by their ids."""

    model_config = example(ids=["01890a5d-ac96-774b-bcce-b302099a8057"])

    ids: Items[Id]


class Editing(Fields):
    """The fields to change; null empties what can be empty."""

    model_config = example(importance=0.9, pinned=True)

    content: str | None = None
    by: By = None


class Acting(Given):
    """Who does it."""

    model_config = example(by="operator")

    by: By = None


class Linking(Given):
    """Two memories to relate."""

    source: Id
    target: Id
    relation: Relation = Relation.RELATED_TO
    weight: float = Field(0.5, ge=0, le=1)
    by: By = None


class Searching(Given):
    """What to look for."""

    text: str = Field(examples=["how do we sign people in?"])
    mode: Mode = Mode.HYBRID
    types: NamedItems[MemoryType] | None = None
    scope: Scope | None = None
    scope_id: str | None = None
    agent: str | None = None
    user: str | None = None
    min_confidence: float = Field(0.0, ge=0, le=1)
    settings: dict[str, Any] = Field(
        {}, description="Settings of search for this call only.", examples=[{"max_results": 5}]
    )


class MemoryShape(Told):
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


class MemoriesShape(Told):
    """Those that are there, in the order they were asked for."""

    items: list[MemoryShape]


class ReviewShape(Told):
    """A change that waits for a person."""

    id: Id
    memory: Id
    action: str
    change: dict[str, Any]
    by: Actor
    created_at: str


class WrittenShape(Told):
    """The memory as it now is, and what was done."""

    status: Status
    memory: MemoryShape
    superseded: list[Id]
    review: ReviewShape | None


class ManyWritten(Told):
    """What became of each, in the order they were sent."""

    items: list[WrittenShape]


class ErasureShape(Told):
    """How much of each kind went, and what could not be reached."""

    memory: Id
    removed: dict[str, int]
    not_reached: list[str]


class AuditShape(Told):
    """One change."""

    id: Id
    memory: Id
    action: str
    by: Actor
    at: str
    subject: str
    old: dict[str, Any] | None
    new: dict[str, Any] | None


class LinkShape(Told):
    """A relation of two memories."""

    source: Id
    target: Id
    relation: Relation
    weight: float


class GraphShape(Told):
    """Memories around one, and what relates them."""

    nodes: list[MemoryShape]
    edges: list[LinkShape]


class HitShape(Told):
    """One memory found, and why it stands where it stands."""

    score: float
    relevance: float
    sources: dict[str, dict[str, float]]
    parts: dict[str, float]
    memory: MemoryShape


class FoundShape(Told):
    """Hits, best first; `degraded` names every source that was left out."""

    hits: list[HitShape]
    degraded: list[str]
    timings_ms: dict[str, float]


class RejectedShape(Told):
    """A line that was not imported."""

    line: int
    reason: str


class ImportShape(Told):
    """How many lines ended how, and as what the file was read."""

    format: Format
    counts: dict[str, int]
    rejected: list[RejectedShape] = Field(description="The first thousand lines left out.")
    rejected_count: int = Field(description="How many lines were left out.")
