"""The application: requests to providers are forwarded, all others go to the application behind."""

from dataclasses import dataclass

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.api.model_calls.formats.format import Provider
from tacit.proxy.caller_names import split_path_names
from tacit.proxy.exchange import Exchange, Proxy, Target
from tacit.proxy.status_page import is_status_request, send_status
from tacit.runtime.addresses import AllowedHosts
from tacit.runtime.telemetry import request_scope
from tacit.server.service import Service

OWN_PAGES = "/_tacit"
"""Where the API and the pages are on a port that is a provider's."""

_UPGRADE_REQUIRED = 426


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyOptions:
    """What a proxy serves.

    Without an `upstream`, every provider under its name. With one, a single provider at the root;
    if it is not named, each request tells by the header `anthropic-version` whose it is. `user` and
    `project` are those of requests that name none.
    """

    upstream: str | None = None
    provider: Provider | None = None
    user: str | None = None
    project: str | None = None


class ProxyApp:
    """Forwards what is for a provider; `app` has everything else."""

    def __init__(
        self,
        app: ASGIApp,
        api: FastAPI,
        service: Service,
        hosts: AllowedHosts,
        options: ProxyOptions | None = None,
    ) -> None:
        self._app = app
        self._options = options or ProxyOptions()
        self._proxy = Proxy(
            service, api, hosts, user=self._options.user, project=self._options.project
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, self._closing(send))
            return
        target = self._find_target(scope)
        if target is None and self._is_for_status(scope):
            await self._send_status(scope, send)
        elif target is None:
            await self._app(self._behind(scope), receive, send)
        elif scope["type"] == "websocket":
            await _refuse_websocket(scope, receive, send)
        elif _wants_websocket(headers := Headers(scope=scope)):
            await _send_upgrade_refusal(send)
        else:
            with request_scope(headers.get("x-request-id")):
                await Exchange(self._proxy, scope, headers, target, send).serve(receive)

    def _closing(self, send: Send) -> Send:
        """Let what is under way end before the application says that it is closed."""

        async def closing_send(message: Message) -> None:
            if message["type"] == "lifespan.shutdown.complete":
                await self._proxy.close()
            await send(message)

        return closing_send

    def _find_target(self, scope: Scope) -> Target | None:
        """What a request is for; None if it is not for a provider."""
        raw = scope.get("raw_path") or scope["path"].encode()
        path = raw.decode("latin-1").partition("?")[0]
        single = self._options.upstream
        if single is not None:
            if path == OWN_PAGES or path.startswith(f"{OWN_PAGES}/"):
                return None
            names, rest = split_path_names(path)
            provider = self._options.provider or _guess_provider(Headers(scope=scope), rest)
            return Target(provider=provider, upstream=single, path=rest, names=names)
        names, rest = split_path_names(path)
        for provider in Provider:
            if rest.startswith(f"/{provider}/"):
                return Target(
                    provider=provider,
                    upstream=getattr(self._proxy.settings, f"{provider}_upstream"),
                    path=rest.removeprefix(f"/{provider}"),
                    names=names,
                )
        return None

    def _is_for_status(self, scope: Scope) -> bool:
        single = self._options.upstream is not None
        return single and is_status_request(scope, scope["path"], OWN_PAGES)

    async def _send_status(self, scope: Scope, send: Send) -> None:
        await send_status(
            self._proxy,
            scope,
            send,
            pages=OWN_PAGES,
            upstream=self._options.upstream or "",
            provider=self._options.provider,
        )

    def _behind(self, scope: Scope) -> Scope:
        """A request as the application behind sees it."""
        if self._options.upstream is None:
            return scope
        bare = scope["path"].removeprefix(OWN_PAGES) or "/"
        return {**scope, "path": bare, "raw_path": bare.encode()}


def _guess_provider(headers: Headers, path: str) -> Provider:
    is_anthropic = "anthropic-version" in headers or path.startswith("/v1/messages")
    return Provider.ANTHROPIC if is_anthropic else Provider.OPENAI


def _wants_websocket(headers: Headers) -> bool:
    return headers.get("upgrade", "").lower() == "websocket"


async def _send_upgrade_refusal(send: Send) -> None:
    headers = [(b"content-length", b"0"), (b"connection", b"close")]
    start = {"type": "http.response.start", "status": _UPGRADE_REQUIRED, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": b""})


async def _refuse_websocket(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a WebSocket: clients that try one first use HTTP after this answer."""
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        start = {"type": "websocket.http.response.start", "status": _UPGRADE_REQUIRED}
        await send({**start, "headers": [(b"content-length", b"0")]})
        await send({"type": "websocket.http.response.body", "body": b""})
    else:
        await send({"type": "websocket.close", "code": 1008})
