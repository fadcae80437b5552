"""Bodies of requests: JSON that everything behind the routes can hold."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from tacit.errors import InvalidInput
from tacit.json_values import MAX_DEPTH, check_json

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

_SHORT = 65_536
"""What is longer is read on a thread, so that other requests need not wait for it."""


class CheckedRoute(APIRoute):
    """A route whose JSON is checked before it is looked at."""

    def get_route_handler(self) -> Handler:
        """The handler, given requests that check what they read."""
        handler = self.around(super().get_route_handler())

        async def handle(request: Request) -> Response:
            return await handler(_CheckedRequest(request.scope, request.receive))

        return handle

    def around(self, handler: Handler) -> Handler:
        """The handler with what a kind of route does before and after it."""
        return handler


class _CheckedRequest(Request):
    """A request whose JSON is not nested too deep, and has valid text and numbers."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            is_short = len(body) <= _SHORT
            self._json = _read(body) if is_short else await run_in_threadpool(_read, body)
        return self._json


def _read(body: bytes) -> Any:
    try:
        value = json.loads(body)
    except RecursionError:
        raise InvalidInput("body", f"is nested more than {MAX_DEPTH} deep; flatten it") from None
    check_json("" if isinstance(value, dict) else "body", value)
    return value
