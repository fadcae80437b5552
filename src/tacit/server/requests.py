"""What happens around every request: an id, a look at where it comes from, and an account of it."""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.core.errors import TacitError
from tacit.runtime.addresses import AllowedHosts
from tacit.runtime.http_server import (
    BodyTooLong,
    BodyTooSlow,
    has_body,
    parse_content_length,
    read_body,
)
from tacit.runtime.limits import (
    MAX_QUERY_BYTES,
    MAX_QUERY_PARAMETERS,
    ConcurrencyLimiter,
    has_long_query,
    has_many_parameters,
)
from tacit.runtime.telemetry import request_scope
from tacit.server.access import check_again, identify
from tacit.server.bodies import most_bytes
from tacit.server.hosts import check
from tacit.server.names import path_to_match
from tacit.server.problems import (
    ADDRESS_TOO_LONG,
    INVALID,
    OVERLOADED,
    TOO_LARGE,
    TOO_SLOW,
    Refusal,
    of_anything,
    of_error,
)
from tacit.server.service import Service

_log = logging.getLogger("tacit.server")

_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_NEEDING_A_KEY = ("/v1/", "/metrics")
"""Who asks is found out before a body is read."""

_KILOBYTE = 1024
_LISTENING = "/v1/events"
_NO_ANSWER = 500
_HUNG_UP = 499
_RETRY_SECONDS = "1"
_STREAM = "text/event-stream"


class Requests:
    """The outermost layer: nothing gets in or out that it does not see."""

    def __init__(self, app: ASGIApp, service: Service, hosts: AllowedHosts) -> None:
        self._app = app
        self._service = service
        self._hosts = hosts
        self._reading = ConcurrencyLimiter()
        """Requests whose bodies are being read."""
        self._begun = ConcurrencyLimiter()
        """Requests that are being worked on or wait for that."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = {**scope, "path": path_to_match(scope)}
        headers = Headers(scope=scope)
        with request_scope(headers.get("x-request-id")) as id:
            exchange = _Exchange(self._service, scope, headers, id, send)
            await exchange.serve(self._worked_on, self._hosts, receive)

    async def _worked_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered once its body is there, unless too many wait already."""
        if scope["path"] == _LISTENING or not scope["path"].startswith(_NEEDING_A_KEY):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        caller = (await identify(request)).name
        if not has_body(scope):
            with self._seated(self._begun, caller):
                await self._app(scope, receive, send)
            return
        with self._seated(self._reading, caller):
            body = await read_body(receive, most_bytes(scope["path"], self._service.config.server))
        with closing(body), self._seated(self._begun, caller):
            await check_again(request)
            await self._app(scope, body.replay(receive), send)

    @contextmanager
    def _seated(self, seats: ConcurrencyLimiter, caller: str) -> Iterator[None]:
        """Hold one of the places; a caller leaves some to others."""
        if not seats.take(caller, self._service.config.server.waiting_requests):
            detail = "too many requests wait already; send it again in a moment"
            raise Refusal(OVERLOADED, detail, Retry_After=_RETRY_SECONDS)
        try:
            yield
        finally:
            seats.give_back(caller)


class _Exchange:
    """One request and its answer."""

    def __init__(
        self, service: Service, scope: Scope, headers: Headers, id: str, send: Send
    ) -> None:
        self._service = service
        self._scope = scope
        self._headers = headers
        self._id = id
        self._send = send
        self._status = _NO_ANSWER
        self._has_begun = False
        self._is_stream = False
        self._most = most_bytes(scope["path"], service.config.server)

    async def serve(self, app: ASGIApp, hosts: AllowedHosts, receive: Receive) -> None:
        """Let the request in if it may come in, and tell of it afterwards."""
        begun, method = time.perf_counter(), self._scope["method"]
        with self._service.tracer.request(method, None, self._headers) as traced:
            try:
                check(hosts, self._headers)
                self._check_query()
                self._check_length()
                if self._scope["path"].startswith(_NEEDING_A_KEY):
                    await identify(Request(self._scope))
                await app(self._scope, receive, self._answer)
            except ClientDisconnect:
                self._status = _HUNG_UP
            except Exception as error:
                await self._refuse(self._meant(error), receive)
            finally:
                traced.answered(self._status, self._route)
                self._tell(method, time.perf_counter() - begun)

    @property
    def _route(self) -> str | None:
        """The template of the route that matched."""
        path: str | None = getattr(self._scope.get("route"), "path", None)
        return path

    async def _refuse(self, error: Exception, receive: Receive) -> None:
        """Say what went wrong, unless an answer is on its way already."""
        if self._has_begun:
            raise error
        if isinstance(error, Refusal):
            self._service.metrics.count_refusal(error.code.name)
        answer = of_error(error) if isinstance(error, TacitError) else of_anything(error)
        await answer(self._scope, receive, self._answer)

    def _meant(self, error: Exception) -> Exception:
        """What is answered where a body could not be read."""
        if isinstance(error, BodyTooLong):
            return self._too_large()
        return Refusal(TOO_SLOW, str(error)) if isinstance(error, BodyTooSlow) else error

    def _check_query(self) -> None:
        """Refuse a query that is too long to be validated on the event loop."""
        query = self._scope.get("query_string", b"")
        if has_long_query(query):
            limit = f"the query takes {MAX_QUERY_BYTES // _KILOBYTE} KB"
            raise Refusal(ADDRESS_TOO_LONG, f"{limit}; send less at once")
        if has_many_parameters(query):
            raise Refusal(INVALID, f"the query takes {MAX_QUERY_PARAMETERS} parameters")

    def _check_length(self) -> None:
        if parse_content_length(self._headers.get("content-length", "")) > self._most:
            raise self._too_large()

    def _too_large(self) -> Refusal:
        limit = f"at most {self._most // _KILOBYTE} KB are taken here"
        return Refusal(TOO_LARGE, f"{limit}; send less at once, or raise max_body_kb")

    async def _answer(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._has_begun = True
            self._status = message["status"]
            headers = MutableHeaders(scope=message)
            self._is_stream = headers.get("content-type", "").startswith(_STREAM)
            headers["X-Request-ID"] = self._id
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)

    def _tell(self, method: str, seconds: float) -> None:
        if not self._is_stream:  # how long somebody listened says nothing about the server
            self._service.metrics.count_request(method, self._route, self._status, seconds)
        told = {
            "method": method,
            "path": self._scope["path"],
            "status": self._status,
            "elapsed_ms": round(1_000 * seconds, 1),
        }
        _log.info("%s %s %s", method, told["path"], self._status, extra=told)
