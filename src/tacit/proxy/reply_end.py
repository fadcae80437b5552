"""The end of a reply: a copy of it is read as it passes, and ends the turn of its request."""

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field

from anyio import to_thread

from tacit.proxy.memory import ProxiedRequest, Recall, end_turn
from tacit.proxy.upstream import UpstreamResponse

_log = logging.getLogger("tacit.proxy")

_MOST_READ = 16 * 1_048_576
"""So much of a reply is read; of more only the beginning is remembered."""

_LONGEST_MARK = 32


@dataclass(slots=True)
class ReplyEnd:
    """What passed of a reply, and whether its turn has ended.

    Most turns end while the last bytes are on their way. Where the next request could not find its
    conversation otherwise, the turn `comes_first`.
    """

    request: ProxiedRequest
    made: Awaitable[Recall] | Recall
    response: UpstreamResponse
    comes_first: bool
    _pieces: list[bytes] = field(default_factory=list)
    _size: int = 0
    _tail: bytes = b""
    _is_done: bool = False
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def add(self, piece: bytes) -> bool:
        """Take a piece that passes; returns whether the reply seems to end with it."""
        self._size += len(piece)
        if self._size <= _MOST_READ:
            self._pieces.append(piece)
        if not self.response.is_stream:
            return self._size == self.response.length
        seen = self._tail + piece
        self._tail = seen[-_LONGEST_MARK:]
        return any(mark in seen for mark in self.request.format.end_marks)

    async def end_turn(self, *, is_last: bool) -> None:
        """End the turn with what passed; what is not complete counts only if nothing follows."""
        async with self._lock:
            if self._is_done:
                return
            try:
                made = self.made if isinstance(self.made, Recall) else await self.made
                body = b"".join(self._pieces) if self.response.is_plain else b""
                read = self.request.format.read_reply
                reply = await to_thread.run_sync(read, self.response.is_stream, body)
                if reply.is_complete or is_last:
                    self._is_done = True
                    await to_thread.run_sync(end_turn, self.request, made, reply)
            except Exception as error:
                _log.warning("a turn stays open until the next one: %s", error, exc_info=error)
