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
from tacit.integrations.hooks.event_handler import handle_event
from tacit.integrations.hooks.folder_workers import event_folder, folder_owner
from tacit.runtime.files import default_log_path
from tacit.server.lifecycle import running_service
from tacit.server.serve import ServiceListener
from tacit.server.service import Service
from tacit.settings.live_config import LiveConfig
from tacit.version import __version__

# What a daemon has to do, and when that is no longer worth a process.


class DaemonActivity:
    """Counts events that are served, and how long there was none."""

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
        """How long there has been nothing to serve."""
        with self._lock:
            return 0.0 if self._open else time.monotonic() - self._last


def reason_to_stop(
    *, idle_seconds: float, most_seconds: float, jobs: int, is_found: bool
) -> str | None:
    """Why a daemon has to stop, if it has to."""
    if not is_found:
        return "nobody can find it any more"
    if idle_seconds >= most_seconds and not jobs:
        return f"there was nothing to do for {idle_seconds / 60:.0f} minutes"
    return None


# What a daemon listens on, so that nobody but its user comes in.


_LOOPBACK = "127.0.0.1"
_PRIVATE = 0o600


class DaemonSocket:
    """A socket, and the file by which it is found; who has the lock may make it."""

    def __init__(self, listening: socket.socket, sign: Path, token: str | None = None) -> None:
        self.listening = listening
        self.token = token
        self._sign = sign
        self._known = _file_identity(sign)

    @classmethod
    def at(cls, place: DaemonAddress) -> Self:
        """The door at a place; what a daemon that was killed left there goes."""
        place.sign.unlink(missing_ok=True)
        return cls._over_tcp(place) if place.is_tcp else cls._over_unix(place)

    @classmethod
    def _over_unix(cls, place: DaemonAddress) -> Self:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(place.socket))
        place.socket.chmod(_PRIVATE)
        return cls(listening, place.socket)

    @classmethod
    def _over_tcp(cls, place: DaemonAddress) -> Self:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.bind((_LOOPBACK, 0))
        token = secrets.token_urlsafe(32)
        told = json.dumps({"port": listening.getsockname()[1], "token": token})
        with open(place.address, "x", opener=_open_private) as file:
            file.write(told)
        return cls(listening, place.address, token)

    @property
    def is_found(self) -> bool:
        """Whether those who look for it still find it, and no other."""
        return _file_identity(self._sign) == self._known

    def shut(self) -> None:
        """Let nobody find it any more."""
        if self.is_found:
            self._sign.unlink(missing_ok=True)

    def close(self) -> None:
        """Listen no more."""
        self.shut()
        self.listening.close()


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, _PRIVATE)


def _file_identity(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


# What a daemon answers: hooks and questions about itself at once, all else as a server does.


_MALFORMED = 400


class DaemonApp:
    """Serves hooks; the rest of the server takes as long to load, and is made when it is needed."""

    def __init__(self, service: Service, activity: DaemonActivity) -> None:
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

    def _handled(self, client: str, body: Mapping[str, Any]) -> str:
        """What the client should print: nothing where that fails."""
        begun = time.perf_counter()
        with self._activity.event():
            try:
                tacit = self._service.tacit(
                    check_field("workspace", body.get("workspace", "default"))
                )
                return handle_event(tacit, client, body)
            except Exception as error:
                _log.warning("an event of %s was not handled: %s", client, describe_error(error))
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
            "log": str(default_log_path()),
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


# The token that opens a daemon where any user of the machine could reach it.


_UNAUTHORIZED = 401


class TokenGuard:
    """Lets nothing through that does not bring the token."""

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


# The daemon as a process: one for a user and a database, from its start to its end.


_log = logging.getLogger("tacit.daemon")

_WATCH_SECONDS = 1.0
_PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.05


def run_daemon(place: DaemonAddress) -> bool:
    """Serve hooks until there is nothing to do; tells whether it was needed.

    Where another daemon serves the place, there is nothing to do.
    """
    lock = FileLock(place.lock, mode=0o600)
    if not _acquire(lock, place):
        return False
    try:
        with (
            closing(live_configuration(None, in_folder=False)) as live,
            Tacit.open(os.environ.get("TACIT_DB"), config=live) as tacit,
        ):
            tacit.warm()
            _serve(tacit, live, place)
    finally:
        lock.release()
    return True


def _acquire(lock: FileLock, place: DaemonAddress) -> bool:
    """Whether this process may serve; one that is ending is waited for, one that listens not."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if _is_serving(place) or time.monotonic() > end:
                return False
            time.sleep(_POLL_SECONDS)
        else:
            return True


def _is_serving(place: DaemonAddress) -> bool:
    with suppress(OSError):
        return (
            send_request(place, "GET", "/daemon", seconds=_PATIENCE_SECONDS).status == HTTPStatus.OK
        )
    return False


def _serve(tacit: Tacit, live: LiveConfig, place: DaemonAddress) -> None:
    with running_service(tacit, live) as service, closing(DaemonSocket.at(place)) as door:
        activity = DaemonActivity()
        front = DaemonApp(service, activity)
        listener = ServiceListener(
            front if door.token is None else TokenGuard(front, door.token),
            service,
            lambda: _log.info("the daemon listens on %s", place.sign),
        )
        watched = (service, activity, door, listener)
        threading.Thread(target=_watch, args=watched, daemon=True).start()
        listener.run([door.listening])
        _log.info("the daemon has stopped")


def _watch(
    service: Service, activity: DaemonActivity, door: DaemonSocket, listener: ServiceListener
) -> None:
    """Stop the daemon when it is time to."""
    while not listener.should_exit:
        time.sleep(_WATCH_SECONDS)
        why = reason_to_stop(
            idle_seconds=activity.idle_seconds,
            most_seconds=60 * service.config.daemon.idle_minutes,
            jobs=service.jobs.running,
            is_found=door.is_found,
        )
        if why is not None:
            _log.info("the daemon stops: %s", why)
            door.shut()
            listener.end()
