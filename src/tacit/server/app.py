"""The application: all routes behind the request middleware, and the web UI's pages beside them."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.runtime.addresses import AllowedHosts
from tacit.server import problems
from tacit.server.middleware import RequestMiddleware
from tacit.server.routes import ROUTERS
from tacit.server.service import Service
from tacit.version import __version__

_DESCRIPTION = """
The memory your agent doesn't have to ask for. Begin a turn, send its messages to the model, commit
it with the reply. Errors are problem details; every answer has an `X-Request-ID`.
"""


def create_app(
    service: Service, *, hosts: Iterable[str] = (), pages: FastAPI | None = None
) -> FastAPI:
    """Create the application of a service, with extra host names and the web UI's `pages`."""
    app = FastAPI(
        title="Tacit",
        version=__version__,
        description=_DESCRIPTION.strip(),
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_operation_id,
        lifespan=None if pages is None else lambda _: run_lifespan(pages),
    )
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    problems.install_handlers(app)
    app.add_middleware(RequestMiddleware, service=service, hosts=AllowedHosts(hosts))
    if pages is not None:
        app.add_middleware(PagesMiddleware, pages=pages)
    return app


def _operation_id(route: Any) -> str:
    """The operation id for generated clients: tag and route name."""
    return f"{route.tags[0]}_{route.name}"


# The web UI's pages


_API_PATHS = ("/v1/", "/openapi.json", "/health", "/ready", "/metrics")


class PagesMiddleware:
    """Sends API requests to the API and all others to the web UI."""

    def __init__(self, app: ASGIApp, pages: ASGIApp) -> None:
        self._app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        is_call = scope["type"] == "lifespan" or scope["path"].startswith(_API_PATHS)
        await (self._app if is_call else self._pages)(scope, receive, send)


@asynccontextmanager
async def run_lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Run the lifespan of an application mounted beside another."""
    living: AbstractAsyncContextManager[object] = app.router.lifespan_context(app)
    async with living:
        yield
