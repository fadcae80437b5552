"""Grounded prompts, the policy behind them, and chat logs."""

from typing import Any

from pydantic import Field

from tacit.grounding.chat_log import EntryKind
from tacit.grounding.policy import PromptRole
from tacit.server.models.common import Given, Settings, Told, example
from tacit.server.models.turns import Detail, ReceiptShape, SummaryShape, Who


class Where(Given):
    """Which conversation: its context, or what it comes through and its name there."""

    context: str | None = Field(None, examples=["launch"])
    connector: str = Field("local", examples=["slack"])
    external_id: str = Field("", examples=["C024BE91L"])

    def place(self) -> dict[str, Any]:
        """What the library is asked."""
        return {
            "context": self.context,
            "connector": self.connector,
            "external_id": self.external_id,
        }


class Grounding(Where, Who):
    """A message, and whose policy binds the response to it."""

    model_config = example(text="Where is the deploy guide?", context="launch")

    text: str
    role: PromptRole = PromptRole.PUBLIC
    hint: str = Field("", description="How to respond, as a last word to the model.")
    session: str | None = Field(None, description="By the conversation, if none is named.")
    receipt: Detail = Field(
        Detail.SUMMARY, description="The receipt with what was not injected, or without."
    )
    settings: Settings = Field(default_factory=dict)

    def asked(self) -> dict[str, Any]:
        """What the library is asked, without the agent and the settings."""
        named = ("role", "hint", "session", "user", "project", "org")
        return {**self.place(), **{name: getattr(self, name) for name in named}}


class MetricsShape(Told):
    """What was decided for a prompt, and what each part of it takes."""

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


class GroundedShape(Told):
    """One system and one user message, the same in one text, and the account of both."""

    id: str = Field(description="The turn, to commit it with the reply or to roll it back.")
    is_open: bool
    system: str
    user: str
    text: str
    messages: list[dict[str, str]]
    metrics: MetricsShape
    sources: list[str]
    degraded: list[str]
    receipt: SummaryShape | ReceiptShape


class Replying(Given):
    """The reply to a grounded prompt, which knows itself what was said and where."""

    model_config = example(reply="In docs/deploy.md.")

    reply: str = ""
    learn: bool = Field(True, description="Whether something may be learned from the turn.")


class Chatting(Where):
    """An entry of a chat log."""

    model_config = example(kind="TOOL", text="ran the tests", context="launch")

    kind: EntryKind
    text: str


class Logged(Told):
    """That something was written down."""

    logged: bool


class PolicyShape(Told):
    """The system side of a prompt: its layers, and every line with where it is from."""

    text: str
    tokens: int
    max_tokens: int
    layers: list[dict[str, Any]]
    lines: list[dict[str, Any]]
