"""`Turn`: a prepared turn in the hands of the caller, who commits it or rolls it back."""

import logging
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Protocol, Self

from tacit.core.errors import InvalidInput
from tacit.core.messages import to_messages
from tacit.core.open_turn import NotRecorded
from tacit.core.receipt import Receipt
from tacit.language.injection_blocks import remove_blocks
from tacit.turn.commit import CommitResult, report_not_recorded, report_unopened
from tacit.turn.open_turn import capture_reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What to send, and why; `history` holds the earlier messages as they came."""

    history: tuple[object, ...]
    messages: tuple[object, ...]
    receipt: Receipt
    block: str | None = None
    leaves_trace: bool = True

    def standing(self, *, with_block: bool) -> list[object]:
        """The messages as they stand in the history after the turn."""
        if self.block is None or self.receipt.block is None or with_block:
            return list(self.messages)
        return remove_blocks(self.messages, {self.receipt.block: self.block})


_log = logging.getLogger("tacit.turn")


class Committer(Protocol):
    """Commits one turn, or rolls it back, where it is stored."""

    def commit(self, reply: str) -> CommitResult:
        """Write what the turn showed and decided, and what was said in it."""

    def roll_back(self) -> bool:
        """Remove every trace of the turn; returns whether there was one."""


class Turn:
    """What to send, and why; commit it with the reply, or an exception rolls it back.

    `with tacit.turn(...) as turn:` sends `turn.messages` and calls `turn.commit(reply)`; afterwards
    `turn.history` is the history to go on with. A block that is left without a commit is rolled
    back too.
    """

    def __init__(self, prepared: Prepared, committer: Committer) -> None:
        self._prepared = prepared
        self._committer = committer
        self._history: list[Any] | None = None
        self._is_over = False

    @property
    def messages(self) -> list[Any]:
        """The history, the block and what was said, ready to send, in the shape they came in."""
        return list(self._prepared.messages)

    @property
    def block(self) -> str | None:
        """The text that memory put into the context, if any."""
        return self._prepared.block

    @property
    def receipt(self) -> Receipt:
        """What was injected, what was not, and why."""
        return self._prepared.receipt

    @property
    def is_open(self) -> bool:
        """Whether there is something to commit or to roll back."""
        return self._prepared.leaves_trace and not self._is_over

    @property
    def history(self) -> list[Any]:
        """After a commit the history to go on with; before, and after a rollback, the old one."""
        if self._history is not None:
            return list(self._history)
        return list(self._prepared.history)

    def commit(self, reply: Any = ()) -> CommitResult:
        """The reply came: what was shown is written down.

        A reply is text, a message, or several messages where tools were called. Where nothing is
        written, as after a `clear` of the session, the result's `not_recorded` says why; `history`
        is there all the same.
        """
        if self._is_over:
            raise InvalidInput("turn", "is over; begin a new one")
        replies = to_messages(reply, "assistant", self._prepared.messages)
        self._is_over = True
        result = self._commit(capture_reply(replies))
        self._history = [*self._prepared.standing(with_block=result.block_stays), *replies]
        return result

    def _commit(self, reply: str) -> CommitResult:
        """Commit the turn where it is stored; if that fails, its block stays for now."""
        if not self._prepared.leaves_trace:
            return report_unopened(self.receipt)
        try:
            return self._committer.commit(reply)
        except Exception as error:  # the reply is there; memory must not take it away
            _log.warning("the turn was not written down: %s", error)
            return replace(report_not_recorded(self.receipt, NotRecorded.FAILED), block_stays=True)

    def roll_back(self) -> None:
        """The turn did not happen; nothing of it stays."""
        if self._is_over:
            return
        self._is_over = True
        if not self._prepared.leaves_trace:
            return
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
