"""Grounded prompts, the policy behind them, chat logs and documents."""

from typing import Annotated, Any

from pydantic import Field

from tacit.grounding.chat_log import EntryKind
from tacit.grounding.grounded import GroundingMetrics
from tacit.grounding.policy import PromptRole
from tacit.server.schemas.common import (
    LongList,
    RequestModel,
    ResponseModel,
    SettingsOverrides,
    with_example,
)
from tacit.server.schemas.turns import (
    EitherReceipt,
    ParticipantFields,
    ReceiptDetail,
)
from tacit.server.schemas.values import Derived

_MAX_SAID_CHARACTERS = 200_000


class AddFolderRequest(RequestModel):
    """A folder on the server to add."""

    path: str = Field(examples=["/srv/handbook"])
    exclude: LongList[str] = Field([], description="Patterns of what in it is left out.")

    model_config = with_example(path="/srv/handbook", exclude=["drafts/**"])


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


class GroundedResponse(ResponseModel):
    """One system and one user message, the same as one text, and the receipt."""

    id: str = Field(description="The turn, to commit it with the reply or to roll it back.")
    is_open: bool
    is_stored: bool = Field(
        description="False where the store was late: send `begun` along with the commit."
    )
    system: str
    user: str
    text: str
    messages: list[dict[str, str]]
    metrics: Annotated[Any, Derived(GroundingMetrics)]
    sources: list[str]
    degraded: list[str]
    receipt: EitherReceipt


class CommitGroundingRequest(RequestModel):
    """The reply to a grounded prompt."""

    model_config = with_example(reply="In docs/deploy.md.")

    reply: SaidText = ""
    learn: bool = Field(True, description="Whether something may be learned from the turn.")
    begun: GroundRequest | None = Field(
        None,
        description="What the prompt was grounded with, if `is_stored` was false: if nothing of the"
        " turn is known, it is stored from this, without memories.",
    )


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
