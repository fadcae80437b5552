"""Grounded prompts, the policy behind them, chat logs and documents."""

from typing import Annotated, Any

from pydantic import Field

from tacit.grounding.chat_log import EntryKind
from tacit.grounding.policy import PromptRole
from tacit.server.schemas.common import (
    LongList,
    RequestModel,
    ResponseModel,
    SettingsOverrides,
    with_example,
)
from tacit.server.schemas.turns import (
    ParticipantFields,
    ReceiptDetail,
    ReceiptResponse,
    ReceiptSummaryResponse,
)

_MAX_SAID_CHARACTERS = 200_000


class FolderResponse(ResponseModel):
    """A folder whose documents are searched."""

    path: str = Field(examples=["/srv/handbook"])
    exclude: list[str] = Field(description="Patterns of what in it is left out.")
    is_own: bool = Field(description="Whether it is the workspace's own, which nobody adds.")


class AddFolderRequest(RequestModel):
    """A folder on the server to add."""

    path: str = Field(examples=["/srv/handbook"])
    exclude: LongList[str] = Field([], description="Patterns of what in it is left out.")

    model_config = with_example(path="/srv/handbook", exclude=["drafts/**"])


class UnreadFileResponse(ResponseModel):
    """A file that is not searched, and why."""

    path: str
    reason: str = Field(examples=["is binary"])


class DocumentStatusResponse(ResponseModel):
    """The folders and index counts of a workspace's documents."""

    folders: list[FolderResponse]
    files: int
    chunks: int
    waiting: int = Field(description="Chunks that have no vector yet and are found by words only.")
    unread: list[UnreadFileResponse]


class IndexResponse(ResponseModel):
    """What indexing did."""

    indexed: int = Field(description="Files that are new or were changed.")
    unchanged: int
    removed: int
    chunks: int = Field(description="Chunks of the files that were indexed.")
    unread: list[UnreadFileResponse]


class ExcerptResponse(ResponseModel):
    """A passage of a document."""

    source: str = Field(description="The file within its folder.", examples=["topics/cache.txt"])
    path: str = Field(description="Where it is; empty for who may not know the server's disk.")
    headings: list[str]
    first_line: int
    last_line: int
    text: str
    score: float
    sha256: str


class DocumentSearchResponse(ResponseModel):
    """The best passage of each document found, best first."""

    hits: list[ExcerptResponse]
    degraded: list[str] = Field(description="What was left out, and why.")


class ConversationFields(RequestModel):
    """A conversation: its context, or its connector and external id."""

    context: str | None = Field(None, examples=["launch"])
    connector: str = Field("local", examples=["slack"])
    external_id: str = Field("", examples=["C024BE91L"])

    def place(self) -> dict[str, Any]:
        """The arguments for the library."""
        return {
            "context": self.context,
            "connector": self.connector,
            "external_id": self.external_id,
        }


SaidText = Annotated[str, Field(max_length=_MAX_SAID_CHARACTERS)]
"""What the chat log takes. All of it is searched for secrets, so it is bounded."""


class GroundRequest(ConversationFields, ParticipantFields):
    """A message, and the role whose policy applies to the response."""

    model_config = with_example(text="Where is the deploy guide?", context="launch")

    text: SaidText
    role: PromptRole = PromptRole.PUBLIC
    hint: str = Field("", description="How to respond, as a last word to the model.")
    session: str | None = Field(None, description="By the conversation, if none is named.")
    receipt: ReceiptDetail = Field(
        ReceiptDetail.SUMMARY, description="The receipt with what was not injected, or without."
    )
    settings: SettingsOverrides = Field(default_factory=dict)

    def to_arguments(self) -> dict[str, Any]:
        """The arguments for the library, without the agent and the settings."""
        named = ("role", "hint", "session", "user", "project", "org")
        return {**self.place(), **{name: getattr(self, name) for name in named}}


class GroundingMetricsResponse(ResponseModel):
    """The strategy of a prompt, and the tokens of each part."""

    strategy: str
    reason: str
    used_summary: bool
    used_tail: bool
    used_qmd: bool
    qmd_results: int
    summary_refreshed: bool
    summary_turns: int
    tokens: dict[str, int]
    total_tokens: int


class GroundedResponse(ResponseModel):
    """One system and one user message, the same as one text, and the receipt."""

    id: str = Field(description="The turn, to commit it with the reply or to roll it back.")
    is_open: bool
    system: str
    user: str
    text: str
    messages: list[dict[str, str]]
    metrics: GroundingMetricsResponse
    sources: list[str]
    degraded: list[str]
    receipt: ReceiptSummaryResponse | ReceiptResponse


class CommitGroundingRequest(RequestModel):
    """The reply to a grounded prompt."""

    model_config = with_example(reply="In docs/deploy.md.")

    reply: SaidText = ""
    learn: bool = Field(True, description="Whether something may be learned from the turn.")


class LogChatRequest(ConversationFields):
    """An entry of a chat log."""

    model_config = with_example(kind="TOOL", text="ran the tests", context="launch")

    kind: EntryKind
    text: SaidText


class LoggedResponse(ResponseModel):
    """Whether an entry was logged."""

    logged: bool


class PolicyResponse(ResponseModel):
    """The system side of a prompt: its layers, and the origin of every line."""

    text: str
    tokens: int
    max_tokens: int
    layers: list[dict[str, Any]]
    lines: list[dict[str, Any]]
