"""One question to the daemon and its answer, by the standard library alone."""

import json
import socket
import time
from typing import Any, NamedTuple

from tacit.core.errors import Unanswered
from tacit.integrations.hooks.place import Place

_LOOPBACK = "127.0.0.1"
_PIECE = 65_536
_MOST = 16 * 1024 * 1024


class Answer(NamedTuple):
    """What came back; a document that is no JSON object is empty."""

    status: int
    document: dict[str, Any]


def ask(
    place: Place, method: str, path: str, body: dict[str, Any] | None = None, *, seconds: float
) -> Answer:
    """What the daemon answers within the time; OSError where nobody listens."""
    end = time.monotonic() + seconds
    line, headers = _connected(place, seconds)
    with line:
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}"
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
        line.settimeout(_left(end))
        line.sendall(head.encode() + sent)
        return _answer(_received(line, end))


def _connected(place: Place, seconds: float) -> tuple[socket.socket, str]:
    """A line to the daemon, and the header that opens its door."""
    if place.is_tcp:
        port, token = _announced(place)
        line = socket.create_connection((_LOOPBACK, port), timeout=seconds)
        return line, f"Authorization: Bearer {token}\r\n"
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        line.settimeout(seconds)
        line.connect(str(place.socket))
    except OSError:
        line.close()
        raise
    return line, ""


def _announced(place: Place) -> tuple[int, str]:
    """The port and the token that the daemon wrote down for its user."""
    try:
        known = json.loads(place.address.read_bytes())
        return int(known["port"]), str(known["token"])
    except (ValueError, KeyError, TypeError):
        raise ConnectionRefusedError("the daemon has not said yet where it listens") from None


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise Unanswered("the daemon takes too long; see its log")
    return left


def _received(line: socket.socket, end: float) -> bytes:
    """All that comes until the other side closes the line."""
    pieces: list[bytes] = []
    size = 0
    while size <= _MOST:
        line.settimeout(_left(end))
        try:
            piece = line.recv(_PIECE)
        except TimeoutError:
            continue
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
    raise Unanswered("the daemon does not end its answer; see its log")


def _answer(received: bytes) -> Answer:
    if not received:
        raise ConnectionResetError("the daemon ended before it answered")
    head, _, body = received.partition(b"\r\n\r\n")
    try:
        status = int(head.split(maxsplit=2)[1])
        document = json.loads(body)
    except (ValueError, IndexError):
        raise Unanswered("the daemon does not answer as it should; see its log") from None
    return Answer(status, document if isinstance(document, dict) else {})
