"""Bodies of requests: JSON that everything behind the routes can hold."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from tacit.core.errors import InvalidInput
from tacit.core.json_values import MAX_DEPTH, check_json, has_more_values_than
from tacit.server.access import service_of
from tacit.server.problems import TOO_LARGE, Refusal
from tacit.settings.server import ServerSettings

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

_SHORT = 65_536
"""What is longer is read on a thread, so that other requests need not wait for it."""

_CARRYING_MUCH = (
    "/v1/turns",
    "/v1/sessions/",
    "/v1/memories/bulk",
    "/v1/memories/import",
)
"""Histories, many memories and files; no other call needs more than a megabyte."""

_SMALL_KB = 1_024
_KILOBYTE = 1_024
_BYTES_PER_VALUE = 32
"""Values that are shorter than this on average are no memories and no messages."""


def most_bytes(path: str, settings: ServerSettings) -> int:
    """How long the body of a request may be, by where it goes."""
    most = settings.max_body_kb
    return _KILOBYTE * (most if path.startswith(_CARRYING_MUCH) else min(most, _SMALL_KB))


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
            settings = service_of(self).config.server
            most = most_bytes(self.scope["path"], settings) // _BYTES_PER_VALUE
            is_short = len(body) <= _SHORT
            self._json = (
                _read(body, most) if is_short else await run_in_threadpool(_read, body, most)
            )
        return self._json


def _read(body: bytes, most: int) -> Any:
    """The value of a body, unless it has more values in it than so many."""
    text = body.decode("utf-8-sig")
    if has_more_values_than(body, most):
        detail = f"the body has more than {most} values in its lists and objects; send fewer"
        raise Refusal(TOO_LARGE, detail)
    try:
        value = json.loads(text)
    except RecursionError:
        raise InvalidInput("body", f"is nested more than {MAX_DEPTH} deep; flatten it") from None
    check_json("" if isinstance(value, dict) else "body", value)
    return value
