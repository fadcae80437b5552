"""A grounded prompt in the caller's hands, until the reply is there."""

import logging
from types import TracebackType
from typing import Any, Protocol, Self

from tacit.core.errors import InvalidInput
from tacit.core.open_turn import NotRecorded
from tacit.core.receipt import Receipt
from tacit.grounding.grounded import Grounded, Metrics
from tacit.turn.commit import CommitResult, report_not_recorded, report_unopened

_log = logging.getLogger("tacit.grounding")


class Ending(Protocol):
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
        self, grounded: Grounded, receipt: Receipt, ending: Ending, *, leaves_trace: bool = True
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
    def grounded(self) -> Grounded:
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
    def metrics(self) -> Metrics:
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
