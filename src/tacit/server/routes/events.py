"""Events: what happens in a workspace, as it happens or page by page."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from fastapi.security.utils import get_authorization_scheme_param

from tacit.core.errors import InvalidInput
from tacit.server.access import Caller, Reader
from tacit.server.feed import Listener, feed
from tacit.server.models.common import Limit, page, problems
from tacit.server.models.events import EventPageShape
from tacit.server.problems import STOPPING, TOO_MANY, Refusal

router = APIRouter(prefix="/v1/events", tags=["events"])

_HIGHEST = 2**63 - 1
_MOST_DIGITS = len(str(_HIGHEST))
_RETRY_SECONDS = "5"
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events; `gap` says that events in between are not kept.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": 'id: 7\nevent: memories_changed\ndata: {"number": 7, …}\n\n',
            }
        },
    }
}

Number = Annotated[int, Query(ge=0, le=_HIGHEST, description="The last number that is known.")]


async def _seated(caller: Reader) -> AsyncIterator[None]:
    """Room for one more listener, as long as they listen."""
    service = caller.service
    if service.is_stopping:
        raise Refusal(STOPPING, "the server is stopping; come back", Retry_After=_RETRY_SECONDS)
    most = -(-service.config.server.event_streams // service.share)
    if not service.streams.open(caller.name, most):
        detail = "too many listen already; close a stream, or raise event_streams"
        raise Refusal(TOO_MANY, detail, Retry_After=_RETRY_SECONDS)
    try:
        yield
    finally:
        service.streams.close(caller.name)


@router.get(
    "",
    response_class=StreamingResponse,
    responses=problems() | _STREAM,
    dependencies=[Depends(_seated)],
)
async def stream(
    request: Request,
    caller: Reader,
    after: Number | None = None,
    last_event_id: Annotated[
        str | None, Header(description="Where a client that comes back had been.")
    ] = None,
) -> StreamingResponse:
    """What happens from now on, or after the event that is known; 0 is from the oldest kept on."""
    start = after if not last_event_id else _number(last_event_id)
    if start is None:
        start = (await run_in_threadpool(caller.own.events, limit=1)).last
    listener = Listener(
        own=caller.own,
        streams=caller.service.streams,
        is_welcome=lambda: _is_welcome(request, caller),
    )
    return StreamingResponse(
        feed(listener, start),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


@router.get("/list", response_model=EventPageShape, responses=problems())
def list_events(caller: Reader, after: Number = 0, limit: Limit = 50) -> dict[str, Any]:
    """A page of what happened, oldest first."""
    found = caller.own.events(after=after, limit=limit)
    told = found.to_dict()
    last = str(found.events[-1].number) if found.events else None
    return {**told, **page(told["items"], limit, last)}


def _number(given: str) -> int:
    """The number that a client kept."""
    is_number = given.isascii() and given.isdigit() and len(given) <= _MOST_DIGITS
    if not is_number or int(given) > _HIGHEST:
        raise InvalidInput("Last-Event-ID", f"{given[:100]!r} is no number of an event")
    return int(given)


def _is_welcome(request: Request, caller: Caller) -> bool:
    """Whether the key that was shown is still in use; without one, whether none is needed."""
    if caller.key is None:
        return not caller.service.keyholders.are_needed()
    _, token = get_authorization_scheme_param(request.headers.get("Authorization"))
    return caller.service.key(token) is not None
