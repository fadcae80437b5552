"""HTTP clients that stand before those of an SDK, and give memory to the model calls among them."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

import httpx2

from tacit.api.model_calls.formats import find_format_of_call
from tacit.api.model_calls.formats.format import ApiFormat, JsonObject, Provider, read_object
from tacit.api.model_calls.memory import CallMemory, RecalledCall
from tacit.api.model_calls.replies import describe_exchange
from tacit.core.errors import InvalidInput
from tacit.core.receipt import NOTE_WRAPPED

MOST_READ = 16 * 1_048_576
"""So much of a reply is read; a longer one is recorded by the next turn."""

_EVENT_STREAM = "text/event-stream"
_SIGNATURE = "AWS4-"
_LENGTHS = ("content-length", "transfer-encoding")


class MemoryClient(httpx2.Client):
    """Sends requests by another client, which it closes with itself."""

    def __init__(self, own: httpx2.Client, memory: CallMemory, provider: Provider) -> None:
        super().__init__(transport=httpx2.MockTransport(_refuse), timeout=own.timeout)
        self.own = own
        """The client that sends."""
        self._calls = _Calls(memory, provider)

    @property
    def is_closed(self) -> bool:
        """Whether the client that sends is closed."""
        return self.own.is_closed

    def build_request(self, *args: Any, **kwargs: Any) -> httpx2.Request:
        """A request with the headers, cookies and parameters of the client that sends."""
        return self.own.build_request(*args, **kwargs)

    def send(self, request: httpx2.Request, **kwargs: Any) -> httpx2.Response:
        """Send a request, a model call with blocks."""
        call = self._calls.begin(request)
        if call is None:
            return self.own.send(request, **kwargs)
        try:
            response = self.own.send(call.sent, **kwargs)
        except BaseException:
            call.fail()
            raise
        response.request = request
        if response.is_stream_consumed:
            call.end(response, response.content)
        else:
            stream = cast(httpx2.SyncByteStream, response.stream)
            response.stream = _WatchedStream(stream, call.watch(response))
        return response

    def close(self) -> None:
        """Close the client that sends."""
        self.own.close()


class AsyncMemoryClient(httpx2.AsyncClient):
    """Sends requests by another client, which it closes with itself."""

    def __init__(self, own: httpx2.AsyncClient, memory: CallMemory, provider: Provider) -> None:
        super().__init__(transport=httpx2.MockTransport(_refuse), timeout=own.timeout)
        self.own = own
        """The client that sends."""
        self._calls = _Calls(memory, provider)

    @property
    def is_closed(self) -> bool:
        """Whether the client that sends is closed."""
        return self.own.is_closed

    def build_request(self, *args: Any, **kwargs: Any) -> httpx2.Request:
        """A request with the headers, cookies and parameters of the client that sends."""
        return self.own.build_request(*args, **kwargs)

    async def send(self, request: httpx2.Request, **kwargs: Any) -> httpx2.Response:
        """Send a request, a model call with blocks."""
        if not self._calls.is_call(request):
            return await self.own.send(request, **kwargs)
        call = await asyncio.to_thread(self._calls.begin, request)
        if call is None:
            return await self.own.send(request, **kwargs)
        try:
            response = await self.own.send(call.sent, **kwargs)
        except BaseException:
            await asyncio.shield(asyncio.to_thread(call.fail))
            raise
        response.request = request
        if response.is_stream_consumed:
            await asyncio.to_thread(call.end, response, response.content)
        else:
            stream = cast(httpx2.AsyncByteStream, response.stream)
            response.stream = _AsyncWatchedStream(stream, call.watch(response))
        return response

    async def aclose(self) -> None:
        """Close the client that sends."""
        await self.own.aclose()


def _refuse(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.UnsupportedProtocol("requests go by the client that sends", request=request)


# One model call


class _Calls:
    """Finds the model calls among the requests of a client."""

    def __init__(self, memory: CallMemory, provider: Provider) -> None:
        self._memory = memory
        self._provider = provider

    def is_call(self, request: httpx2.Request) -> bool:
        """Whether a request asks a model."""
        return self._format(request) is not None

    def begin(self, request: httpx2.Request) -> "_HttpCall | None":
        """Begin a model call; None if the request is none that memory can read."""
        format, body = self._format(request), _read_body(request)
        if format is None or body is None:
            return None
        if request.headers.get("authorization", "").startswith(_SIGNATURE):
            self._memory.warn("signed request", "nothing may be added to what is signed")
            return None
        try:
            asked = format.read_request(body)
        except (InvalidInput, TypeError, KeyError, ValueError):
            return None  # the provider says what is wrong with it
        call = self._memory.recall(asked)
        is_kept = format.is_response_kept(body)
        sent = request
        if call.blocks:
            changed = format.insert_blocks(body, call.blocks, keeps_text=False)
            sent = _with_body(request, changed)
        return _HttpCall(self._memory, format, replace(call, is_continued_by_id=is_kept), sent)

    def _format(self, request: httpx2.Request) -> ApiFormat | None:
        if request.method != "POST":
            return None
        return find_format_of_call(self._provider, request.url.path)


def _read_body(request: httpx2.Request) -> JsonObject | None:
    try:
        return read_object(request.content)
    except httpx2.RequestNotRead:
        return None


def _with_body(request: httpx2.Request, body: JsonObject) -> httpx2.Request:
    """The same request with another body."""
    headers = [(name, value) for name, value in request.headers.raw if not _is_length(name)]
    content = json.dumps(body, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return httpx2.Request(
        request.method,
        request.url,
        headers=headers,
        content=content.encode("utf-8", "surrogatepass"),
        extensions=request.extensions,
    )


def _is_length(name: bytes) -> bool:
    return name.decode("latin-1").lower() in _LENGTHS


@dataclass(slots=True)
class _HttpCall:
    """A model call: the request that is sent, and how its turn ends."""

    memory: CallMemory
    format: ApiFormat
    call: RecalledCall
    sent: httpx2.Request

    def fail(self) -> None:
        """There is no response."""
        self.memory.give_up(self.call)

    def end(self, response: httpx2.Response, body: bytes) -> None:
        """Record a response; an error leaves the turn to a retry, or to what is said next."""
        if response.is_error:
            self.fail()
            return
        try:
            is_stream = response.headers.get("content-type", "").startswith(_EVENT_STREAM)
            reply = self.format.read_reply(is_stream, body)
        except Exception as error:
            self.memory.warn("unreadable reply", error)
            return
        note = NOTE_WRAPPED + describe_exchange(self.format.name, self.call.asked, reply)
        self.memory.record(self.call, reply, note=note)

    def watch(self, response: httpx2.Response) -> "_Watched":
        """Watch a response that passes piece by piece."""
        return _Watched(lambda body: self.end(response, _decode(response, body)))


def _decode(response: httpx2.Response, raw: bytes) -> bytes:
    """The body of a response, as it was before it was compressed."""
    encoding = response.headers.get("content-encoding")
    if encoding is None:
        return raw
    try:
        return httpx2.Response(200, headers={"content-encoding": encoding}, content=raw).content
    except httpx2.DecodingError:
        return b""


# Responses that pass


@dataclass(slots=True)
class _Watched:
    """What passed of a response; its end is told once."""

    tell: Callable[[bytes], None]
    pieces: list[bytes] = field(default_factory=list)
    size: int = 0
    is_over: bool = False

    def add(self, piece: bytes) -> None:
        """Take a piece that passes."""
        self.size += len(piece)
        if self.size <= MOST_READ:
            self.pieces.append(piece)

    def end(self) -> None:
        """Tell what passed, the first time."""
        if not self.is_over:
            self.is_over = True
            self.tell(b"".join(self.pieces))


class _WatchedStream(httpx2.SyncByteStream):
    """The bytes of a response, as they come; it is closed when the last has come, or earlier."""

    def __init__(self, stream: httpx2.SyncByteStream, watched: _Watched) -> None:
        self._stream = stream
        self._watched = watched

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            self._watched.add(piece)
            yield piece

    def close(self) -> None:
        """Close the response; what came of it counts."""
        self._stream.close()
        self._watched.end()


class _AsyncWatchedStream(httpx2.AsyncByteStream):
    """The same for async programs."""

    def __init__(self, stream: httpx2.AsyncByteStream, watched: _Watched) -> None:
        self._stream = stream
        self._watched = watched

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._watched.add(piece)
            yield piece

    async def aclose(self) -> None:
        """Close the response; what came of it counts."""
        await self._stream.aclose()
        await asyncio.to_thread(self._watched.end)
