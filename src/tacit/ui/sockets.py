"""Limits of the WebSockets of the pages: how many, how large and how fast.

Anybody who can reach the pages can open a socket, the sign-in page needs one too. Pages send short
text messages. Socket.io would keep binary attachments until all that were announced have come, so
binary messages are refused.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_SOCKETS_PER_ADDRESS = 128
MAX_MESSAGE_CHARS = 256 * 1024

_CHARS_PER_SECOND = 512 * 1024
_BURST_CHARS = 4 * _CHARS_PER_SECOND
_MIN_CHARS = 2 * 1024
"""Counted for a message at least, so that the number of short ones is limited too."""

_UNSUPPORTED_DATA = 1003
_TOO_BIG = 1009
_TRY_AGAIN_LATER = 1013
_BASE64_BINARY = "b"
"""What the text of a binary packet of Engine.IO begins with."""


class MessageRate:
    """How long the next message of one socket has to wait."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._left = float(_BURST_CHARS)
        self._at = monotonic()

    def delay(self, chars: int) -> float:
        """Count a message; tells for how many seconds to hold it back."""
        now = self._monotonic()
        self._left = min(self._left + (now - self._at) * _CHARS_PER_SECOND, _BURST_CHARS)
        self._at = now
        self._left -= max(chars, _MIN_CHARS)
        return max(-self._left / _CHARS_PER_SECOND, 0.0)


class SocketLimits:
    """Serves WebSockets within their limits."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: Counter[str] = Counter()

    async def serve(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket of an address, or refuse it if the address has too many."""
        if self._open[address] >= MAX_SOCKETS_PER_ADDRESS:
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        self._open[address] += 1
        try:
            socket = _LimitedSocket(receive, send)
            await self._app(scope, socket.receive, socket.send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


class _LimitedSocket:
    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._rate = MessageRate()
        self._is_closed = False

    async def receive(self) -> Message:
        """The next message, held back if they come too fast; nothing is read meanwhile."""
        message = await self._receive()
        if message["type"] != "websocket.receive":
            return message
        text: str | None = message.get("text")
        if text is None or text.startswith(_BASE64_BINARY):
            return await self._close(_UNSUPPORTED_DATA)
        if len(text) > MAX_MESSAGE_CHARS:
            return await self._close(_TOO_BIG)
        if delay := self._rate.delay(len(text)):
            await asyncio.sleep(delay)
        return message

    async def send(self, message: Message) -> None:
        """Send a message, unless the socket was closed here."""
        if not self._is_closed:
            await self._send(message)

    async def _close(self, code: int) -> Message:
        await self.send({"type": "websocket.close", "code": code})
        self._is_closed = True
        return {"type": "websocket.disconnect", "code": code}
