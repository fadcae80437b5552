"""Events as they happen, for one listener: server-sent events, read from the store by number."""

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
from tacit.server.streams import Streams

_log = logging.getLogger("tacit.server")

POLL_SECONDS = 0.25
BEAT_SECONDS = 15.0
WELCOME_SECONDS = 1.0
_AT_ONCE = 100
_BEAT = format_sse_event(comment="still here")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Somebody who hears of a workspace as long as they are welcome and the server runs."""

    own: CallerAccess
    streams: Streams
    is_welcome: Callable[[], bool]


async def feed(listener: Listener, after: int) -> AsyncIterator[bytes]:
    """What happens after an event, from the number on that the listener has.

    Their place comes first, so that who has heard of nothing yet can come back to it.
    """
    yield _place(after)
    try:
        async for heard in _followed(listener, after):
            yield heard
    except StoreClosed:
        return
    except TacitError as error:
        _log.warning("an event stream ends, its listener will come back: %s", error)


async def _followed(listener: Listener, after: int) -> AsyncIterator[bytes]:
    beat, look = time.monotonic() + BEAT_SECONDS, time.monotonic() + WELCOME_SECONDS
    while True:
        page = await run_in_threadpool(listener.own.events, after=after, limit=_AT_ONCE)
        if page.events or time.monotonic() >= look:
            if not await run_in_threadpool(listener.is_welcome):
                return
            look = time.monotonic() + WELCOME_SECONDS
        for told in _told(page, after):
            yield told
        after = _last(page, after)
        if listener.streams.have_ended:
            return
        if time.monotonic() >= beat:
            yield _BEAT
            beat = time.monotonic() + BEAT_SECONDS
        if len(page.events) < _AT_ONCE:
            await asyncio.sleep(POLL_SECONDS)


def _told(page: EventPage, after: int) -> Iterator[bytes]:
    """A page as it is sent: that events are missing comes before what follows."""
    if _is_gap(page, after):
        missed = {"after": after, "first": page.first}
        yield format_sse_event(event="gap", data_str=json.dumps(missed))
        yield _place(page.events[0].number - 1 if page.events else page.last)
    for event in page.events:
        data = json.dumps(event.to_dict(), ensure_ascii=False)
        yield format_sse_event(id=str(event.number), event=str(event.kind), data_str=data)


def _is_gap(page: EventPage, after: int) -> bool:
    """Whether what came next is not kept any more, or the number was never given.

    Who asks from 0 on wants what there is.
    """
    oldest = page.first or page.last + 1
    return after > page.last or 0 < after < oldest - 1


def _last(page: EventPage, after: int) -> int:
    """How far a listener has heard."""
    if page.seen > after:
        return page.seen
    return page.last if _is_gap(page, after) else after


def _place(number: int) -> bytes:
    """A number alone: a client keeps it, and nothing happens."""
    return format_sse_event(id=str(number))
