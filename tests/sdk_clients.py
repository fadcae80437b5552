"""The real SDKs before a provider and before a proxy: what they return, and what they send."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import anthropic
import httpx2
import openai
import pytest
from pydantic import BaseModel

from tacit import Receipt
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
from tests.proxying import Answer, Proxied, Received

JWT = "We chose JWT over session tokens for the API"
ASKED = "Why did we choose JWT for the API?"

_SDKS: dict[str, tuple[Any, Any, str, str]] = {
    "openai": (openai.OpenAI, openai.AsyncOpenAI, "/openai", "/v1"),
    "anthropic": (anthropic.Anthropic, anthropic.AsyncAnthropic, "/anthropic", ""),
}

# How a client calls


class CallMode(NamedTuple):
    """Whether a client is async, and whether it takes replies as streams."""

    is_async: bool
    streams: bool


CALL_MODES = [
    pytest.param(CallMode(is_async=False, streams=False), id="sync"),
    pytest.param(CallMode(is_async=True, streams=True), id="async-streaming"),
    pytest.param(CallMode(is_async=False, streams=True), id="streaming", marks=pytest.mark.slow),
    pytest.param(CallMode(is_async=True, streams=False), id="async", marks=pytest.mark.slow),
]
"""The two that differ most are among the fast tests."""

# What passes on the way


@dataclass
class Passed:
    """A response as its bytes came."""

    status: int
    headers: dict[str, str]
    body: bytearray = field(default_factory=bytearray)


class _Tape(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that is kept as it is read."""

    def __init__(self, stream: Any, kept: bytearray) -> None:
        self._stream = stream
        self._kept = kept

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            self._kept += piece
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._kept += piece
            yield piece

    def close(self) -> None:
        self._stream.close()

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Recorder(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """A transport that keeps what came."""

    def __init__(self, inner: Any, passed: list[Passed]) -> None:
        self._inner = inner
        self._passed = passed

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        return self._keep(self._inner.handle_request(request))

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return self._keep(await self._inner.handle_async_request(request))

    def _keep(self, response: httpx2.Response) -> httpx2.Response:
        passed = Passed(response.status_code, dict(response.headers))
        self._passed.append(passed)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Tape(response.stream, passed.body),
            extensions=response.extensions,
        )

    def close(self) -> None:
        self._inner.close()

    async def aclose(self) -> None:
        await self._inner.aclose()


# An SDK's client


@dataclass
class Sdk:
    """A client of an SDK, sync or async, plain or streaming; notes what it returned."""

    client: Any
    streams: bool
    returned: list[Any] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)

    async def chat(self, **body: Any) -> Any:
        """A chat completion; its message."""
        done = await self._ask(self.client.chat.completions, "get_final_completion", body)
        return done.choices[0].message

    async def respond(self, **body: Any) -> Any:
        """A response."""
        return await self._ask(self.client.responses, "get_final_response", body)

    async def message(self, **body: Any) -> Any:
        """A message of Anthropic's."""
        body = {"max_tokens": 100, **body}
        return await self._ask(self.client.messages, "get_final_message", body)

    async def _ask(self, resource: Any, final: str, body: dict[str, Any]) -> Any:
        body = {"model": "fake", **body}
        if not self.streams:
            return await self.call(resource.create, **body)
        async with entered(resource.stream(**body)) as stream:
            self.returned += [to_plain(event) for event in await all_of(stream)]
            return self.note(await settled(getattr(stream, final)()))

    async def call(self, function: Callable[..., Any], **arguments: Any) -> Any:
        """Call a function of the SDK and note what it returns."""
        return self.note(await settled(function(**arguments)))

    async def iterate(self, function: Callable[..., Any], **arguments: Any) -> None:
        """Note each event of a stream."""
        stream = await settled(function(stream=True, **arguments))
        self.returned += [to_plain(event) for event in await all_of(stream)]

    async def fail(self, function: Callable[..., Any], **arguments: Any) -> Exception:
        """Note the error that a call raises."""
        try:
            await settled(function(**arguments))
        except Exception as error:
            self.returned.append(_describe_error(error))
            return error
        raise AssertionError("there was no error")

    def note(self, value: Any) -> Any:
        self.returned.append(to_plain(value))
        return value


async def settled(value: Any) -> Any:
    """A value, awaited if it has to be."""
    return await value if inspect.isawaitable(value) else value


async def all_of(stream: Any) -> list[Any]:
    """What a stream yields."""
    return [each async for each in stream] if hasattr(stream, "__aiter__") else list(stream)


@asynccontextmanager
async def entered(manager: Any) -> AsyncIterator[Any]:
    """A context manager of either kind."""
    if hasattr(manager, "__aenter__"):
        async with manager as found:
            yield found
    else:
        with manager as found:
            yield found


def to_plain(value: Any) -> Any:
    """A value of an SDK as something to compare, with its type and the name of its request."""
    if isinstance(value, BaseModel):
        named = getattr(value, "_request_id", None)
        return type(value).__name__, named, value.model_dump(mode="json", warnings=False)
    if hasattr(value, "__dict__"):  # events of helpers that are no models
        return type(value).__name__, {name: to_plain(each) for name, each in vars(value).items()}
    return value


def _describe_error(error: Exception) -> tuple[Any, ...]:
    told = (getattr(error, name, None) for name in ("status_code", "body", "request_id", "code"))
    return type(error), str(error), *told


@asynccontextmanager
async def connected(
    name: str, url: str, *, is_async: bool, streams: bool = False, **headers: str
) -> AsyncIterator[Sdk]:
    """A client of an SDK at the address of a provider."""
    plain, asynchronous, _, version = _SDKS[name]
    passed: list[Passed] = []
    inner = (httpx2.AsyncHTTPTransport if is_async else httpx2.HTTPTransport)(trust_env=False)
    http = (httpx2.AsyncClient if is_async else httpx2.Client)(
        transport=_Recorder(inner, passed), trust_env=False, timeout=60
    )
    client = (asynchronous if is_async else plain)(
        api_key="sk-test", base_url=f"{url}{version}", http_client=http, default_headers=headers
    )
    try:
        yield Sdk(client, streams, passed=passed)
    finally:
        await settled(client.close())


# Beside each other


Conversation = Callable[[Sdk], Awaitable[None]]


@dataclass
class Pair:
    """A provider that is asked directly and through the proxy, in a project of its own.

    Its conversations have the project's name too, if it `names_session`.
    """

    proxy: Proxied
    name: str
    is_async: bool
    streams: bool = False
    names_session: bool = False
    project: str = ""

    def __post_init__(self) -> None:
        self.project = f"app-{next(_numbers)}"

    @property
    def receipts(self) -> list[Receipt]:
        """The receipts of this project's turns."""
        found = self.proxy.tacit.turns.list(limit=500)
        return [each for each in found if each.project == self.project]

    @property
    def url(self) -> str:
        return f"{self.proxy.url}{_SDKS[self.name][2]}"

    @property
    def _names(self) -> dict[str, str]:
        session = {"Tacit-Session": self.project} if self.names_session else {}
        return {"Tacit-User": "ann", "Tacit-Project": self.project, **session}

    def run(self, work: Conversation, *, directly: bool = False, **headers: str) -> Sdk:
        """Have a conversation, and wait until its turns have ended."""

        async def talk() -> Sdk:
            url = self.proxy.provider.url if directly else self.url
            named = {} if directly else {**self._names, **headers}
            asked = {"is_async": self.is_async, "streams": self.streams}
            async with connected(self.name, url, **asked, **named) as sdk:
                await work(sdk)
            return sdk

        sdk = asyncio.run(talk())
        self.proxy.settle()
        return sdk

    def compare(self, work: Conversation, *answers: Answer) -> list[Received]:
        """Have a conversation on both ways, compare all, and return what came by the proxy."""
        provider, begun = self.proxy.provider, len(self.proxy.provider.received)
        provider.say(*answers)
        direct = self.run(work, directly=True)
        half = len(provider.received)
        provider.say(*answers)
        through = self.run(work)
        plain, sent = provider.received[begun:half], provider.received[half:]
        assert through.returned == direct.returned
        assert_same_responses(through.passed, direct.passed)
        assert len(sent) == len(plain)
        for one, other in zip(sent, plain, strict=True):
            assert_same_request(one, other)
        return sent


_numbers = count(1)

_OF_A_CONNECTION = {
    "accept-encoding",
    "connection",
    "content-length",
    "date",
    "host",
    "keep-alive",
    "transfer-encoding",
}
_ADDED = {"tacit-memory", "tacit-receipt", "x-accel-buffering"}


def assert_same_responses(found: list[Passed], expected: list[Passed]) -> None:
    """The same statuses and bytes, and the same headers but for those that the proxy adds."""
    assert [(each.status, bytes(each.body)) for each in found] == [
        (each.status, bytes(each.body)) for each in expected
    ]
    for one, other in zip(found, expected, strict=True):
        assert _without(one.headers, _OF_A_CONNECTION | _ADDED) == _without(
            other.headers, _OF_A_CONNECTION
        )


def assert_same_request(sent: Received, plain: Received) -> None:
    """The same request but for blocks, and but for the headers of one connection."""
    assert (sent.method, sent.path, sent.query) == (plain.method, plain.path, plain.query)
    assert _without(sent.headers, _OF_A_CONNECTION) == _without(plain.headers, _OF_A_CONNECTION)
    if sent.body != plain.body and blocks_in(sent.json):
        assert without_blocks(sent.json, plain.json) == plain.json
    else:
        assert sent.body == plain.body


def _without(headers: dict[str, str], names: set[str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in names}


def blocks_in(body: Any) -> list[str]:
    """The blocks in a request, in their order."""
    entries = body.get("messages", body.get("input", ()))
    contents = [each.get("content") for each in entries if isinstance(each, dict)]
    parts = [part for each in contents if isinstance(each, list) for part in each]
    return [part["text"] for part in parts if _is_block(part)]


def without_blocks(body: Any, like: Any) -> Any:
    """A request without blocks; a text that became a list for them is one again, as in `like`."""
    if "messages" in body:
        pairs = zip(body["messages"], like["messages"], strict=True)
        return {**body, "messages": [_bare_message(one, other) for one, other in pairs]}
    items = [each for each in body["input"] if not _is_block_item(each)]
    if isinstance(like["input"], str):
        said = {"type": "message", "role": "user", "content": like["input"]}
        items = like["input"] if items == [said] else items
    return {**body, "input": items}


def _bare_message(message: Any, like: Any) -> Any:
    content, given = message.get("content"), like.get("content")
    if not isinstance(content, list):
        return message
    kept = [part for part in content if not _is_block(part)]
    is_text = isinstance(given, str) and kept == [{"type": "text", "text": given}]
    return {**message, "content": given if is_text else kept}


def _is_block(part: Any) -> bool:
    return str(part.get("text", "")).startswith(INJECTION_BLOCK_PREFIX)


def _is_block_item(item: Any) -> bool:
    content = item.get("content")
    return item.get("role") == "developer" and isinstance(content, list) and _is_block(content[0])
