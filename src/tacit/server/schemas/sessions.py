"""Sessions, their blocks and their ledgers."""

from typing import Any

from pydantic import Field

from tacit.core.sessions import BlockState
from tacit.language.compaction import CompactionLevel
from tacit.server.schemas.common import (
    LongList,
    RequestModel,
    ResponseModel,
    SettingsOverrides,
    with_example,
)
from tacit.server.schemas.turns import MessageBody, ReceiptResponse


class SessionResponse(ResponseModel):
    """A session: its turns and speakers."""

    id: str = Field(examples=["s1"])
    turns: int
    speakers: list[str]
    created_at: str
    updated_at: str
    cleared_at: str | None = Field(description="When its history last began anew.")
    clears: int = Field(description="How often it was cleared.")


class ListedSessionResponse(SessionResponse):
    """A session in a list."""

    paused: bool = Field(description="Whether it is left alone.")


class SessionBlockResponse(ResponseModel):
    """A block shown in a session; its text is empty if the caller may not read it."""

    id: str
    turn: int
    state: BlockState
    text: str
    anchor: str
    ordinal: int
    memories: list[str]
    speaker: str | None
    made_in: str


class LedgerEntryResponse(ResponseModel):
    """A memory shown in a session; once its block is gone, it may be shown again."""

    turn: int
    memory: str
    block: str
    content_hash: str
    pruned_at: str | None


class SessionReportResponse(ListedSessionResponse):
    """A session with its blocks, its ledger and its last receipts."""

    blocks: list[SessionBlockResponse]
    ledger: list[LedgerEntryResponse]
    receipts: list[ReceiptResponse]


class ResetResponse(ResponseModel):
    """How many memories may be shown again, and how many open turns were abandoned."""

    session: str
    memory_tracking_reset: bool
    previous_count: int
    abandoned_turns: int = Field(description="Their commit will record nothing.")


class CompactRequest(RequestModel):
    """A history to compact."""

    model_config = with_example(history=[{"role": "user", "content": "Which database do we use?"}])

    history: LongList[MessageBody]
    agent: str | None = Field(None, description="Whose settings count.")
    level: CompactionLevel | None = Field(
        None, description="By how full the window is, if nothing is said."
    )
    wait: bool = Field(
        True, description="Without it, a summary that is not urgent is written for a later call."
    )
    settings: SettingsOverrides = Field(default_factory=dict)


class CompactionResponse(ResponseModel):
    """The history to continue with, and what became of the rest."""

    level: CompactionLevel
    dropped: int
    tokens_before: int
    tokens_after: int
    summary: str | None
    blocks: list[str]
    released: int
    degraded: list[str]
    pending: bool = Field(description="A summary is being written; ask again next turn.")
    messages: list[Any]


class ForkRequest(RequestModel):
    """The name of a branch."""

    into: str = Field(examples=["s1-branch"])


class VariablesResponse(ResponseModel):
    """The variables of a session, by name."""

    session: str
    variables: dict[str, Any]


class SetVariablesRequest(RequestModel):
    """Variables to set, by name; null removes one."""

    model_config = with_example(changes={"phase": "review"})

    changes: dict[str, Any]


class SessionEndedResponse(ResponseModel):
    """How many turns of a session wait for a language model to read them."""

    session: str
    waiting: int


class SessionPausedResponse(ResponseModel):
    """Whether a session is paused."""

    session: str
    paused: bool


class SessionResumedResponse(SessionPausedResponse):
    """A resumed session, and whether it was paused before."""

    was_paused: bool


class ProjectPausedResponse(ResponseModel):
    """Whether a project is paused."""

    project: str
    paused: bool


class ProjectResumedResponse(ProjectPausedResponse):
    """A resumed project, and whether it was paused before."""

    was_paused: bool
