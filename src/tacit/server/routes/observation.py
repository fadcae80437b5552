"""Health, metrics, status, counts, activity, events and workspaces."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from fastapi.security.utils import get_authorization_scheme_param

from tacit.api.server_status import READY, ServerReadiness, ServerStatus, SettingsFileStatus
from tacit.core.activity import Activity
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.fields import MAX_LIMIT
from tacit.server.access import Caller, Reader, ServerReader, get_service
from tacit.server.event_stream import EventSubscriber, stream_events
from tacit.server.problems import STOPPING, TOO_MANY, RequestRefused
from tacit.server.request_input import CheckedRoute
from tacit.server.schemas.common import ForAgent, ForUser, Limit, problem_responses, to_page
from tacit.server.schemas.observation import (
    EventPageResponse,
    HealthResponse,
    WorkspacesResponse,
)
from tacit.server.schemas.values import response_of
from tacit.server.service import Service
from tacit.settings.live_config import ConfigState
from tacit.store.stats import Stats
from tacit.version import __version__

activity_router = APIRouter(prefix="/v1/activity", tags=["stats"], route_class=CheckedRoute)

Turns = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Of how many last turns at most.")]
Days = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="The growth of how many last days.")]


@activity_router.get(
    "", response_model=response_of(Activity), responses=problem_responses(), name="activity"
)
def get_activity(
    caller: Reader,
    turns: Turns = 500,
    days: Days = 30,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """Figures of what the last turns did and cost, and of how memory grew."""
    viewer = caller.viewer_arguments(agent, user)
    return caller.access.activity(turns=turns, days=days, **viewer).to_dict()


# Events


events_router = APIRouter(prefix="/v1/events", tags=["events"], route_class=CheckedRoute)

_HIGHEST = 2**63 - 1
_MOST_DIGITS = len(str(_HIGHEST))
_RETRY_SECONDS = "5"
_STREAM_RESPONSE: dict[int | str, dict[str, Any]] = {
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

EventNumber = Annotated[int, Query(ge=0, le=_HIGHEST, description="The last number that is known.")]


async def _hold_stream(caller: Reader) -> AsyncIterator[None]:
    """Hold a place for one more stream."""
    service = caller.service
    if service.is_stopping:
        raise RequestRefused(
            STOPPING, "the server is stopping; come back", Retry_After=_RETRY_SECONDS
        )
    most = -(-service.config.server.event_streams // service.share)
    if not service.streams.open(caller.name, most):
        detail = "too many listen already; close a stream, or raise event_streams"
        raise RequestRefused(TOO_MANY, detail, Retry_After=_RETRY_SECONDS)
    try:
        yield
    finally:
        service.streams.close(caller.name)


@events_router.get(
    "",
    response_class=StreamingResponse,
    responses=problem_responses() | _STREAM_RESPONSE,
    dependencies=[Depends(_hold_stream)],
    name="stream",
)
async def subscribe(
    request: Request,
    caller: Reader,
    after: EventNumber | None = None,
    last_event_id: Annotated[
        str | None, Header(description="Where a client that comes back had been.")
    ] = None,
) -> StreamingResponse:
    """Stream events from now on, or after a known event; 0 starts at the oldest kept."""
    start = after if not last_event_id else _parse_event_number(last_event_id)
    if start is None:
        start = (await run_in_threadpool(caller.access.events, limit=1)).last
    subscriber = EventSubscriber(
        access=caller.access,
        streams=caller.service.streams,
        is_allowed=lambda: _is_still_allowed(request, caller),
    )
    return StreamingResponse(
        stream_events(subscriber, start),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


@events_router.get("/list", response_model=EventPageResponse, responses=problem_responses())
def list_events(caller: Reader, after: EventNumber = 0, limit: Limit = 50) -> dict[str, Any]:
    """A page of events, oldest first."""
    found = caller.access.events(after=after, limit=limit)
    values = found.to_dict()
    last = str(found.events[-1].number) if found.events else None
    return {**values, **to_page(values["items"], limit, last)}


def _parse_event_number(given: str) -> int:
    """The event number that a client sent."""
    is_number = given.isascii() and given.isdigit() and len(given) <= _MOST_DIGITS
    if not is_number or int(given) > _HIGHEST:
        raise InvalidInput("Last-Event-ID", f"{given[:100]!r} is no number of an event")
    return int(given)


def _is_still_allowed(request: Request, caller: Caller) -> bool:
    """Whether the key is still active; without a key, whether none is needed."""
    if caller.key is None:
        return not caller.service.key_cache.are_keys_needed()
    _, token = get_authorization_scheme_param(request.headers.get("Authorization"))
    return caller.service.key(token) is not None


# Health and status


health_router = APIRouter(tags=["health"])

_OK = "ok"


@health_router.head("/health", include_in_schema=False)
@health_router.get(
    "/health", response_model=HealthResponse, responses={421: problem_responses()[421]}
)
async def health() -> dict[str, Any]:
    """Whether the server is alive; needs no key."""
    return {"status": _OK, "version": __version__}


@health_router.head("/ready", include_in_schema=False, name="ready")
@health_router.get(
    "/ready",
    response_model=response_of(ServerReadiness),
    responses={
        421: problem_responses()[421],
        503: {"model": response_of(ServerReadiness), "description": "Not ready"},
    },
    name="ready",
)
def readiness(request: Request, response: Response) -> dict[str, Any]:
    """Whether the server is ready; needs no key, and reveals nothing private."""
    service = get_service(request)
    checks = {
        "server": "stopping" if service.is_stopping else _OK,
        "store": _check_store(service),
        "settings": _OK if service.state.problem is None else "invalid, the old ones are in force",
    }
    is_ready = checks["store"] == checks["server"] == _OK
    response.status_code = 200 if is_ready else 503
    status = READY if is_ready else "not ready"
    return ServerReadiness(status=status, checks=checks).to_dict()


@health_router.get(
    "/metrics", responses=problem_responses() | {200: {"content": {"text/plain": {}}}}
)
def metrics(caller: ServerReader) -> Response:
    """Metrics for Prometheus."""
    body, media_type = caller.service.metrics.exposition()
    return Response(body, media_type=media_type)


@health_router.get(
    "/v1/status",
    response_model=response_of(ServerStatus),
    responses=problem_responses(),
    name="status",
)
def server_status(caller: Reader) -> dict[str, Any]:
    """The server as the caller sees it: who they are, and what problems it has."""
    service = caller.service
    return ServerStatus(
        version=__version__,
        workspace=caller.workspace,
        role=caller.role,
        agent=caller.bound_agent,
        user=caller.bound_user,
        speaks_for_users=caller.speaks_for_users,
        server_wide=caller.is_server_wide,
        keys_needed=caller.key is not None,  # who came in without one needed none
        started_at=service.started_at,
        embedder=service.root.workspace.embedder_name,
        store=_describe_store(caller),
        settings=_settings_status(service.state, caller),
        jobs=tuple(service.jobs.outcomes()) if caller.is_server_wide else (),
    ).to_dict()


def _check_store(service: Service) -> str:
    try:
        service.root.workspace.names()
    except TacitError:
        return "cannot be reached"
    return _OK


def _describe_store(caller: Caller) -> dict[str, Any]:
    """The store; its location is shown to server-wide keys only."""
    values = dict(caller.service.root.workspace.describe())
    return values if caller.is_server_wide else {"backend": values.get("backend")}


def _settings_status(state: ConfigState, caller: Caller) -> SettingsFileStatus:
    if not caller.is_server_wide:
        return SettingsFileStatus()
    path, ignored = state.config.path, tuple(state.config.ignored)
    named = None if path is None else str(path)
    return SettingsFileStatus(path=named, problem=state.problem, ignored=ignored)


# Counts


stats_router = APIRouter(prefix="/v1/stats", tags=["stats"], route_class=CheckedRoute)


@stats_router.get(
    "", response_model=response_of(Stats), responses=problem_responses(), name="stats"
)
def get_stats(caller: Reader, agent: ForAgent = None, user: ForUser = None) -> dict[str, Any]:
    """Counts of the workspace; the store's location is shown to server-wide keys only."""
    values = caller.tacit.workspace.stats(**caller.viewer_arguments(agent, user)).to_dict()
    store = (
        values["store"] if caller.is_server_wide else {"backend": values["store"].get("backend")}
    )
    return {**values, "store": store}


# Workspaces


workspaces_router = APIRouter(
    prefix="/v1/workspaces", tags=["workspaces"], route_class=CheckedRoute
)


@workspaces_router.get("", response_model=WorkspacesResponse, responses=problem_responses())
def list_workspaces(caller: ServerReader) -> dict[str, Any]:
    """The names of all workspaces that were ever written to."""
    return {"items": list(caller.service.root.workspace.names())}
