"""Requests that may be sent again: the work is done once, and the answer stays the same."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from tacit.engine.answers import Answers
from tacit.errors import InvalidInput
from tacit.server.access import Caller, identify
from tacit.server.problems import IN_PROGRESS, KEY_REUSED, Refusal
from tacit.server.sealing import opened, sealed

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_LONGEST = 255
_FAILED = 500
_RENEWED_SECONDS = 5.0

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def _checked(given: str) -> str:
    """A key that can be used."""
    if not given.isascii() or not given.isprintable() or not 1 <= len(given) <= _LONGEST:
        raise InvalidInput(HEADER, f"give 1 to {_LONGEST} printable ASCII characters")
    return given


class OnceRoute(APIRoute):
    """A route whose POST requests are answered once for each key."""

    def get_route_handler(self) -> Handler:
        """The handler, behind a look at what was answered before."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None or request.method != "POST":
                return await handler(request)
            return await _answered_once(request, await identify(request), key, handler)

        return handle


async def _documented(
    _: Annotated[
        str | None,
        Header(
            alias=HEADER,
            description="The same key gives the same answer, and the work is done once.",
            examples=["order-17"],
        ),
    ] = None,
) -> None:
    """The header, for the API's description; the route itself reads it."""


ONCE = Depends(_documented)


async def _answered_once(request: Request, caller: Caller, key: str, handler: Handler) -> Response:
    """The answer that was given before to this key, or the one that is given now."""
    answers = caller.tacit.answers
    name = f"{caller.name}:{_checked(key)}"
    asked = await _asked(request)
    fingerprint = sha256(asked).digest()
    known = await run_in_threadpool(answers.claim, name, fingerprint)
    if known is None:
        async with _renewing(answers, name, fingerprint):
            return await _worked(request, asked, answers, name, handler)
    if known.fingerprint != fingerprint:
        raise Refusal(KEY_REUSED, "another request had this key; make a new one for each")
    if known.status is None:
        detail = "the same request is being worked on; send it again in a moment"
        raise Refusal(IN_PROGRESS, detail, Retry_After="1")
    answer = opened(known.body, asked)
    return Response(answer, known.status, {REPLAYED: "true"}, "application/json")


@asynccontextmanager
async def _renewing(answers: Answers, name: str, fingerprint: bytes) -> AsyncIterator[None]:
    """Let others know, as long as it takes, that the request is being worked on."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(_RENEWED_SECONDS)
            await run_in_threadpool(answers.renew, name, fingerprint)

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()


async def _worked(
    request: Request, asked: bytes, answers: Answers, name: str, handler: Handler
) -> Response:
    """Do the work and keep its answer; what failed may be tried again."""
    try:
        response = await handler(request)
    except BaseException:
        await run_in_threadpool(answers.release, name)
        raise
    if response.status_code < _FAILED:
        kept = sealed(bytes(response.body), asked)
        await run_in_threadpool(answers.finish, name, response.status_code, kept)
    else:
        await run_in_threadpool(answers.release, name)
    return response


async def _asked(request: Request) -> bytes:
    """All by which a request is the same when it comes again."""
    target = f"{request.method} {request.url.path}?{request.url.query}\n"
    return target.encode() + await request.body()
