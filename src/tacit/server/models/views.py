"""Views of memory: the context of a request, what is selected for it, and conflicts."""

from pydantic import Field

from tacit.core.kinds import MemoryType, Scope
from tacit.core.receipt import CandidateSource, Fate
from tacit.server.models.common import Given, Items, NamedItems, Told, example
from tacit.server.models.memories import By, Id, MemoryShape
from tacit.server.models.turns import SummaryShape, Who


class ContextShape(Told):
    """What an agent should know for a request."""

    user_request: str
    context: str = Field(description="The block, or nothing.")
    count: int
    tokens: int
    receipt: SummaryShape


class Selecting(Who):
    """A request, and the scopes and types out of which is selected."""

    user_request: str = Field(examples=["How do we sign people in?"])
    session: str | None = Field(None, description="Where it would be said.")
    scope_filter: NamedItems[Scope] | None = Field(None, min_length=1)
    category_filter: NamedItems[MemoryType] | None = Field(None, min_length=1)


class SelectedShape(Told):
    """A memory that would be in the block, and why."""

    memory: MemoryShape
    found: CandidateSource
    score: float
    reason: str = Field(examples=["found by its meaning, its words; score 0.712, relevance 0.58"])


class OmittedShape(Told):
    """A memory that was thought of and left out; `by` decided against it."""

    memory: Id
    fate: Fate
    reason: str = Field(examples=["not relevant enough"])
    by: Id | None


class SelectionShape(Told):
    """What would be in the block, and what was left out."""

    selected: list[SelectedShape]
    omitted: list[OmittedShape]


class RecommendedShape(Told):
    """What the rules of a turn say; nothing is kept where they cannot tell."""

    keep: Id | None
    supersede: list[Id]
    reason: str


class ConflictShape(Told):
    """Memories that each contradict all the others."""

    id: str
    memories: list[MemoryShape]
    about: str
    recommended: RecommendedShape


class Resolving(Given):
    """Which memory replaces which others; or those that are all right, in `keep_both`."""

    model_config = example(
        keep="01890a5d-ac96-774b-bcce-b302099a8057",
        supersede=["01890a5d-ac96-774b-bcce-b302099a8058"],
        reason="we moved in March",
    )

    keep: Id | None = None
    supersede: Items[Id] = Field(default_factory=list)
    keep_both: Items[Id] = Field(default_factory=list)
    reason: str = Field("", examples=["we moved in March"])
    by: By = None
