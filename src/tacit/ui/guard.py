"""The guard of the pages: names, other sites, and what a browser may load and do there."""

from collections.abc import Mapping
from contextlib import closing

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.runtime.hosts import Hosts, Objection
from tacit.runtime.request_body import BodyTooLong, BodyTooSlow, has_body, read_body
from tacit.ui.content_policy import policy_of

_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # without it a form of ours has no Origin
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_POLICY_VIOLATION = 1008
_MOST_BYTES = 65_536
_FILES = ("/_nicegui",)
_REFUSALS: Mapping[Objection, tuple[int, str]] = {
    Objection.HOST: (421, "This is not a name of this server; --allow-host adds one."),
    Objection.SITE: (403, "Pages of other sites may not ask here."),
}


class Guard:
    """Lets in who asks by a name of the server and from its own pages; links may lead here."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        objection = self._hosts.objection(headers)
        if objection is Objection.SITE and _is_link(scope, headers):
            objection = None
        if objection is not None:
            await _refuse(objection, scope, receive, send)
        elif _is_short(scope):
            await _with_short_body(self._app, scope, receive, _adding_headers(scope, send))
        else:
            await self._app(scope, receive, _adding_headers(scope, send))


def _is_short(scope: Scope) -> bool:
    """Whether a request has the body of a form; files come to pages of who is signed in."""
    is_form = scope["type"] == "http" and not scope["path"].startswith(_FILES)
    return is_form and has_body(scope)


async def _with_short_body(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a request once its body is there; it may have a few KB, and must come soon."""
    try:
        body = await read_body(receive, _MOST_BYTES)
    except ClientDisconnect:
        return
    except (BodyTooLong, BodyTooSlow) as error:
        status = 413 if isinstance(error, BodyTooLong) else 408
        await PlainTextResponse(str(error), status)(scope, receive, send)
        return
    with closing(body):
        await app(scope, body.replayed(receive), send)


def _is_link(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link of another site; looking changes nothing."""
    return scope.get("method") == "GET" and headers.get("sec-fetch-mode") == "navigate"


async def _refuse(objection: Objection, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        return
    status, said = _REFUSALS[objection]
    await PlainTextResponse(said, status)(scope, receive, _adding_headers(scope, send))


def _adding_headers(scope: Scope, send: Send) -> Send:
    added = {"Content-Security-Policy": policy_of(scope), **_HEADERS}

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sent
