"""Applications whose routes are compiled already, which takes longer than most tests."""

import functools

from fastapi import FastAPI

from tacit.server.app import create_app
from tacit.server.service import Service


@functools.cache
def pattern() -> FastAPI:
    """An application that serves nobody, but whose routes and description are ready."""
    app = create_app(None)
    app.openapi()
    return app


def application(service: Service, **options) -> FastAPI:
    """The application of a service, with the pattern's routes."""
    app = create_app(service, **options)
    app.router.routes[:] = pattern().router.routes
    app.openapi_schema = pattern().openapi_schema
    return app
