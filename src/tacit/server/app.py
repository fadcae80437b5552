"""The application: all routes behind one layer that sees every request."""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI

from tacit.runtime.addresses import AllowedHosts
from tacit.server import problems
from tacit.server.pages import Pages, life_of
from tacit.server.requests import Requests
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
    """The application of a service; it also goes by the names `hosts`, and has `pages` beside."""
    app = FastAPI(
        title="Tacit",
        version=__version__,
        description=_DESCRIPTION.strip(),
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_operation,
        lifespan=None if pages is None else lambda _: life_of(pages),
    )
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    problems.install(app)
    app.add_middleware(Requests, service=service, hosts=AllowedHosts(hosts))
    if pages is not None:
        app.add_middleware(Pages, pages=pages)
    return app


def _operation(route: Any) -> str:
    """A name for generated clients: what it is about, and what it does."""
    return f"{route.tags[0]}_{route.name}"
