"""A provider on loopback that says what it is told to; run alone, it answers everybody alike.

`python -m benchmarks.proxy.provider` prints its address and serves until it is stopped.
"""

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send

Json = dict[str, Any]
Answer = Callable[[Json], Json]
"""Makes the message that answers a request."""

REPLY = "I looked at it, and this is how it stands."
PAUSE = "x-pause"
"""A header: how many seconds lie between two words of a stream."""

_BACKLOG = 1_024


class Provider:
    """Answers requests for messages, as a stream or at once."""

    def __init__(self, answer: Answer | None = None) -> None:
        self._answer = answer or (lambda _: say(text_part(REPLY)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            for kind in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{kind}.complete"})
            return
        asked = json.loads(await _read(receive))
        message = self._answer(asked)
        if not asked.get("stream"):
            await _send(send, "application/json", [json.dumps(message).encode()], 0.0)
            return
        headers = dict(scope["headers"])
        pause = float(headers.get(PAUSE.encode(), b"0"))
        await _send(send, "text/event-stream", list(_events(message)), pause)


def text_part(text: str) -> Json:
    """A part of a message."""
    return {"type": "text", "text": text}


def say(*parts: Json) -> Json:
    """A message of the assistant."""
    calls = any(part["type"] == "tool_use" for part in parts)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": list(parts),
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 15, "output_tokens": 3},
    }


def _events(message: Json) -> Iterator[bytes]:
    yield _event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, part in enumerate(message["content"]):
        if part["type"] != "text":
            yield _event("content_block_start", index=index, content_block=part)
        else:
            empty = {**part, "text": ""}
            yield _event("content_block_start", index=index, content_block=empty)
            for word in part["text"].split(" "):
                delta = {"type": "text_delta", "text": f"{word} "}
                yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    stopped = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=stopped, usage={"output_tokens": 3})
    yield _event("message_stop")


def _event(type: str, **data: Any) -> bytes:
    return f"event: {type}\ndata: {json.dumps({'type': type, **data})}\n\n".encode()


async def _read(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message: Mapping[str, Any] = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


async def _send(send: Send, kind: str, pieces: list[bytes], pause: float) -> None:
    headers = [(b"content-type", kind.encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for number, piece in enumerate(pieces):
        if number and pause:
            await asyncio.sleep(pause)
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


class _Server(uvicorn.Server):
    def install_signal_handlers(self) -> None:
        """It may run on a thread."""


def _make_server(provider: Provider) -> tuple[_Server, socket.socket]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(_BACKLOG)
    config = uvicorn.Config(provider, log_config=None, access_log=False, backlog=_BACKLOG)
    return _Server(config), listener


@contextmanager
def provider_on_thread(answer: Answer) -> Iterator[str]:
    """A provider in this process, by its address."""
    server, listener = _make_server(Provider(answer))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.002)
    try:
        yield _url(listener)
    finally:
        server.should_exit = True
        thread.join()


def _url(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


if __name__ == "__main__":
    made, where = _make_server(Provider())
    print(_url(where), file=sys.stderr, flush=True)
    made.run([where])
