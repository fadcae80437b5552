"""What happens around every request: its id, where it comes from, limits, logs and metrics."""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.core.errors import TacitError
from tacit.runtime.addresses import AllowedHosts, HostObjection, requested_host, strip_port
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
from tacit.server.access import check_still_valid, identify_caller
from tacit.server.problems import (
    ADDRESS_TOO_LONG,
    CROSS_SITE,
    INVALID,
    OVERLOADED,
    TOO_LARGE,
    TOO_SLOW,
    WRONG_HOST,
    RequestRefused,
    response_to_error,
    response_to_unexpected,
)
from tacit.server.request_input import decode_path_for_matching, max_body_bytes
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
_EVENT_STREAM = "/v1/events"
_NO_ANSWER = 500
_CLIENT_GONE = 499
_RETRY_SECONDS = "1"
_STREAM = "text/event-stream"


class RequestMiddleware:
    """The outermost layer, which sees every request and response."""

    def __init__(self, app: ASGIApp, service: Service, hosts: AllowedHosts) -> None:
        self._app = app
        self._service = service
        self._hosts = hosts
        self._reading = ConcurrencyLimiter()
        """Requests whose bodies are being read."""
        self._begun = ConcurrencyLimiter()
        """Requests that are being worked on or wait for that."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = {**scope, "path": decode_path_for_matching(scope)}
        headers = Headers(scope=scope)
        with request_scope(headers.get("x-request-id")) as id:
            exchange = _Exchange(self._service, scope, headers, id, send)
            await exchange.serve(self._handle, self._hosts, receive)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request once its body has arrived, unless too many wait already."""
        if scope["path"] == _EVENT_STREAM or not scope["path"].startswith(_NEEDING_A_KEY):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        caller = (await identify_caller(request)).name
        if not has_body(scope):
            with self._hold_place(self._begun, caller):
                await self._app(scope, receive, send)
            return
        with self._hold_place(self._reading, caller):
            body = await read_body(
                receive, max_body_bytes(scope["path"], self._service.config.server)
            )
        with closing(body), self._hold_place(self._begun, caller):
            await check_still_valid(request)
            await self._app(scope, body.replay(receive), send)

    @contextmanager
    def _hold_place(self, seats: ConcurrencyLimiter, caller: str) -> Iterator[None]:
        """Hold one of the places; each caller has a share."""
        if not seats.take(caller, self._service.config.server.waiting_requests):
            detail = "too many requests wait already; send it again in a moment"
            raise RequestRefused(OVERLOADED, detail, Retry_After=_RETRY_SECONDS)
        try:
            yield
        finally:
            seats.give_back(caller)


class _Exchange:
    """One request and its response."""

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
        self._most = max_body_bytes(scope["path"], service.config.server)

    async def serve(self, app: ASGIApp, hosts: AllowedHosts, receive: Receive) -> None:
        """Check, handle and log the request."""
        begun, method = time.perf_counter(), self._scope["method"]
        with self._service.tracer.request(method, None, self._headers) as traced:
            try:
                check_host(hosts, self._headers)
                self._check_query()
                self._check_length()
                if self._scope["path"].startswith(_NEEDING_A_KEY):
                    await identify_caller(Request(self._scope))
                await app(self._scope, receive, self._answer)
            except ClientDisconnect:
                self._status = _CLIENT_GONE
            except Exception as error:
                await self._refuse(self._to_body_error(error), receive)
            finally:
                traced.answered(self._status, self._route)
                self._log_request(method, time.perf_counter() - begun)

    @property
    def _route(self) -> str | None:
        """The template of the matched route."""
        path: str | None = getattr(self._scope.get("route"), "path", None)
        return path

    async def _refuse(self, error: Exception, receive: Receive) -> None:
        """Send an error response, unless a response has begun."""
        if self._has_begun:
            raise error
        if isinstance(error, RequestRefused):
            self._service.metrics.count_refusal(error.code.name)
        answer = (
            response_to_error(error)
            if isinstance(error, TacitError)
            else response_to_unexpected(error)
        )
        await answer(self._scope, receive, self._answer)

    def _to_body_error(self, error: Exception) -> Exception:
        """The refusal for a body that could not be read."""
        if isinstance(error, BodyTooLong):
            return self._too_large()
        return RequestRefused(TOO_SLOW, str(error)) if isinstance(error, BodyTooSlow) else error

    def _check_query(self) -> None:
        """Refuse a query that is too long to be validated on the event loop."""
        query = self._scope.get("query_string", b"")
        if has_long_query(query):
            limit = f"the query takes {MAX_QUERY_BYTES // _KILOBYTE} KB"
            raise RequestRefused(ADDRESS_TOO_LONG, f"{limit}; send less at once")
        if has_many_parameters(query):
            raise RequestRefused(INVALID, f"the query takes {MAX_QUERY_PARAMETERS} parameters")

    def _check_length(self) -> None:
        if parse_content_length(self._headers.get("content-length", "")) > self._most:
            raise self._too_large()

    def _too_large(self) -> RequestRefused:
        limit = f"at most {self._most // _KILOBYTE} KB are taken here"
        return RequestRefused(TOO_LARGE, f"{limit}; send less at once, or raise max_body_kb")

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

    def _log_request(self, method: str, seconds: float) -> None:
        if not self._is_stream:  # how long somebody listened says nothing about the server
            self._service.metrics.count_request(method, self._route, self._status, seconds)
        fields = {
            "method": method,
            "path": self._scope["path"],
            "status": self._status,
            "elapsed_ms": round(1_000 * seconds, 1),
        }
        _log.info("%s %s %s", method, fields["path"], self._status, extra=fields)


def check_host(hosts: AllowedHosts, headers: Headers) -> None:
    """Refuse requests for other hosts and from pages of other sites."""
    objection = hosts.find_objection(headers)
    if objection is HostObjection.HOST:
        name = strip_port(requested_host(headers))
        detail = f"{name[:100]!r} is not a name of this server; --allow-host adds one"
        raise RequestRefused(WRONG_HOST, detail)
    if objection is HostObjection.SITE:
        raise RequestRefused(CROSS_SITE, "ask from a program, or from a page of this server")
