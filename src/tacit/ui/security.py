"""Request checks and response headers of the web UI, with its content security policy.

The policy allows the least that NiceGUI needs. Inline scripts run only with the nonce of the
response that they came in. The script tags in NiceGUI's own template get the nonce before any text
is filled in, so a script injected into a page has none. `unsafe-eval` stays, because NiceGUI
evaluates its event handlers and Vue compiles the templates of elements in the browser; inline
styles stay, because both set styles on elements.
"""

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Final

from jinja2.ext import Extension
from nicegui import __version__ as nicegui_version
from nicegui.client import templates
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.runtime.addresses import AllowedHosts, HostObjection, Networks, client_address
from tacit.runtime.http_server import BodyTooLong, BodyTooSlow, has_body, read_body
from tacit.runtime.limits import RateLimiter, has_long_query, has_many_parameters
from tacit.ui.sockets import SocketLimits

_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # without it a form of ours has no Origin
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_CORS_HEADERS = "access-control-"
"""Begins the names of headers that would let other origins in; libraries may set them."""

PAGES_PER_MINUTE = 600
"""Pages, forms and sockets of one address."""

_STATIC_PATHS = (
    *(
        f"/_nicegui/{nicegui_version}/{folder}/"
        for folder in ("static", "libraries", "components", "resources", "esm")
    ),
    "/_tacit/",
    "/favicon.ico",
)
_TOO_MANY = (429, "Too many pages were asked for. Try again in a moment.")
_POLICY_VIOLATION = 1008
_MAX_FORM_BYTES = 65_536
_UPLOAD_PATHS = ("/_nicegui/",)
_SOCKET_PATH = "/_nicegui_ws"
_NO_POLLING = (400, "The pages need a WebSocket; a proxy before them must pass it on.")
_REFUSALS: Mapping[HostObjection, tuple[int, str]] = {
    HostObjection.HOST: (421, "This is not a name of this server; --allow-host adds one."),
    HostObjection.SITE: (403, "Pages of other sites may not ask here."),
}
_LARGE_QUERY = (414, "The address has too many parameters or is too long.")


class SecurityMiddleware:
    """Admits requests to allowed host names from the UI's own pages; links may lead here."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: AllowedHosts,
        trusted: Callable[[], Networks] = tuple,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._trusted = trusted
        self._sockets = SocketLimits(app)
        self._limiter = RateLimiter(monotonic)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        objection = self._hosts.find_objection(headers)
        if objection is HostObjection.SITE and _is_followed_link(scope, headers):
            objection = None
        if objection is not None:
            await _refuse(*_REFUSALS[objection], scope, receive, send)
        elif _has_large_query(scope):
            await _refuse(*_LARGE_QUERY, scope, receive, send)
        elif wait := self._wait(address := self._address(scope, headers), scope):
            after = {"Retry-After": str(wait)}
            await _refuse(*_TOO_MANY, scope, receive, send, after)
        elif scope["type"] == "websocket":
            await self._sockets.serve(address, scope, receive, send)
        elif scope["path"].startswith(_SOCKET_PATH):
            await _refuse(*_NO_POLLING, scope, receive, send)
        elif _is_form_post(scope):
            await _serve_with_body(self._app, scope, receive, _with_headers(scope, send))
        else:
            await self._app(scope, receive, _with_headers(scope, send))

    def _address(self, scope: Scope, headers: Headers) -> str:
        client = scope.get("client")
        peer = client[0] if client else ""
        return client_address(peer, headers.getlist("x-forwarded-for"), self._trusted())

    def _wait(self, address: str, scope: Scope) -> int:
        """For how many seconds an address has to wait; files cost little and are not counted."""
        if scope["path"].startswith(_STATIC_PATHS):
            return 0
        return self._limiter.wait(address, PAGES_PER_MINUTE)


def _is_form_post(scope: Scope) -> bool:
    """Whether a request has the body of a form; uploads need a page of a signed-in browser."""
    is_form = scope["type"] == "http" and not scope["path"].startswith(_UPLOAD_PATHS)
    return is_form and has_body(scope)


async def _serve_with_body(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a request once its short body has been read."""
    try:
        body = await read_body(receive, _MAX_FORM_BYTES)
    except ClientDisconnect:
        return
    except (BodyTooLong, BodyTooSlow) as error:
        status = 413 if isinstance(error, BodyTooLong) else 408
        await PlainTextResponse(str(error), status)(scope, receive, send)
        return
    with closing(body):
        await app(scope, body.replay(receive), send)


def _is_followed_link(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link from another site, which changes nothing."""
    return scope.get("method") == "GET" and headers.get("sec-fetch-mode") == "navigate"


def _has_large_query(scope: Scope) -> bool:
    query = scope.get("query_string", b"")
    return has_long_query(query) or has_many_parameters(query)


async def _refuse(
    status: int,
    detail: str,
    scope: Scope,
    receive: Receive,
    send: Send,
    headers: Mapping[str, str] | None = None,
) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        return
    await PlainTextResponse(detail, status, headers)(scope, receive, _with_headers(scope, send))


def _with_headers(scope: Scope, send: Send) -> Send:
    added = {"Content-Security-Policy": content_policy(scope), **_HEADERS}

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name in {name for name in headers if name.startswith(_CORS_HEADERS)}:
                del headers[name]
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sent


# The content security policy.

_NONCE_BYTES = 16
_NONCE_KEY: Final = "script_nonce"
_SCRIPT_TAG: Final = "<script"


class ScriptNonces(Extension):
    """Adds the nonce of the request to every script tag of a template."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        """The source of a template with a nonce in each script tag."""
        return source.replace(
            _SCRIPT_TAG, f'{_SCRIPT_TAG} nonce="{{{{ request.state.{_NONCE_KEY} }}}}"'
        )


def install_nonces() -> None:
    """Add nonces to the template of all pages; call it before the first page is shown."""
    templates.env.add_extension(ScriptNonces)


def content_policy(scope: Scope) -> str:
    """The policy of one response; the page reads its nonce from the request state."""
    nonce = scope.setdefault("state", {}).setdefault(
        _NONCE_KEY, secrets.token_urlsafe(_NONCE_BYTES)
    )
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval'",
            "script-src-attr 'none'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )
