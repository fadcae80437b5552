"""The grounded prompt: the system and user message, their metrics, and the handle to commit it."""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from tacit.core.errors import InvalidInput
from tacit.core.open_turn import NotRecorded
from tacit.core.receipt import Receipt
from tacit.grounding.prompt import SECTION_GAP, AssembledPrompt, PromptPart
from tacit.language.prompt_templates import (
    FRAME_RULES,
    FRAME_TITLE,
    REQUEST_TITLE,
    RETRIEVED_TITLE,
    RULER,
)
from tacit.turn.commit import CommitResult, report_not_recorded, report_unopened

# What a response is grounded in: one system message, one user message, and the account of both.


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundingMetrics:
    """What was decided for a prompt, and what each part of it takes."""

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

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedPrompt:
    """A system and a user message, the same in one text, and where its documents are from."""

    system: str
    user: str
    text: str
    metrics: GroundingMetrics
    sources: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    """What was left out because it failed."""

    @property
    def messages(self) -> list[dict[str, str]]:
        """Ready to send."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "system": self.system,
            "user": self.user,
            "text": self.text,
            "messages": self.messages,
            "metrics": self.metrics.to_dict(),
            "sources": list(self.sources),
            "degraded": list(self.degraded),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            system=values["system"],
            user=values["user"],
            text=values["text"],
            metrics=GroundingMetrics.from_dict(values["metrics"]),
            sources=tuple(values["sources"]),
            degraded=tuple(values["degraded"]),
        )


def format_sections(system: str, assembled: AssembledPrompt) -> str:
    """The same in one text: what binds first, memory and documents apart, the request last."""
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
        _frame_section(memory) if memory else "",
        f"{RETRIEVED_TITLE}{SECTION_GAP}{documents}" if documents else "",
        *talk,
        f"{REQUEST_TITLE}{SECTION_GAP}{said}" if said else "",
        *hint,
    ]
    return SECTION_GAP.join(part for part in parts if part)


def _frame_section(memory: str) -> str:
    return SECTION_GAP.join((f"{FRAME_TITLE}\n{RULER}", memory, "\n".join(FRAME_RULES), RULER))


# A grounded prompt in the caller's hands, until the reply is there.


_log = logging.getLogger("tacit.grounding")


class GroundingCommitter(Protocol):
    """How a grounded prompt ends."""

    def commit(self, reply: str) -> CommitResult:
        """Write what was said and replied, and end the turn."""

    def roll_back(self) -> None:
        """Leave no trace of it."""


class Grounding:
    """What to send, and why; commit it with the reply, or an exception rolls it back.

    `with tacit.ground(...) as grounding:` sends `grounding.messages` and calls
    `grounding.commit(reply)`, which also writes both into the chat log.
    """

    def __init__(
        self,
        grounded: GroundedPrompt,
        receipt: Receipt,
        ending: GroundingCommitter,
        *,
        leaves_trace: bool = True,
    ) -> None:
        self._grounded = grounded
        self._receipt = receipt
        self._ending = ending
        self._leaves_trace = leaves_trace
        self._is_over = False

    @property
    def is_open(self) -> bool:
        """Whether there is something to commit or to roll back."""
        return self._leaves_trace and not self._is_over

    @property
    def grounded(self) -> GroundedPrompt:
        """All of it as one value."""
        return self._grounded

    @property
    def system(self) -> str:
        """What binds: the policy."""
        return self._grounded.system

    @property
    def user(self) -> str:
        """What was said, and what the response is grounded in."""
        return self._grounded.user

    @property
    def text(self) -> str:
        """Both in one text, in sections."""
        return self._grounded.text

    @property
    def messages(self) -> list[dict[str, str]]:
        """One system and one user message, ready to send."""
        return self._grounded.messages

    @property
    def metrics(self) -> GroundingMetrics:
        """What was decided, and what each part takes."""
        return self._grounded.metrics

    @property
    def receipt(self) -> Receipt:
        """The account of the memories that were thought of."""
        return self._receipt

    def commit(self, reply: str = "") -> CommitResult:
        """The reply came: it goes into the chat log, and the turn is over.

        Where nothing is written, `not_recorded` of the result says why.
        """
        if self._is_over:
            raise InvalidInput("grounding", "is over; ground the next message")
        if not isinstance(reply, str):
            raise InvalidInput("reply", "must be text")
        self._is_over = True
        if not self._leaves_trace:
            return report_unopened(self._receipt)
        try:
            return self._ending.commit(reply)
        except Exception as error:  # the reply is there; memory must not take it away
            _log.warning("the exchange was not written down: %s", error)
            return report_not_recorded(self._receipt, NotRecorded.FAILED)

    def roll_back(self) -> None:
        """It did not happen; nothing of it stays."""
        if not self.is_open:
            return
        self._is_over = True
        try:
            self._ending.roll_back()
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
