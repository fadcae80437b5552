"""The body of a request: read to its end before anything is done, while it comes soon enough."""

import asyncio
import time
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope

from tacit.core.errors import TacitError

IDLE_SECONDS = 10.0
WHOLE_SECONDS = 30.0
SLOWEST = 1_024
"""Bytes a second that a body must have after the first 30 seconds."""

_IN_MEMORY = 1_048_576
_PIECE = 1_048_576


class BodyTooSlow(TacitError):
    """A body whose next bytes did not come in time."""

    def __init__(self) -> None:
        super().__init__(
            f"the body did not come: after {IDLE_SECONDS:g} seconds without a byte, or"
            f" {WHOLE_SECONDS:g} at less than {SLOWEST} bytes a second, it is given up"
        )


class BodyTooLong(TacitError):
    """A body that is longer than is taken."""


def has_body(scope: Scope) -> bool:
    """Whether a request comes with a body."""
    headers = dict(scope["headers"])
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"


def stated_length(stated: str) -> int:
    """The length that a header states; 0 where it states none that can be read."""
    is_number = stated.isascii() and stated.isdigit()
    return int(stated[:20]) if is_number else 0


@dataclass(frozen=True, slots=True)
class ReadBody:
    """A body that came to its end; long ones are kept in a file without a name."""

    _file: IO[bytes]

    def replayed(self, receive: Receive) -> Receive:
        """The messages of the body once more, and then whatever else is received."""
        self._file.seek(0)
        ended = False

        async def again() -> Message:
            nonlocal ended
            if ended:
                return await receive()
            piece = self._file.read(_PIECE)
            ended = len(piece) < _PIECE
            return {"type": "http.request", "body": piece, "more_body": not ended}

        return again

    def whole(self) -> bytes:
        """All of it."""
        self._file.seek(0)
        return self._file.read()

    def close(self) -> None:
        """Drop what was kept."""
        self._file.close()


async def read_body(receive: Receive, most: int) -> ReadBody:
    """Read a body of so many bytes at most; one that does not come soon enough is given up."""
    file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    try:
        begun, taken, is_more = time.monotonic(), 0, True
        while is_more:
            until = begun + WHOLE_SECONDS + taken / SLOWEST
            message = await _next(receive, min(IDLE_SECONDS, until - time.monotonic()))
            piece = message.get("body", b"")
            taken += len(piece)
            _check_length(taken, most)
            file.write(piece)
            is_more = message.get("more_body", False)
    except BaseException:
        file.close()
        raise
    return ReadBody(file)


def _check_length(taken: int, most: int) -> None:
    if taken > most:
        raise BodyTooLong(f"at most {most // 1024} KB are taken here; send less at once")


async def _next(receive: Receive, seconds: float) -> Message:
    try:
        async with asyncio.timeout(seconds):
            message = await receive()
    except TimeoutError:
        raise BodyTooSlow from None
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message
