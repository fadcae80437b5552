"""Events as server-sent events for one subscriber, read from the store by number."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import format_sse_event

from tacit.api.calls.access import CallerAccess
from tacit.core.errors import StoreClosed, TacitError
from tacit.core.events import EventPage
from tacit.server.service import StreamCounter

_log = logging.getLogger("tacit.server")

POLL_SECONDS = 0.25
HEARTBEAT_SECONDS = 15.0
ACCESS_CHECK_SECONDS = 1.0
_AT_ONCE = 100
_HEARTBEAT = format_sse_event(comment="still here")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSubscriber:
    """A client that follows the events of a workspace while it is allowed to."""

    access: CallerAccess
    streams: StreamCounter
    is_allowed: Callable[[], bool]


async def stream_events(subscriber: EventSubscriber, after: int) -> AsyncIterator[bytes]:
    """Stream the events after a number as server-sent events.

    Their place comes first, so that who has heard of nothing yet can come back to it.
    """
    yield _position(after)
    try:
        async for heard in _follow_events(subscriber, after):
            yield heard
    except StoreClosed:
        return
    except TacitError as error:
        _log.warning("an event stream ends, its subscriber will come back: %s", error)


async def _follow_events(subscriber: EventSubscriber, after: int) -> AsyncIterator[bytes]:
    beat, look = time.monotonic() + HEARTBEAT_SECONDS, time.monotonic() + ACCESS_CHECK_SECONDS
    while True:
        page = await run_in_threadpool(subscriber.access.events, after=after, limit=_AT_ONCE)
        if page.events or time.monotonic() >= look:
            if not await run_in_threadpool(subscriber.is_allowed):
                return
            look = time.monotonic() + ACCESS_CHECK_SECONDS
        for message in _to_sse(page, after):
            yield message
        after = _next_position(page, after)
        if subscriber.streams.have_ended:
            return
        if time.monotonic() >= beat:
            yield _HEARTBEAT
            beat = time.monotonic() + HEARTBEAT_SECONDS
        if len(page.events) < _AT_ONCE:
            await asyncio.sleep(POLL_SECONDS)


def _to_sse(page: EventPage, after: int) -> Iterator[bytes]:
    """A page as server-sent events; a gap is announced before the events after it."""
    if _is_gap(page, after):
        missed = {"after": after, "first": page.first}
        yield format_sse_event(event="gap", data_str=json.dumps(missed))
        yield _position(page.events[0].number - 1 if page.events else page.last)
    for event in page.events:
        data = json.dumps(event.to_dict(), ensure_ascii=False)
        yield format_sse_event(id=str(event.number), event=str(event.kind), data_str=data)


def _is_gap(page: EventPage, after: int) -> bool:
    """Whether the next events are no longer kept, or the number never existed.

    Who asks from 0 on wants what there is.
    """
    oldest = page.first or page.last + 1
    return after > page.last or 0 < after < oldest - 1


def _next_position(page: EventPage, after: int) -> int:
    """The number up to which a subscriber is up to date."""
    if page.seen > after:
        return page.seen
    return page.last if _is_gap(page, after) else after


def _position(number: int) -> bytes:
    """An event number without an event, which clients remember."""
    return format_sse_event(id=str(number))
