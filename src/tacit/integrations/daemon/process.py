"""The daemon as a process: one for a user and a database, from its start to its end."""

import logging
import os
import threading
import time
from contextlib import closing, suppress
from http import HTTPStatus

from filelock import FileLock, Timeout

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.integrations.daemon.activity import Activity, reason_to_stop
from tacit.integrations.daemon.door import Door
from tacit.integrations.daemon.front import Front
from tacit.integrations.daemon.guard import Guard
from tacit.integrations.hooks.exchange import ask
from tacit.integrations.hooks.place import Place
from tacit.server.listening import ServiceListener
from tacit.server.service import Service
from tacit.server.serving import serving
from tacit.settings.config.live import LiveConfig

_log = logging.getLogger("tacit.daemon")

_LOOK_SECONDS = 1.0
_PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.05


def run(place: Place) -> bool:
    """Serve hooks until there is nothing to do; tells whether it was needed.

    Where another daemon serves the place, there is nothing to do.
    """
    lock = FileLock(place.lock, mode=0o600)
    if not _locked(lock, place):
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


def _locked(lock: FileLock, place: Place) -> bool:
    """Whether this process may serve; one that is ending is waited for, one that listens not."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if _is_served(place) or time.monotonic() > end:
                return False
            time.sleep(_POLL_SECONDS)
        else:
            return True


def _is_served(place: Place) -> bool:
    with suppress(OSError):
        return ask(place, "GET", "/daemon", seconds=_PATIENCE_SECONDS).status == HTTPStatus.OK
    return False


def _serve(tacit: Tacit, live: LiveConfig, place: Place) -> None:
    with serving(tacit, live) as service, closing(Door.at(place)) as door:
        activity = Activity()
        front = Front(service, activity)
        listener = ServiceListener(
            front if door.token is None else Guard(front, door.token),
            service,
            lambda: _log.info("the daemon listens on %s", place.sign),
        )
        watched = (service, activity, door, listener)
        threading.Thread(target=_watch, args=watched, daemon=True).start()
        listener.run([door.listening])
        _log.info("the daemon has stopped")


def _watch(service: Service, activity: Activity, door: Door, listener: ServiceListener) -> None:
    """Stop the daemon when it is time to."""
    while not listener.should_exit:
        time.sleep(_LOOK_SECONDS)
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
