"""The page at the root of a proxy's own pages: what is proxied, and where to look."""

import json
from html import escape

from starlette.datastructures import Headers
from starlette.types import Scope, Send

from tacit.api.model_calls.formats.format import Provider
from tacit.proxy.exchange import Proxy
from tacit.server.problems import RequestRefused

_METHODS = ("GET", "HEAD")


def is_status_request(scope: Scope, path: str, pages: str) -> bool:
    """Whether a request is for the root of the `pages`."""
    return path.rstrip("/") == pages and scope.get("method") in _METHODS


async def send_status(
    proxy: Proxy, scope: Scope, send: Send, *, pages: str, upstream: str, provider: Provider | None
) -> None:
    """Send the page, as HTML to a browser; what is behind it is told to callers with a key only."""
    headers = Headers(scope=scope)
    try:
        proxy.check_host(headers)
    except RequestRefused as error:
        await _send(scope, send, error.code.status, "text/plain", str(error))
        return
    own = f"{scope['scheme']}://{headers.get('host', '')}"
    told = {"tacit": "proxy"}
    if await _is_known(proxy, scope, headers):
        told |= {"upstream": upstream, "memory": str(proxy.settings.memory)}
    else:
        told["keys"] = "needed by every caller, in the header Tacit-Key"
    if provider is not Provider.ANTHROPIC:
        told["OPENAI_BASE_URL"] = f"{own}/v1"
    if provider is not Provider.OPENAI:
        told["ANTHROPIC_BASE_URL"] = own
    told |= {"api": f"{own}{pages}/v1/status", "web UI": f"tacit ui --url {own}{pages}"}
    if "text/html" in headers.get("accept", ""):
        await _send(scope, send, 200, "text/html", _to_html(told))
    else:
        await _send(scope, send, 200, "application/json", json.dumps(told))


async def _is_known(proxy: Proxy, scope: Scope, headers: Headers) -> bool:
    try:
        await proxy.identify(scope, headers)
    except RequestRefused:
        return False
    return True


def _to_html(told: dict[str, str]) -> str:
    rows = "".join(
        f"<tr><th scope=row align=left>{escape(name)}<td><code>{escape(value)}</code>"
        for name, value in told.items()
    )
    return f"<!doctype html><html lang=en><title>Tacit proxy</title><table>{rows}</table>\n"


async def _send(scope: Scope, send: Send, status: int, type: str, text: str) -> None:
    body = text.encode()
    headers = [
        (b"content-type", f"{type}; charset=utf-8".encode()),
        (b"content-length", b"%d" % len(body)),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    shown = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": shown})
