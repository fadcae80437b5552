"""The way to a provider and back: which headers pass, and how a response is forwarded."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2

from tacit.settings.proxy import ProxySettings

RawHeaders = list[tuple[bytes, bytes]]

_HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
_NOT_FORWARDED = _HOP_BY_HOP | {b"host", b"content-length", b"accept-encoding", b"expect"}
_OWN = b"tacit-"
_VERSION = "/v1"
_MOST_CLOSED = 3
"""So many kept connections may turn out to be closed before a request is given up."""


class UpstreamError(Exception):
    """The provider could not be reached, or did not answer in time."""

    def __init__(self, problem: str, *, is_late: bool = False) -> None:
        super().__init__(problem)
        self.is_late = is_late


def join_url(upstream: str, path: str, query: bytes) -> str:
    """The provider's address of a path; its URL may end with `/v1` or not."""
    base = upstream.rstrip("/")
    if base.endswith(_VERSION) and path.startswith(f"{_VERSION}/"):
        base = base.removesuffix(_VERSION)
    return f"{base}{path}" + (f"?{query.decode('latin-1')}" if query else "")


def forwarded_headers(headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
    """The headers of a request that pass; not those of one connection, and none of ours."""
    given = list(headers)
    named = {
        part.strip().lower()
        for name, value in given
        if name.lower() == b"connection"
        for part in value.split(b",")
    }
    dropped = _NOT_FORWARDED | named
    kept = [
        (name, value)
        for name, value in given
        if name.lower() not in dropped and not name.lower().startswith(_OWN)
    ]
    return [*kept, (b"accept-encoding", b"identity")]


def returned_headers(headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
    """The headers of a response that pass: all but those of one connection, and its date."""
    dropped = _HOP_BY_HOP | {b"date"}  # the server adds its own
    return [(name.lower(), value) for name, value in headers if name.lower() not in dropped]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamRequest:
    """What is sent to a provider."""

    method: str
    url: str
    headers: RawHeaders
    body: bytes


class UpstreamResponse:
    """A response whose headers have come."""

    def __init__(self, response: httpx2.Response, idle_seconds: float) -> None:
        self._response = response
        self._idle_seconds = idle_seconds

    @property
    def status(self) -> int:
        """Its status code."""
        return self._response.status_code

    @property
    def headers(self) -> RawHeaders:
        """The headers that pass to the client."""
        return returned_headers(self._response.headers.raw)

    @property
    def is_stream(self) -> bool:
        """Whether it is a stream of events."""
        return self._response.headers.get("content-type", "").startswith("text/event-stream")

    @property
    def length(self) -> int | None:
        """How many bytes its body has, if it says so."""
        stated = self._response.headers.get("content-length", "")
        return int(stated) if stated.isascii() and stated.isdigit() else None

    @property
    def is_plain(self) -> bool:
        """Whether its body can be read as it is."""
        return self._response.headers.get("content-encoding", "identity") == "identity"

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body, byte for byte, as it comes."""
        pieces = aiter(self._response.aiter_raw())
        while True:
            try:
                async with asyncio.timeout(self._idle_seconds):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            except TimeoutError:
                problem = f"the response paused for more than {self._idle_seconds:g} seconds"
                raise UpstreamError(problem, is_late=True) from None
            except httpx2.HTTPError as error:
                raise UpstreamError(f"the response broke off: {error}") from error
            yield piece


class Upstream:
    """Connections to providers, kept open between requests."""

    def __init__(self) -> None:
        unbounded = httpx2.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx2.AsyncClient(limits=unbounded, timeout=None, follow_redirects=False)

    @asynccontextmanager
    async def send(
        self, asked: UpstreamRequest, settings: ProxySettings
    ) -> AsyncIterator[UpstreamResponse]:
        """Send a request; the response is there once its headers have come."""
        request = self._client.build_request(
            asked.method, asked.url, headers=asked.headers, content=asked.body
        )
        request.extensions["timeout"] = {"connect": settings.connect_seconds}
        host = urlsplit(asked.url).netloc
        try:
            async with asyncio.timeout(settings.first_byte_seconds):
                response = await self._send(request)
        except TimeoutError:
            problem = f"{host} did not answer within {settings.first_byte_seconds:g} seconds"
            raise UpstreamError(problem, is_late=True) from None
        except httpx2.ConnectTimeout:
            problem = f"{host} could not be reached within {settings.connect_seconds:g} seconds"
            raise UpstreamError(problem, is_late=True) from None
        except httpx2.HTTPError as error:
            raise UpstreamError(f"{host} could not be reached: {error}") from error
        try:
            yield UpstreamResponse(response, settings.idle_seconds)
        finally:
            await response.aclose()

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, again where its connection was kept and the provider had closed it."""
        for _ in range(_MOST_CLOSED):
            is_new = False

            async def note(event: str, _: object) -> None:
                nonlocal is_new
                is_new = is_new or event == "connection.connect_tcp.started"

            request.extensions["trace"] = note
            try:
                return await self._client.send(request, stream=True)
            except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError):
                if is_new:
                    raise
        request.extensions.pop("trace")
        return await self._client.send(request, stream=True)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()
