"""The daemon behind the hooks: one process per user and database, with everything loaded.

It answers hook events over a socket that only its user can reach, passes every other request to the
server's application, and stops when it has been idle for long enough.
"""

import json
import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

from anyio import CapacityLimiter
from filelock import FileLock, Timeout
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.core.fields import check_field
from tacit.core.times import to_rfc3339
from tacit.integrations.hooks.daemon_client import DaemonAddress, describe_error, send_request
from tacit.integrations.hooks.event_handler import handle_event, record_waiting_prompts
from tacit.integrations.hooks.folder_workers import event_folder, folder_owner
from tacit.integrations.hooks.prompt_spooler import spool_of_environment
from tacit.runtime.clock import system_clock
from tacit.runtime.files import default_database_path, default_log_path
from tacit.runtime.prompt_spool import PromptSpool, SpooledPrompt
from tacit.server.lifecycle import running_service
from tacit.server.listener import ServiceListener
from tacit.server.service import Service
from tacit.settings.live_config import LiveConfig
from tacit.version import __version__

# When the daemon is idle, and when it stops


class DaemonActivity:
    """Counts served events, and measures how long the daemon has been idle."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = time.monotonic()
        self._open = 0
        self.served = 0

    @contextmanager
    def event(self) -> Iterator[None]:
        """Serve an event."""
        with self._lock:
            self._open += 1
        try:
            yield
        finally:
            with self._lock:
                self._open -= 1
                self.served += 1
                self._last = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """How long the daemon has been idle."""
        with self._lock:
            return 0.0 if self._open else time.monotonic() - self._last


def reason_to_stop(
    *, idle_seconds: float, limit_seconds: float, jobs: int, is_reachable: bool
) -> str | None:
    """The reason why the daemon has to stop, or None."""
    if not is_reachable:
        return "nobody can find it any more"
    if idle_seconds >= limit_seconds and not jobs:
        return f"there was nothing to do for {idle_seconds / 60:.0f} minutes"
    return None


# The socket it listens on, which only its user can reach


_LOOPBACK = "127.0.0.1"
_PRIVATE = 0o600


class DaemonSocket:
    """The listening socket, and the file by which hooks find it; made under the lock."""

    def __init__(self, listening: socket.socket, marker: Path, token: str | None = None) -> None:
        self.listening = listening
        self.token = token
        self._marker = marker
        self._known = _file_identity(marker)

    @classmethod
    def bind(cls, address: DaemonAddress) -> Self:
        """Listen at an address; files that a killed daemon left there are removed."""
        address.marker.unlink(missing_ok=True)
        return cls._over_tcp(address) if address.is_tcp else cls._over_unix(address)

    @classmethod
    def _over_unix(cls, address: DaemonAddress) -> Self:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(address.socket))
        address.socket.chmod(_PRIVATE)
        return cls(listening, address.socket)

    @classmethod
    def _over_tcp(cls, address: DaemonAddress) -> Self:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.bind((_LOOPBACK, 0))
        token = secrets.token_urlsafe(32)
        told = json.dumps({"port": listening.getsockname()[1], "token": token})
        with open(address.port_file, "x", opener=_open_private) as file:
            file.write(told)
        return cls(listening, address.port_file, token)

    @property
    def is_current(self) -> bool:
        """Whether the file still leads to this socket, and not to another daemon's."""
        return _file_identity(self._marker) == self._known

    def hide(self) -> None:
        """Remove the file, so that new hooks start another daemon."""
        if self.is_current:
            self._marker.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop listening."""
        self.hide()
        self.listening.close()


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, _PRIVATE)


def _file_identity(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


# The HTTP application: hook events, the daemon's status, and the server's API


_MALFORMED = 400


class DaemonApp:
    """Serves hooks at once; the server's application is loaded at its first request."""

    def __init__(self, service: Service, activity: DaemonActivity, spool: PromptSpool) -> None:
        self._service = service
        self._activity = activity
        self._spool = spool
        self._lock = threading.Lock()
        self._rest: ASGIApp | None = None
        self._limiters: dict[str, CapacityLimiter] = {}
        routes = [
            Route("/hooks/{client}", self._hook, methods=["POST"]),
            Route("/daemon", self._status, methods=["GET"]),
        ]
        self._router = Router(routes, redirect_slashes=False, default=self._forward)

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
        async with self._project_slot(body):
            return JSONResponse(
                {"stdout": await run_in_threadpool(self._handle_hook, client, body)}
            )

    @asynccontextmanager
    async def _project_slot(self, body: Mapping[str, Any]) -> AsyncIterator[None]:
        """Limit how many threads the events of one project hold; more of them wait."""
        raw = body.get("event")
        owner = folder_owner(event_folder(raw if isinstance(raw, Mapping) else {}, body))
        half = max(self._service.config.server.threads // 2, 1)
        limiter = self._limiters.setdefault(owner, CapacityLimiter(half))
        try:
            async with limiter:
                yield
        finally:
            is_idle = not limiter.borrowed_tokens and not limiter.statistics().tasks_waiting
            if is_idle and self._limiters.get(owner) is limiter:
                del self._limiters[owner]

    def _handle_hook(self, client: str, body: Mapping[str, Any]) -> str:
        """Handle an event; a failure is logged, and the client prints nothing."""
        begun = time.perf_counter()
        with self._activity.event():
            try:
                tacit = self._service.tacit(
                    check_field("workspace", body.get("workspace", "default"))
                )
                return handle_event(tacit, client, body, self._spool)
            except Exception as error:
                _log.warning("an event of %s was not handled: %s", client, describe_error(error))
                return ""
            finally:
                took = round(1_000 * (time.perf_counter() - begun))
                _log.info("an event of %s took %s ms", client, took)

    async def _status(self, _: Request) -> JSONResponse:
        return JSONResponse(await run_in_threadpool(self._status_document))

    def _status_document(self) -> dict[str, Any]:
        store: Mapping[str, Any] = self._service.root.workspace.describe()
        return {
            "version": __version__,
            "pid": os.getpid(),
            "since": to_rfc3339(self._service.started_at),
            "served": self._activity.served,
            "idle_seconds": round(self._activity.idle_seconds),
            "database": store.get("path") or store["backend"],
            "log": str(default_log_path()),
        }

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        rest = await run_in_threadpool(self._load_server_app)
        await rest(scope, receive, send)

    def _load_server_app(self) -> ASGIApp:
        """The server's application, loaded at its first request."""
        from tacit.server.app import create_app

        with self._lock:
            self._rest = self._rest or create_app(self._service)
            return self._rest


_UNAUTHORIZED = 401


class TokenGuard:
    """Rejects requests without the token, where other users could reach the port."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and not self._is_known(Headers(scope=scope)):
            refusal = JSONResponse({"detail": "the daemon is for its user's hooks"}, _UNAUTHORIZED)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_known(self, headers: Headers) -> bool:
        brought = headers.get("authorization", "").encode()
        return secrets.compare_digest(brought, self._wanted)


# Prompts that were not taken in time


_SETTLED_SECONDS = 60.0
"""So long the reply to such a prompt may still come, with an event of its session."""
_RETRY_SECONDS = 60.0


class WaitingPrompts:
    """Records the prompts of sessions from which no other event came."""

    def __init__(self, service: Service, spool: PromptSpool) -> None:
        self._service = service
        self._spool = spool
        self._failed_at: dict[str, float] = {}

    def record(self) -> None:
        """Record the prompts that have waited long enough; after a failure, again later."""
        for each in self._spool.prompts():
            if self._is_due(each) and self._spool.has(each):
                try:
                    tacit = self._service.tacit(check_field("workspace", each.workspace))
                    record_waiting_prompts(tacit, self._spool, each)
                except Exception as error:
                    self._failed_at[each.id] = time.monotonic()
                    _log.warning("a kept prompt was not recorded: %s", describe_error(error))

    def _is_due(self, waiting: SpooledPrompt) -> bool:
        waited = (system_clock() - waiting.at).total_seconds()
        failed_at = self._failed_at.get(waiting.id)
        has_paused = failed_at is None or time.monotonic() - failed_at > _RETRY_SECONDS
        return waited > _SETTLED_SECONDS and has_paused


# The process


_log = logging.getLogger("tacit.daemon")

_WATCH_SECONDS = 1.0
_PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.05


def run_daemon(address: DaemonAddress) -> bool:
    """Serve hooks until the daemon is idle; False if another daemon serves this address."""
    lock = FileLock(address.lock, mode=0o600)
    if not _acquire(lock, address):
        return False
    database = os.environ.get("TACIT_DB") or default_database_path()
    try:
        with (
            closing(live_configuration(None, in_folder=False, database=database)) as live,
            Tacit.open(database, config=live) as tacit,
        ):
            tacit.warm()
            _serve(tacit, live, address)
    finally:
        lock.release()
    return True


def _acquire(lock: FileLock, address: DaemonAddress) -> bool:
    """Take the lock; wait for a daemon that is ending, give up for one that listens."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if _is_serving(address) or time.monotonic() > end:
                return False
            time.sleep(_POLL_SECONDS)
        else:
            return True


def _is_serving(address: DaemonAddress) -> bool:
    with suppress(OSError):
        return (
            send_request(address, "GET", "/daemon", seconds=_PATIENCE_SECONDS).status
            == HTTPStatus.OK
        )
    return False


def _serve(tacit: Tacit, live: LiveConfig, address: DaemonAddress) -> None:
    with (
        running_service(tacit, live) as service,
        closing(DaemonSocket.bind(address)) as daemon_socket,
    ):
        activity = DaemonActivity()
        spool = spool_of_environment(os.environ)
        front = DaemonApp(service, activity, spool)
        listener = ServiceListener(
            front if daemon_socket.token is None else TokenGuard(front, daemon_socket.token),
            service,
            lambda: _log.info("the daemon listens on %s", address.marker),
        )
        watched = (service, activity, daemon_socket, listener, WaitingPrompts(service, spool))
        threading.Thread(target=_watch, args=watched, daemon=True).start()
        listener.run([daemon_socket.listening])
        _log.info("the daemon has stopped")


def _watch(
    service: Service,
    activity: DaemonActivity,
    daemon_socket: DaemonSocket,
    listener: ServiceListener,
    waiting: WaitingPrompts,
) -> None:
    """Record prompts that wait; stop the daemon when it is idle or can no longer be found."""
    while not listener.should_exit:
        time.sleep(_WATCH_SECONDS)
        waiting.record()
        why = reason_to_stop(
            idle_seconds=activity.idle_seconds,
            limit_seconds=60 * service.config.daemon.idle_minutes,
            jobs=service.jobs.running,
            is_reachable=daemon_socket.is_current,
        )
        if why is not None:
            _log.info("the daemon stops: %s", why)
            daemon_socket.hide()
            listener.end()
