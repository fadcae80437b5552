"""Pages beside the calls: what is no call belongs to the web UI."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

_CALLS = ("/v1/", "/openapi.json", "/health", "/ready", "/metrics")


class Pages:
    """Sends who asks for a page to the web UI, and all others to the calls."""

    def __init__(self, app: ASGIApp, pages: ASGIApp) -> None:
        self._app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_call = scope["type"] == "lifespan" or scope["path"].startswith(_CALLS)
        await (self._app if is_call else self._pages)(scope, receive, send)


@asynccontextmanager
async def life_of(app: FastAPI) -> AsyncIterator[None]:
    """From the start of an application that stands beside another to its end."""
    living: AbstractAsyncContextManager[object] = app.router.lifespan_context(app)
    async with living:
        yield
