"""Requests that may be sent again: the work is done once, and the answer stays the same.

Where the work of a route is one transaction, its answer is kept in the same one. Elsewhere a
request is claimed before the work and its answer is kept after it.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from hashlib import sha256, shake_256
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.encoders import jsonable_encoder

from tacit.api.calls.answers import AlreadyAnswered, AnswerStore
from tacit.api.tacit import find_answers
from tacit.core.errors import InvalidInput
from tacit.server.access import Caller, identify_caller
from tacit.server.problems import ANSWER_ERASED, IN_PROGRESS, KEY_REUSED, RequestRefused
from tacit.server.request_input import CheckedRoute, Handler
from tacit.store.protocols.service import IdempotencyRecord

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_LONGEST = 255
_FAILED = 500
_RENEWED_SECONDS = 5.0

Endpoint = Callable[..., Any]

_SINGLE = "__works_in_one_transaction__"


def _check_key(given: str) -> str:
    """Check an idempotency key."""
    if not given.isascii() or not given.isprintable() or not 1 <= len(given) <= _LONGEST:
        raise InvalidInput(HEADER, f"give 1 to {_LONGEST} printable ASCII characters")
    return given


class IdempotentRoute(CheckedRoute):
    """A route that answers each idempotency key once."""

    def around(self, handler: Handler) -> Handler:
        """The handler, with answers of earlier requests."""

        async def handle(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None or request.method != "POST":
                return await handler(request)
            asked = await _IdempotentRequest.of(
                request, await identify_caller(request), key, self.status_code or 200
            )
            if hasattr(self.endpoint, _SINGLE):
                return await asked.answer_in_one_transaction(request, handler)
            return await asked.answer_with_claim(request, handler)

        return handle


def in_one_transaction(endpoint: Endpoint) -> Endpoint:
    """Keep the answer of a route in the transaction of its work.

    All that it writes becomes one transaction, so it must not wait for other threads that write,
    and must not ask for what a transaction cannot do, such as a purge.
    """

    @wraps(endpoint)
    def work(**given: Any) -> Any:
        asked = _current.get()
        return endpoint(**given) if asked is None else asked.work(endpoint, given)

    setattr(work, _SINGLE, True)
    return work


async def _document_header(
    _: Annotated[
        str | None,
        Header(
            alias=HEADER,
            description="The same key gives the same answer, and the work is done once.",
            examples=["order-17"],
        ),
    ] = None,
) -> None:
    """Documents the header in OpenAPI; the route itself reads it."""


IDEMPOTENT = Depends(_document_header)


@dataclass(slots=True)
class _IdempotentRequest:
    """A request with an idempotency key, and the fingerprint that recognises its repetition."""

    answers: AnswerStore
    name: str
    said: bytes
    usual_status: int
    is_replayed: bool = False
    fingerprint: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.fingerprint = sha256(self.said).digest()

    @classmethod
    async def of(
        cls, request: Request, caller: Caller, key: str, usual_status: int
    ) -> "_IdempotentRequest":
        """Read a request."""
        target = f"{request.method} {request.url.path}?{request.url.query}\n"
        said = target.encode() + await request.body()
        return cls(
            find_answers(caller.tacit), f"{caller.name}:{_check_key(key)}", said, usual_status
        )

    async def answer_in_one_transaction(self, request: Request, handler: Handler) -> Response:
        """Do the work and keep its answer in one transaction, or replay the kept answer."""
        token = _current.set(self)
        try:
            response = await handler(request)
        finally:
            _current.reset(token)
        if self.is_replayed:
            response.headers[REPLAYED] = "true"
        return response

    def work(self, endpoint: Endpoint, given: dict[str, Any]) -> Any:
        """The result of the endpoint, new or kept."""
        response = given.get("response")

        def keep(result: Any) -> tuple[int, bytes]:
            chosen = response.status_code if isinstance(response, Response) else None
            body = json.dumps(jsonable_encoder(result)).encode()
            return chosen or self.usual_status, seal(body, self.said)

        try:
            return self.answers.work_once(
                self.name, self.fingerprint, lambda: endpoint(**given), keep
            )
        except AlreadyAnswered as known:
            status, body = self._stored_answer(known.answer)
        if isinstance(response, Response):
            response.status_code = status
        self.is_replayed = True
        return json.loads(body)

    async def answer_with_claim(self, request: Request, handler: Handler) -> Response:
        """Claim the request, then keep its answer, or replay the kept one."""
        known = await run_in_threadpool(self.answers.claim, self.name, self.fingerprint)
        if known is None:
            async with _renew_while_working(self.answers, self.name, self.fingerprint):
                return await _answer_and_keep(request, self.said, self.answers, self.name, handler)
        status, body = self._stored_answer(known)
        return Response(body, status, {REPLAYED: "true"}, "application/json")

    def _stored_answer(self, known: IdempotencyRecord) -> tuple[int, bytes]:
        """The kept status and body, if they belong to this request."""
        if known.fingerprint != self.fingerprint:
            raise RequestRefused(
                KEY_REUSED, "another request had this key; make a new one for each"
            )
        if known.status is None:
            detail = "the same request is being worked on; send it again in a moment"
            raise RequestRefused(IN_PROGRESS, detail, Retry_After="1")
        if not known.body:
            detail = "the request was answered before; an erasure removed the answer"
            raise RequestRefused(ANSWER_ERASED, detail)
        return known.status, unseal(known.body, self.said)


_current: ContextVar[_IdempotentRequest | None] = ContextVar("tacit-asked", default=None)


@asynccontextmanager
async def _renew_while_working(
    answers: AnswerStore, name: str, fingerprint: bytes
) -> AsyncIterator[None]:
    """Renew the claim of a request while it is being answered."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(_RENEWED_SECONDS)
            await run_in_threadpool(answers.renew, name, fingerprint)

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()


async def _answer_and_keep(
    request: Request, asked: bytes, answers: AnswerStore, name: str, handler: Handler
) -> Response:
    """Answer a request and keep the answer; a failed request may be retried."""
    try:
        response = await handler(request)
    except BaseException:
        await run_in_threadpool(answers.release, name)
        raise
    if response.status_code < _FAILED:
        kept = seal(bytes(response.body), asked)
        await run_in_threadpool(answers.finish, name, response.status_code, kept)
    else:
        await run_in_threadpool(answers.release, name)
    return response


# Sealing: who has the request can read the kept answer, who has the file cannot


_SALT = 16


def seal(answer: bytes, request: bytes) -> bytes:
    """Encrypt an answer with a stream derived from its request."""
    salt = secrets.token_bytes(_SALT)
    return salt + _xor_with_stream(answer, salt + request)


def unseal(kept: bytes, request: bytes) -> bytes:
    """Decrypt a kept answer with its request."""
    return _xor_with_stream(kept[_SALT:], kept[:_SALT] + request)


def _xor_with_stream(text: bytes, secret: bytes) -> bytes:
    """XOR a text with a stream derived from a secret; applying it twice restores the text."""
    stream = shake_256(secret).digest(len(text))
    number = int.from_bytes(text) ^ int.from_bytes(stream)
    return number.to_bytes(len(text))
