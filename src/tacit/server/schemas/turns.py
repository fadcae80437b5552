"""Turns, their receipts, previews of what a turn would show, and conflicts."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from tacit.core.kinds import Actor, MemoryType, Scope
from tacit.core.memory import Memory
from tacit.core.receipt import SUMMARY_FIELDS, Candidate, CandidateSource, Fate, Receipt
from tacit.server.schemas.common import (
    GivenId,
    LongList,
    RequestModel,
    ResponseModel,
    SettingsOverrides,
    ShortList,
    with_example,
)
from tacit.server.schemas.memories import By, Id
from tacit.server.schemas.values import Derived, model_of
from tacit.turn.commit import CommitResult
from tacit.turn.state import Trigger

MessageBody = Annotated[
    dict[str, Any],
    Field(
        description="A message in OpenAI's or Anthropic's shape.",
        examples=[{"role": "user", "content": "Which database do we use?"}],
    ),
]
TurnText = Annotated[
    str | MessageBody | LongList[MessageBody],
    Field(
        description="What was said: text, a message, or several that arrived together.",
        examples=["Why that instead of sessions?"],
    ),
]


class ParticipantFields(RequestModel):
    """The agent, user, project and organization of a turn."""

    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    by: Actor | None = Field(
        None,
        description="Whose words they are; an agent's key that does not speak for users says its"
        " own, others a person's.",
    )


class ReceiptDetail(StrEnum):
    """How much of a receipt is returned."""

    SUMMARY = "summary"
    WHOLE = "whole"


class TurnFields(ParticipantFields):
    """The text of a turn, and the messages before it."""

    session: str = Field(examples=["s1"])
    text: TurnText
    history: LongList[MessageBody] | None = Field(
        [], description="The messages before it; null where the host keeps them."
    )
    context: LongList[MessageBody] = Field(
        [], description="The last messages of a history that a host keeps, as far as known."
    )
    shown: LongList[str] = Field([], description="Statements that the host shows by itself.")
    trigger: Trigger = Trigger.USER
    settings: SettingsOverrides = Field(default_factory=dict)

    def to_arguments(self) -> dict[str, Any]:
        """The arguments for the library, without the settings."""
        return {
            name: getattr(self, name)
            for name in type(self).model_fields
            if name not in _NOT_ARGUMENTS
        }


_NOT_ARGUMENTS = ("settings", "receipt")


class BeginTurnRequest(TurnFields):
    """A turn to begin."""

    receipt: ReceiptDetail = Field(
        ReceiptDetail.SUMMARY, description="The receipt with what was not injected, or without."
    )


class BeginCallRequest(ParticipantFields):
    """A call of a model, with the messages that it is to have, without blocks."""

    model_config = with_example(
        session="s1", messages=[{"role": "user", "content": "Which database do we use?"}]
    )

    session: str = Field(examples=["s1"])
    messages: LongList[MessageBody]
    kept: bool = Field(
        False, description="Whether the provider keeps the earlier messages, so they are left out."
    )
    preview: bool = Field(False, description="Whether only to look, for a count of tokens.")


class PreviewTurnRequest(TurnFields):
    """A turn to preview, optionally limited to scopes and types."""

    scopes: ShortList[Scope] | None = None
    types: ShortList[MemoryType] | None = None


class CommitTurnRequest(RequestModel):
    """The reply that ends a turn."""

    model_config = with_example(reply="With a JWT.")

    reply: Any = Field(
        None,
        description="The reply: text, a message or several; helps to understand what comes next.",
    )
    learn: bool = Field(True, description="Whether something may be learned from the turn.")
    note: str = Field("", description="Added to the notes of the receipt; secrets are redacted.")
    begun: TurnFields | None = Field(
        None,
        description="What the turn was begun with, if `is_stored` was false: if nothing of it is"
        " known, it is stored from this, without memories.",
    )


ReceiptSummaryResponse = model_of(
    Receipt,
    "ReceiptSummary",
    about="A receipt without the memories that were not injected.",
    only=SUMMARY_FIELDS,
    more={
        "deduped": (
            int,
            Field(description="Left out as duplicates, of this turn's own lines too."),
        ),
        "counts": (dict[CandidateSource, int], Field()),
        "memories": (list[Annotated[Any, Derived(Candidate)]], Field()),
    },
)

EitherReceipt = Annotated[Any, Derived(ReceiptSummaryResponse, Receipt)]


class BlockResponse(ResponseModel):
    """A text that memory adds to the context."""

    id: str
    text: str


_WHOLE_BLOCK = Field(description="All text that memory adds, in one piece: standing rules first.")
_BLOCKS = Field(description="The same block by block, as they stand in `messages`.")


class TurnResponse(ResponseModel):
    """A begun turn: send `messages`, then commit it or roll it back."""

    id: str
    session: str
    turn: int
    messages: list[Any]
    block: BlockResponse | None = _WHOLE_BLOCK
    blocks: list[BlockResponse] = _BLOCKS
    is_open: bool = Field(description="Whether there is something to commit or roll back.")
    is_stored: bool = Field(
        description="False where the store was late: send `begun` along with the commit."
    )
    receipt: EitherReceipt


class PreviewResponse(ResponseModel):
    """A previewed turn."""

    messages: list[Any]
    block: BlockResponse | None = _WHOLE_BLOCK
    blocks: list[BlockResponse] = _BLOCKS
    receipt: Annotated[Any, Derived(Receipt)]


CommitResponse = model_of(CommitResult, "CommitResult", more={"id": (str, Field())})


class RollbackResponse(ResponseModel):
    """Whether there was an open turn."""

    id: str
    rolled_back: bool


class TurnStateResponse(ResponseModel):
    """Whether a turn is open, committed or abandoned."""

    id: str
    session: str
    state: str = Field(examples=["open", "committed", "abandoned"])


# Previews of what a turn would show


class ContextResponse(ResponseModel):
    """What an agent should know for a request."""

    user_request: str
    context: str = Field(description="What memory adds, or nothing.")
    count: int
    tokens: int
    receipt: Annotated[Any, Derived(ReceiptSummaryResponse)]


class SelectRequest(ParticipantFields):
    """A request, and the scopes and types to select from."""

    user_request: str = Field(examples=["How do we sign people in?"])
    session: str | None = Field(None, description="Where it would be said.")
    scope_filter: ShortList[Scope] | None = Field(None, min_length=1)
    category_filter: ShortList[MemoryType] | None = Field(None, min_length=1)


class SelectedMemoryResponse(ResponseModel):
    """A memory that would be in the block, and why."""

    memory: Annotated[Any, Derived(Memory)]
    found: CandidateSource
    score: float
    reason: str = Field(examples=["found by its meaning, its words; score 0.712, relevance 0.58"])


class OmittedMemoryResponse(ResponseModel):
    """A memory that was considered and left out; `by` is the memory that displaced it."""

    memory: Id
    fate: Fate
    reason: str = Field(examples=["not relevant enough"])
    by: Id | None


class SelectionResponse(ResponseModel):
    """What would be in the block, and what was left out."""

    selected: list[SelectedMemoryResponse]
    omitted: list[OmittedMemoryResponse]


class ResolveConflictRequest(RequestModel):
    """Which memory supersedes which; or in `keep_both` those that are all right."""

    model_config = with_example(
        keep="01890a5d-ac96-774b-bcce-b302099a8057",
        supersede=["01890a5d-ac96-774b-bcce-b302099a8058"],
        reason="we moved in March",
    )

    keep: GivenId | None = None
    supersede: LongList[GivenId] = Field(default_factory=list)
    keep_both: LongList[GivenId] = Field(default_factory=list)
    reason: str = Field("", examples=["we moved in March"])
    by: By = None
