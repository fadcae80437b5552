"""Access control of the MCP server over HTTP: keys, hosts, rate limits and body limits."""

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from urllib.parse import quote

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.api.calls.administration import Keyring
from tacit.core.json_checks import has_more_values_than
from tacit.core.keys import Key, Role
from tacit.integrations.mcp.caller import (
    AGENT_HEADER,
    BOUND_AGENT_HEADER,
    BOUND_USER_HEADER,
    USER_HEADER,
)
from tacit.runtime.addresses import AllowedHosts, HostObjection, client_address
from tacit.runtime.http_server import (
    BodyTooLong,
    BodyTooSlow,
    has_body,
    parse_content_length,
    read_body,
)
from tacit.runtime.limits import RateLimiter
from tacit.settings.server import ServerSettings

_BEARER = "bearer "
_KILOBYTE = 1024
_BYTES_PER_VALUE = 32
_OBJECTIONS: Mapping[HostObjection, tuple[int, str]] = {
    HostObjection.HOST: (421, "this is not a name of this server"),
    HostObjection.SITE: (403, "pages of other origins may not ask here"),
}


class AccessMiddleware:
    """Admits requests with a valid key; without any keys, every request on loopback.

    Requests from other origins are rejected, and clients that exceed the rate limit.
    """

    def __init__(
        self,
        keys: Keyring,
        workspace: str,
        *,
        is_exposed: bool,
        hosts: AllowedHosts,
        settings: Callable[[], ServerSettings],
        writing: ASGIApp,
        reading: ASGIApp,
    ) -> None:
        self._keys = keys
        self._workspace = workspace
        self._is_exposed = is_exposed
        self._hosts = hosts
        self._settings = settings
        self._limiter = RateLimiter()
        self._writing = writing
        self._reading = reading

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        headers, settings = Headers(scope=scope), self._settings()
        objection = self._hosts.find_objection(headers)
        answer: ASGIApp
        if objection is not None:
            answer = _reject(*_OBJECTIONS[objection])
        elif (
            parse_content_length(headers.get("content-length", ""))
            > settings.max_body_kb * _KILOBYTE
        ):
            answer = _reject_size(settings)
        else:
            answer = await to_thread.run_sync(self._route, scope, headers, settings)
        if answer not in (self._writing, self._reading) or not has_body(scope):
            await answer(scope, receive, send)
            return
        with suppress(ClientDisconnect):
            await self._serve_with_body(answer, scope, receive, send)

    async def _serve_with_body(
        self, answer: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Read the body, then pass the request on if its key is still valid."""
        settings, token = self._settings(), _read_token(Headers(scope=scope))
        most = settings.max_body_kb * _KILOBYTE
        try:
            body = await read_body(receive, most)
        except BodyTooLong:
            await _reject_size(settings)(scope, receive, send)
            return
        except BodyTooSlow as error:
            await _reject(408, str(error))(scope, receive, send)
            return
        with closing(body):
            if await to_thread.run_sync(
                has_more_values_than, body.whole(), most // _BYTES_PER_VALUE
            ):
                answer = _reject(413, "the body has too many values in its lists and objects")
            elif (
                token is not None
                and await to_thread.run_sync(self._keys.find_by_token, token) is None
            ):
                answer = _reject(401, _UNKNOWN_KEY)
            await answer(scope, body.replay(receive), send)

    def _route(self, scope: Scope, headers: Headers, settings: ServerSettings) -> ASGIApp:
        """Choose the application for a request; rate limits count before the key is looked up."""
        address, token = _client_address(scope, headers, settings), _read_token(headers)
        guesses = f"guesses {address}"
        wait = self._limiter.wait(guesses if token else address, settings.requests_per_minute)
        if wait:
            return _reject_rate(wait)
        if token is None:
            is_needed = self._is_exposed or self._keys.any()
            return _reject(401, _MISSING_KEY) if is_needed else self._writing
        key = self._keys.find_by_token(token)
        if key is None:
            return _reject(401, _UNKNOWN_KEY)
        self._limiter.give_back(guesses)
        wait = self._limiter.wait(key.id, settings.requests_per_minute)
        if wait:
            return _reject_rate(wait)
        if key.workspace not in (None, self._workspace):
            return _reject(403, f"the key is not for workspace {self._workspace!r}")
        _set_caller_headers(scope, key)
        _set_bound_headers(scope, key)
        return self._writing if key.role.allows(Role.WRITE) else self._reading


_MISSING_KEY = "send a key: Authorization: Bearer tacit_…; tacit keys add makes one"
_UNKNOWN_KEY = "the key is unknown or was revoked; tacit keys list shows those in use"


def _read_token(headers: Headers) -> str | None:
    sent = headers.get("authorization", "")
    return sent[len(_BEARER) :].strip() if sent.lower().startswith(_BEARER) else None


def _set_caller_headers(scope: Scope, key: Key) -> None:
    """Set the agent and user that the key is bound to, whatever the client sent."""
    for header, name in ((AGENT_HEADER, key.agent), (USER_HEADER, key.user)):
        if name is not None:
            MutableHeaders(scope=scope)[header] = quote(name)


def _set_bound_headers(scope: Scope, key: Key) -> None:
    """Set headers with whom the key is bound to, so that nothing else is reached."""
    headers = MutableHeaders(scope=scope)
    for header, name in ((BOUND_AGENT_HEADER, key.agent), (BOUND_USER_HEADER, key.user)):
        if name is not None:
            headers[header] = quote(name)


def _client_address(scope: Scope, headers: Headers, settings: ServerSettings) -> str:
    peer = scope["client"][0] if scope.get("client") else ""
    return client_address(peer, headers.getlist("x-forwarded-for"), settings.proxy_networks)


def _reject_size(settings: ServerSettings) -> ASGIApp:
    return _reject(413, f"at most {settings.max_body_kb} KB are taken")


def _reject_rate(wait: int) -> ASGIApp:
    return _reject(
        429, "ask less often, or raise requests_per_minute", **{"Retry-After": f"{wait}"}
    )


def _reject(status: int, problem: str, **headers: str) -> ASGIApp:
    challenge = {"WWW-Authenticate": "Bearer"} if status in (401, 403) else {}
    return JSONResponse({"error": problem}, status_code=status, headers={**challenge, **headers})
