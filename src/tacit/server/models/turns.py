"""Turns and their receipts."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from tacit.core.kinds import Actor, MemoryType, Scope
from tacit.core.open_turn import NotRecorded
from tacit.core.receipt import CandidateSource, Fate, SkipReason
from tacit.server.models.common import Given, Items, NamedItems, Settings, Told, example
from tacit.turn.request import Trigger

Message = Annotated[
    dict[str, Any],
    Field(
        description="A message in OpenAI's or Anthropic's shape.",
        examples=[{"role": "user", "content": "Which database do we use?"}],
    ),
]
Said = Annotated[
    str | Message | Items[Message],
    Field(
        description="What was said: text, a message, or several that arrived together.",
        examples=["Why that instead of sessions?"],
    ),
]


class Who(Given):
    """For whom a turn is, and where it takes place."""

    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    by: Actor | None = Field(
        None,
        description="Whose words they are; an agent's key that does not speak for users says its"
        " own, others a person's.",
    )


class Detail(StrEnum):
    """How much of a receipt is told."""

    SUMMARY = "summary"
    WHOLE = "whole"


class Saying(Who):
    """What is said, and what was said before."""

    session: str = Field(examples=["s1"])
    text: Said
    history: Items[Message] | None = Field(
        [], description="The messages before it; null where the host keeps them."
    )
    context: Items[Message] = Field(
        [], description="The last messages of a history that a host keeps, as far as known."
    )
    shown: Items[str] = Field([], description="Statements that the host shows by itself.")
    trigger: Trigger = Trigger.USER
    settings: Settings = Field(default_factory=dict)

    def asked(self) -> dict[str, Any]:
        """What the library is asked, without the settings."""
        return {name: getattr(self, name) for name in type(self).model_fields if name not in _OURS}


_OURS = ("settings", "receipt")


class Beginning(Saying):
    """A turn that begins."""

    receipt: Detail = Field(
        Detail.SUMMARY, description="The receipt with what was not injected, or without."
    )


class Previewing(Saying):
    """A turn that might be, and the scopes and types of which it thinks."""

    scopes: NamedItems[Scope] | None = None
    types: NamedItems[MemoryType] | None = None


class Committing(Given):
    """A turn that was answered."""

    model_config = example(reply="With a JWT.")

    reply: Any = Field(
        None,
        description="The reply: text, a message or several; helps to understand what comes next.",
    )
    learn: bool = Field(True, description="Whether something may be learned from the turn.")


_FILTERED = "Memories left out because they are in view, or repeat what earlier turns showed."


class CandidateShape(Told):
    """One memory's way through a turn."""

    memory: str
    found: CandidateSource
    type: str
    fate: Fate
    score: float | None = None
    relevance: float | None = None
    signals: dict[str, float] | None = None
    by: str | None = None
    note: str | None = None
    repeat: bool | None = Field(
        None, description="A block of an earlier turn shows it, in these words or in others."
    )


class UnseenShape(Told):
    """Live memories of users that the turn did not see; each count stops at 1,000."""

    unowned: int = Field(description="Those that belong to no user.")
    others: int = Field(description="Those of other users.")


class ReceiptShape(Told):
    """What a turn was asked, what it thought of, what it injected, and what that cost."""

    id: str
    session: str
    turn: int
    at: str
    agent: str | None
    user: str | None
    project: str | None
    org: str | None
    query: str
    context: list[str]
    kind: str
    skipped: SkipReason | None
    candidates: list[CandidateShape]
    block: str | None
    tokens: int
    characters: int
    pruned: list[str]
    recached_tokens: int
    degraded: list[str] = Field(description="Parts that failed or were late.")
    notes: list[str] = Field(description="What is true of the turn and no failure.")
    unseen: UnseenShape | None
    timings_ms: dict[str, float]
    cpu_ms: dict[str, float]
    injected: bool
    count: int
    filtered: int = Field(description=_FILTERED)


class SummaryShape(Told):
    """A receipt without what was not injected."""

    id: str
    session: str
    turn: int
    at: str
    kind: str
    skipped: SkipReason | None
    injected: bool
    count: int
    filtered: int = Field(description=_FILTERED)
    deduped: int = Field(description="Left out as duplicates, of this turn's own lines too.")
    counts: dict[CandidateSource, int]
    tokens: int
    characters: int
    pruned: list[str]
    degraded: list[str]
    notes: list[str]
    unseen: UnseenShape | None
    timings_ms: dict[str, float]
    memories: list[CandidateShape]


class BlockShape(Told):
    """The text that memory puts into the context."""

    id: str
    text: str


class TurnShape(Told):
    """A turn that has begun: send `messages`, then commit it, or roll it back."""

    id: str
    session: str
    turn: int
    messages: list[Any]
    block: BlockShape | None
    is_open: bool = Field(description="Whether there is something to commit or roll back.")
    receipt: SummaryShape | ReceiptShape


class PreviewShape(Told):
    """What a turn would be."""

    messages: list[Any]
    block: BlockShape | None
    receipt: ReceiptShape


class EndedShape(Told):
    """A turn that is over; if its block stays, it belongs into the history."""

    id: str
    session: str
    turn: int
    block_stays: bool
    was_open: bool = Field(description="False where it was over before.")
    not_recorded: NotRecorded | None = Field(
        description="Why nothing of the turn was recorded; null where it was."
    )


class RolledBack(Told):
    """Whether there was an open turn."""

    id: str
    rolled_back: bool


class TurnState(Told):
    """Whether a turn waits for its end."""

    id: str
    session: str
    state: str = Field(examples=["open", "committed", "abandoned"])
