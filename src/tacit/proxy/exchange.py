"""One request to a provider and its response.

The request is read, memory adds to it within the deadline of a turn, and it goes on. The response
passes byte for byte; a copy of it ends the turn once it has ended.
"""

import asyncio
import logging
import time
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from anyio import to_thread
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from tacit.api.model_calls.formats import find_format
from tacit.api.model_calls.formats.format import ApiFormat, JsonObject, Provider, read_object
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.keys import Role
from tacit.core.kinds import check_choice
from tacit.proxy.caller_names import Names, read_names
from tacit.proxy.memory import (
    GivenUp,
    MemoryStatus,
    ProxiedRequest,
    Recall,
    keep_unanswered,
    recall,
)
from tacit.proxy.refusals import status_of, write_refusal
from tacit.proxy.reply_end import ReplyEnd
from tacit.proxy.upstream import (
    RawHeaders,
    Upstream,
    UpstreamError,
    UpstreamRequest,
    UpstreamResponse,
    forwarded_headers,
    join_url,
)
from tacit.runtime.addresses import AllowedHosts
from tacit.runtime.http_server import BodyTooLong, BodyTooSlow, has_body, read_body
from tacit.runtime.limits import ConcurrencyLimiter
from tacit.server.access import Caller, identify_caller, work_slot
from tacit.server.middleware import check_host
from tacit.server.problems import (
    NOT_ALLOWED,
    OVERLOADED,
    TOO_LARGE,
    TOO_SLOW,
    RequestRefused,
)
from tacit.server.service import Service
from tacit.settings.proxy import MemoryMode, ProxySettings

_log = logging.getLogger("tacit.proxy")

KEY_HEADER = "Tacit-Key"
MODE_HEADER = "Tacit-Memory"
RECEIPT_HEADER = "Tacit-Receipt"

_MEGABYTE = 1_048_576
GRACE_SECONDS = 0.1
"""After its own deadline a turn goes on with what it has; that takes a moment too."""

_SHORT_BODY = 65_536
"""What is longer is read on a thread, so that other requests need not wait for it."""

_RETRY_SECONDS = "1"
_CLIENT_GONE = 499


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a request is for: a path of a provider, and whom the path before it names."""

    provider: Provider
    upstream: str
    path: str
    names: dict[str, str]


class Proxy:
    """What the requests of a proxy share: the memory, connections, and what is under way.

    `user` and `project` are those of requests that name none.
    """

    def __init__(
        self,
        service: Service,
        api: FastAPI,
        hosts: AllowedHosts,
        *,
        user: str | None = None,
        project: str | None = None,
    ) -> None:
        self.service = service
        self.user = user
        self.project = project
        self._api = api
        self._hosts = hosts
        self._upstream: Upstream | None = None
        self._under_way = ConcurrencyLimiter()
        self._endings: set[asyncio.Task[None]] = set()

    @property
    def settings(self) -> ProxySettings:
        """The settings in force."""
        return self.service.config.proxy

    @property
    def upstream(self) -> Upstream:
        """The connections to providers; the first request opens them."""
        if self._upstream is None:
            self._upstream = Upstream()
        return self._upstream

    def check_host(self, headers: Headers) -> None:
        """Refuse requests for other hosts and from pages of other sites."""
        check_host(self._hosts, headers)

    async def identify(self, scope: Scope, headers: Headers) -> Caller:
        """The caller of a request: by Tacit's key, which has a header of its own."""
        bare = [(name, value) for name, value in scope["headers"] if name != b"authorization"]
        if (key := headers.get(KEY_HEADER)) is not None:
            bare.append((b"authorization", b"Bearer " + key.encode("latin-1", "replace")))
        request = Request({**scope, "headers": bare, "app": self._api})
        try:
            caller = await identify_caller(request)
        except RequestRefused as error:
            raise RequestRefused(
                error.code, f"{error}".replace("Authorization: Bearer", f"{KEY_HEADER}:")
            ) from error
        if not caller.role.allows(Role.WRITE):
            raise RequestRefused(NOT_ALLOWED, "this needs a key with the role write")
        return caller

    @contextmanager
    def hold_place(self, most: int) -> Iterator[None]:
        """Hold one of the places for requests that are under way."""
        if not self._under_way.take("", most):
            detail = "too many requests are under way; send it again in a moment"
            raise RequestRefused(OVERLOADED, detail, Retry_After=_RETRY_SECONDS)
        try:
            yield
        finally:
            self._under_way.give_back("")

    def end_later(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do something beside the response, which the end of the process waits for."""
        task = asyncio.ensure_future(work)
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)
        return task

    @property
    def is_idle(self) -> bool:
        """Whether every response and every turn has ended."""
        return not self._under_way.count and not self._endings

    async def close(self) -> None:
        """Wait for the ends of turns, and close the connections."""
        await asyncio.gather(*self._endings, return_exceptions=True)
        if self._upstream is not None:
            await self._upstream.close()


class Exchange:
    """One request to a provider and its response."""

    def __init__(
        self, proxy: "Proxy", scope: Scope, headers: Headers, target: Target, send: Send
    ) -> None:
        self._proxy = proxy
        self._settings = proxy.settings
        self._scope = scope
        self._headers = headers
        self._target = target
        self._send = send
        self._status = _CLIENT_GONE
        self._has_begun = False

    async def serve(self, receive: Receive) -> None:
        """Answer the request, with an error of the provider's kind where that fails."""
        begun = time.perf_counter()
        try:
            self._proxy.check_host(self._headers)
            caller = await self._proxy.identify(self._scope, self._headers)
            with self._proxy.hold_place(self._settings.concurrent_requests):
                await self._forward(caller, receive)
        except ClientDisconnect:
            pass
        except Exception as error:
            await self._refuse(error)
        finally:
            self._log(time.perf_counter() - begun)

    async def _forward(self, caller: Caller, receive: Receive) -> None:
        body = await self._read_body(receive)
        format = self._find_format()
        remembered = None
        if format is not None:
            remembered = await self._remember(caller, format, body)
        await self._exchange(body, remembered, receive)

    def _find_format(self) -> ApiFormat | None:
        if self._scope["method"] != "POST":
            return None
        return find_format(self._target.provider, self._target.path)

    async def _read_body(self, receive: Receive) -> bytes:
        if not has_body(self._scope):
            return b""
        most = self._settings.max_body_mb * _MEGABYTE
        try:
            with closing(await read_body(receive, most)) as body:
                return body.whole()
        except BodyTooLong:
            limit = f"at most {self._settings.max_body_mb} MB are taken; raise max_body_mb"
            raise RequestRefused(TOO_LARGE, limit) from None
        except BodyTooSlow as error:
            raise RequestRefused(TOO_SLOW, str(error)) from None

    # Memory

    async def _remember(self, caller: Caller, format: ApiFormat, body: bytes) -> "_Remembered":
        """Let memory add to the request, as long as its deadline allows."""
        mode = self._read_mode()
        if mode is MemoryMode.OFF:
            return _Remembered(Recall(status=MemoryStatus.OFF))
        is_short = len(body) <= _SHORT_BODY
        parsed = read_object(body) if is_short else await to_thread.run_sync(read_object, body)
        request = None if parsed is None else self._read_request(caller, format, parsed, mode)
        if request is None:
            return _Remembered(Recall(status=MemoryStatus.NOTHING))
        return await self._recall(request)

    def _read_mode(self) -> MemoryMode:
        asked = self._headers.get(MODE_HEADER)
        if asked is None:
            return self._settings.memory
        return check_choice(MODE_HEADER, MemoryMode, asked.strip().lower())

    def _read_request(
        self, caller: Caller, format: ApiFormat, body: JsonObject, mode: MemoryMode
    ) -> ProxiedRequest | None:
        """The request as memory sees it; None if it is none that memory can read."""
        try:
            asked = format.read_request(body)
        except (InvalidInput, TypeError, KeyError, ValueError):
            return None  # the provider says what is wrong with it
        names = read_names(self._headers, self._target.names, self._settings, asked)
        return ProxiedRequest(
            caller=caller,
            format=format,
            names=self._check_names(caller, names),
            asked=asked,
            body=body,
            mode=mode,
            keeps_text=self._settings.keep_text,
        )

    def _check_names(self, caller: Caller, names: Names) -> Names:
        """The names, as far as the caller's key allows them, completed by those of the proxy."""
        return replace(
            names,
            user=caller.check_user(names.user or self._proxy.user),
            agent=_check_agent(caller, names),
            project=names.project or self._proxy.project,
        )

    async def _recall(self, request: ProxiedRequest) -> "_Remembered":
        given_up = GivenUp()
        work = asyncio.ensure_future(self._recall_on_thread(request, given_up))
        try:
            async with asyncio.timeout(self._seconds_for(request)):
                return _Remembered(await asyncio.shield(work), request)
        except TimeoutError:
            given_up.set()
            late = Recall(status=MemoryStatus.LATE)
            return _Remembered(late, request, later=work)
        except RequestRefused:
            raise
        except TacitError as error:
            if status_of(error) in (400, 403):  # what was named is wrong, so nothing is guessed
                raise
            return self._fail(error)
        except Exception as error:
            return self._fail(error)

    async def _recall_on_thread(self, request: ProxiedRequest, given_up: GivenUp) -> Recall:
        async with work_slot(request.caller):
            return await to_thread.run_sync(recall, request, given_up)

    def _fail(self, error: Exception) -> "_Remembered":
        _log.warning("memory was left out of a request: %s", error, exc_info=error)
        return _Remembered(Recall(status=MemoryStatus.FAILED))

    # The provider

    async def _exchange(
        self, body: bytes, remembered: "_Remembered | None", receive: Receive
    ) -> None:
        """Send the request and forward the response, until it ends or the client is gone."""
        made = None if remembered is None else remembered.recall
        sent = body if made is None or made.body is None else made.body
        asked = UpstreamRequest(
            method=self._scope["method"],
            url=join_url(
                self._target.upstream,
                self._target.path,
                self._scope.get("query_string", b""),
            ),
            headers=forwarded_headers(self._scope["headers"]),
            body=sent,
        )
        passing = asyncio.ensure_future(self._pass(asked, remembered))
        leaving = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await asyncio.wait((passing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if passing.done():
                await passing
        finally:
            for task in (passing, leaving):
                task.cancel()
            await asyncio.gather(passing, leaving, return_exceptions=True)

    async def _pass(self, asked: UpstreamRequest, remembered: "_Remembered | None") -> None:
        try:
            await self._pass_response(asked, remembered)
        except UpstreamError:
            await self._keep_unanswered(remembered)
            raise
        except asyncio.CancelledError:
            self._proxy.end_later(self._keep_unanswered(remembered))
            raise

    async def _pass_response(
        self, asked: UpstreamRequest, remembered: "_Remembered | None"
    ) -> None:
        async with self._proxy.upstream.send(asked, self._settings) as response:
            end = _watch_reply(response, remembered)
            if end is None:
                await self._keep_unanswered(remembered)
            await self._start(response, remembered)
            async for piece in response.chunks():
                if end is not None and end.add(piece):
                    await self._end_turn(end, is_last=False)
                await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            if end is not None:
                await self._end_turn(end, is_last=True)
            await self._send({"type": "http.response.body", "body": b""})

    async def _end_turn(self, end: ReplyEnd, *, is_last: bool) -> None:
        """End the turn in the background, or before the client can ask again if it must be so."""
        ending = self._proxy.end_later(end.end_turn(is_last=is_last))
        if end.comes_first:
            await asyncio.wait((ending,), timeout=self._seconds_for(end.request))

    async def _keep_unanswered(self, remembered: "_Remembered | None") -> None:
        """Keep the turn of a request that failed, before the client can send it again."""
        request = None if remembered is None else remembered.request
        if remembered is None or request is None or not remembered.recall.awaits_name:
            return
        try:
            async with asyncio.timeout(self._seconds_for(request)):
                await to_thread.run_sync(keep_unanswered, request, remembered.recall)
        except Exception as error:
            _log.warning("a failed request begins anew when it is sent again: %s", error)

    def _seconds_for(self, request: ProxiedRequest) -> float:
        """How long memory may keep a request or a reply waiting."""
        config = self._proxy.service.config.injection(request.names.agent)
        return config.deadline_ms / 1_000 + GRACE_SECONDS

    async def _start(self, response: UpstreamResponse, remembered: "_Remembered | None") -> None:
        headers = [*response.headers, *_memory_headers(remembered)]
        if response.is_stream:
            headers.append((b"x-accel-buffering", b"no"))
        self._has_begun, self._status = True, response.status
        start = {"type": "http.response.start", "status": response.status, "headers": headers}
        await self._send(start)

    async def _refuse(self, error: Exception) -> None:
        """Send an error of the provider's kind, unless the response has begun."""
        if self._has_begun:  # the connection is closed, so that the client notices
            _log.warning("a response broke off: %s", error)
            return
        if not isinstance(error, TacitError | UpstreamError):
            _log.error("a request could not be forwarded", exc_info=error)
        self._status = status_of(error)
        body = write_refusal(self._target.provider, error)
        told = error.headers.items() if isinstance(error, RequestRefused) else ()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            *((name.lower().encode(), value.encode()) for name, value in told),
        ]
        start = {"type": "http.response.start", "status": self._status, "headers": headers}
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})

    def _log(self, seconds: float) -> None:
        provider, path = self._target.provider, self._target.path
        route = f"/{provider}/{{path}}"
        method = self._scope["method"]
        self._proxy.service.metrics.count_request(method, route, self._status, seconds)
        _log.info("proxied %s /%s%s %s", method, provider, path, self._status)


@dataclass(frozen=True, slots=True)
class _Remembered:
    """What memory made of a request; what was late comes `later`, for the turn alone."""

    recall: Recall
    request: ProxiedRequest | None = None
    later: "asyncio.Future[Recall] | None" = None


def _check_agent(caller: Caller, names: Names) -> str | None:
    """The agent to act for: one that is named must be the key's own, a known client need not."""
    named = names.agent if names.names_agent else None
    return caller.check_agent(named) or names.agent


def _memory_headers(remembered: _Remembered | None) -> RawHeaders:
    if remembered is None:
        return []
    made = remembered.recall
    told = {MODE_HEADER: str(made.status), RECEIPT_HEADER: made.receipt}
    return [(name.lower().encode(), value.encode()) for name, value in told.items() if value]


def _watch_reply(response: UpstreamResponse, remembered: _Remembered | None) -> ReplyEnd | None:
    """What reads the reply to a request that memory had a part in."""
    request = None if remembered is None else remembered.request
    if remembered is None or request is None or response.status != HTTPStatus.OK:
        return None
    made, found = remembered.later or remembered.recall, remembered.recall.conversation
    is_new = found is not None and found.will_be_renamed
    comes_first = is_new or request.format.is_response_kept(request.body)
    return ReplyEnd(request, made, response, comes_first)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
