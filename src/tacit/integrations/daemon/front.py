"""What a daemon answers: hooks and questions about itself at once, all else as a server does."""

import logging
import os
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from anyio import CapacityLimiter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.core.fields import check_field
from tacit.core.times import to_rfc3339
from tacit.integrations.daemon.activity import Activity
from tacit.integrations.hooks.folder_work import folder_of, owner_of
from tacit.integrations.hooks.handling import handle
from tacit.integrations.hooks.trouble import told
from tacit.runtime.files.locations import log_file
from tacit.server.service import Service
from tacit.version import __version__

_log = logging.getLogger("tacit.daemon")

_MALFORMED = 400


class Front:
    """Serves hooks; the rest of the server takes as long to load, and is made when it is needed."""

    def __init__(self, service: Service, activity: Activity) -> None:
        self._service = service
        self._activity = activity
        self._lock = threading.Lock()
        self._rest: ASGIApp | None = None
        self._limiters: dict[str, CapacityLimiter] = {}
        routes = [
            Route("/hooks/{client}", self._hook, methods=["POST"]),
            Route("/daemon", self._status, methods=["GET"]),
        ]
        self._router = Router(routes, redirect_slashes=False, default=self._pass_on)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._router(scope, receive, send)

    async def _hook(self, request: Request) -> JSONResponse:
        try:
            body = await request.json()
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, Mapping):
            return JSONResponse({"detail": "send an event as JSON"}, _MALFORMED)
        client = request.path_params["client"]
        async with self._place(body):
            return JSONResponse({"stdout": await run_in_threadpool(self._handled, client, body)})

    @asynccontextmanager
    async def _place(self, body: Mapping[str, Any]) -> AsyncIterator[None]:
        """One of the threads that events of a project may hold; others of it wait without one."""
        raw = body.get("event")
        owner = owner_of(folder_of(raw if isinstance(raw, Mapping) else {}, body))
        half = max(self._service.config.server.threads // 2, 1)
        limiter = self._limiters.setdefault(owner, CapacityLimiter(half))
        try:
            async with limiter:
                yield
        finally:
            is_idle = not limiter.borrowed_tokens and not limiter.statistics().tasks_waiting
            if is_idle and self._limiters.get(owner) is limiter:
                del self._limiters[owner]

    def _handled(self, client: str, body: Mapping[str, Any]) -> str:
        """What the client should print: nothing where that fails."""
        begun = time.perf_counter()
        with self._activity.event():
            try:
                tacit = self._service.tacit(
                    check_field("workspace", body.get("workspace", "default"))
                )
                return handle(tacit, client, body)
            except Exception as error:
                _log.warning("an event of %s was not handled: %s", client, told(error))
                return ""
            finally:
                took = round(1_000 * (time.perf_counter() - begun))
                _log.info("an event of %s took %s ms", client, took)

    async def _status(self, _: Request) -> JSONResponse:
        return JSONResponse(await run_in_threadpool(self._told))

    def _told(self) -> dict[str, Any]:
        store: Mapping[str, Any] = self._service.root.describe()
        return {
            "version": __version__,
            "pid": os.getpid(),
            "since": to_rfc3339(self._service.started_at),
            "served": self._activity.served,
            "idle_seconds": round(self._activity.idle_seconds),
            "database": store.get("path") or store["backend"],
            "log": str(log_file()),
        }

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        rest = await run_in_threadpool(self._made)
        await rest(scope, receive, send)

    def _made(self) -> ASGIApp:
        """The server's application, which is loaded by the first who asks for it."""
        from tacit.server.app import create_app

        with self._lock:
            self._rest = self._rest or create_app(self._service)
            return self._rest
