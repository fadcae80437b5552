"""A turn for async programs."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from tacit.core.receipt import Receipt
from tacit.turn.commit import CommitResult
from tacit.turn.turn import Turn


class AsyncTurn:
    """The same as `Turn`, begun and ended in a thread: `async with tacit.turn(...) as turn:`."""

    def __init__(self, begin: Callable[[], Turn]) -> None:
        self._begin = begin
        self._turn: Turn | None = None

    @property
    def messages(self) -> list[Any]:
        """The history, the block and what was said, ready to send."""
        return self._begun.messages

    @property
    def block(self) -> str | None:
        """The text that memory put into the context, if any."""
        return self._begun.block

    @property
    def receipt(self) -> Receipt:
        """What was injected, what was not, and why."""
        return self._begun.receipt

    @property
    def history(self) -> list[Any]:
        """After a commit the history to go on with; before, the old one."""
        return self._begun.history

    async def commit(self, reply: Any = ()) -> CommitResult:
        """The reply came: what was shown is written down."""
        return await asyncio.to_thread(self._begun.commit, reply)

    async def roll_back(self) -> None:
        """The turn did not happen; nothing of it stays."""
        await asyncio.to_thread(self._begun.roll_back)

    async def __aenter__(self) -> Self:
        self._turn = await asyncio.to_thread(self._begin)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.roll_back()

    @property
    def _begun(self) -> Turn:
        if self._turn is None:
            raise RuntimeError("the turn has not begun; use: async with tacit.turn(...) as turn")
        return self._turn
