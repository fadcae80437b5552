"""The grounded prompt: the system and user message, their metrics, and the handle to commit it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self

from tacit.core.errors import InvalidInput
from tacit.core.json_value import JsonValue
from tacit.core.messages import text_of_reply
from tacit.core.open_turn import NotRecorded
from tacit.core.receipt import Receipt
from tacit.grounding.prompt import SECTION_GAP, AssembledPrompt, PromptPart
from tacit.language.prompt_templates import REQUEST_TITLE, RETRIEVED_TITLE
from tacit.turn.commit import CommitResult, report_not_recorded, report_unopened


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundingMetrics(JsonValue):
    """What was decided for a prompt, and the tokens of each part."""

    strategy: str
    reason: str
    used_summary: bool = False
    used_tail: bool = False
    used_qmd: bool = False
    qmd_results: int = 0
    summary_refreshed: bool = False
    summary_turns: int = 0
    tokens: Mapping[str, int] = field(default_factory=dict)
    total_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedPrompt(JsonValue):
    """A system and a user message, the same as one text, and the sources of its documents."""

    COMPUTED: ClassVar[tuple[str, ...]] = ("messages",)

    system: str
    user: str
    text: str
    metrics: GroundingMetrics
    sources: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    """What was left out because it failed."""

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages to send."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]


def format_sections(system: str, assembled: AssembledPrompt) -> str:
    """Format the prompt as one text: policy first, memory and documents apart, the request last."""
    memory = assembled.body(PromptPart.MEMORY)
    documents = assembled.body(PromptPart.DOCUMENTS)
    said = assembled.body(PromptPart.USER)
    talk = [
        each.text
        for each in assembled.sections
        if each.part in (PromptPart.SUMMARY, PromptPart.TAIL)
    ]
    hint = [each.text for each in assembled.sections if each.part is PromptPart.HINT]
    parts = [
        system,
        memory,
        f"{RETRIEVED_TITLE}{SECTION_GAP}{documents}" if documents else "",
        *talk,
        f"{REQUEST_TITLE}{SECTION_GAP}{said}" if said else "",
        *hint,
    ]
    return SECTION_GAP.join(part for part in parts if part)


# The handle


_log = logging.getLogger("tacit.grounding")


class GroundingCommitter(Protocol):
    """Commits a grounded prompt, or rolls it back."""

    def commit(self, reply: str) -> CommitResult:
        """Write the message and the reply, and commit the turn."""

    def roll_back(self) -> None:
        """Remove every trace of it."""


class Grounding:
    """What to send, and why; commit it with the reply, or an exception rolls it back.

    `with tacit.ground(...) as grounding:` sends `grounding.messages` and calls
    `grounding.commit(reply)`, which also writes both into the chat log.
    """

    def __init__(
        self,
        grounded: GroundedPrompt,
        receipt: Receipt,
        committer: GroundingCommitter,
        *,
        leaves_trace: bool = True,
        is_stored: bool = True,
    ) -> None:
        self._grounded = grounded
        self._receipt = receipt
        self._committer = committer
        self._leaves_trace = leaves_trace
        self._is_stored = is_stored
        self._is_over = False

    @property
    def is_open(self) -> bool:
        """Whether there is something to commit or to roll back."""
        return self._leaves_trace and not self._is_over

    @property
    def is_stored(self) -> bool:
        """Whether the beginning stored the turn; if not, the background or the commit does."""
        return self._is_stored

    @property
    def grounded(self) -> GroundedPrompt:
        """The prompt as a value."""
        return self._grounded

    @property
    def system(self) -> str:
        """The system message: the policy."""
        return self._grounded.system

    @property
    def user(self) -> str:
        """The user message, with everything that the response is grounded in."""
        return self._grounded.user

    @property
    def text(self) -> str:
        """Both messages as one text, in sections."""
        return self._grounded.text

    @property
    def messages(self) -> list[dict[str, str]]:
        """One system and one user message, ready to send."""
        return self._grounded.messages

    @property
    def metrics(self) -> GroundingMetrics:
        """What was decided, and the tokens of each part."""
        return self._grounded.metrics

    @property
    def receipt(self) -> Receipt:
        """The receipt of the memories that were considered."""
        return self._receipt

    def commit(self, reply: Any = "") -> CommitResult:
        """Write the reply to the chat log and commit the turn.

        A reply is what `Turn.commit` takes: text, messages, a response of an SDK, or its chunks.
        If nothing is written, `not_recorded` of the result says why.
        """
        if self._is_over:
            raise InvalidInput("grounding", "is over; ground the next message")
        said = text_of_reply(reply)
        self._is_over = True
        if not self._leaves_trace:
            return report_unopened(self._receipt)
        try:
            return self._committer.commit(said)
        except Exception as error:  # the reply is there; memory must not take it away
            _log.warning("the exchange was not written down: %s", error)
            return report_not_recorded(self._receipt, NotRecorded.FAILED)

    def roll_back(self) -> None:
        """Roll the turn back; nothing of it stays."""
        if not self.is_open:
            return
        self._is_over = True
        try:
            self._committer.roll_back()
        except Exception as error:
            _log.warning("the turn stays open until the next one: %s", error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.roll_back()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"id": self._receipt.id, **self._grounded.to_dict()}
