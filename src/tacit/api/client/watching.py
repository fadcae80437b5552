"""Events as they happen: a stream that is taken up again where it broke off."""

import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import httpx2

from tacit.api.client.connection import Connection
from tacit.core.errors import LimitExceeded, StoreError, Unanswered
from tacit.core.events import Event

_log = logging.getLogger("tacit.client")

_PAUSES = (0.1, 0.5, 1.0, 2.0, 5.0)
"""Seconds before a stream is taken up again, the last one as often as it takes."""

_SILENCE_SECONDS = 60.0
"""A stream is dead after so long: servers send a sign of life more often."""

_GAP = "gap"


def newest(connection: Connection) -> int:
    """The number of the last event that happened."""
    return connection.get("/v1/events/list", _last, limit=1)


def watched(connection: Connection, after: int) -> Iterator[Event]:
    """Events after one of them; a server that is away for a while is waited for."""
    failures = 0
    while True:
        try:
            for number, event in _streamed(connection, after):
                after, failures = number, 0
                if event is not None:
                    yield event
        except (Unanswered, LimitExceeded, StoreError) as error:
            _log.info("the event stream broke off and is taken up again: %s", error)
        time.sleep(_PAUSES[min(failures, len(_PAUSES) - 1)])
        failures += 1


def _streamed(connection: Connection, after: int) -> Iterator[tuple[int, Event | None]]:
    """Numbers that were reached and what happened there, until the stream ends."""
    headers = {"Last-Event-ID": str(after), "Accept": "text/event-stream"}
    with connection.stream("/v1/events", _SILENCE_SECONDS, headers) as response:
        for sent in httpx2.EventSource(response):
            if sent.event == _GAP:
                _log.warning("what happened after event %s is not kept any more", sent.id or after)
            elif sent.id.isdecimal():
                yield int(sent.id), _event(sent)


def _event(sent: httpx2.ServerSentEvent) -> Event | None:
    """The event; None for a mere place in the stream, and for what is not understood."""
    if not sent.data:
        return None
    try:
        told: Any = json.loads(sent.data)
        return Event.from_dict(told)
    except (ValueError, TypeError, LookupError):
        _log.warning("event %s is of a kind that this version does not know", sent.id)
        return None


def _last(page: Any) -> int:
    return int(page["last"])
