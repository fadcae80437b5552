"""How the server is: alive, ready, and what it says of itself."""

from typing import Any

from fastapi import APIRouter, Request, Response

from tacit.core.errors import TacitError
from tacit.core.times import to_rfc3339
from tacit.server.access import Caller, Reader, ServerReader, service_of
from tacit.server.models.common import problems
from tacit.server.models.health import Health, Readiness, Status
from tacit.server.service import Service
from tacit.settings.live_config import ConfigState
from tacit.version import __version__

router = APIRouter(tags=["health"])

_OK = "ok"


@router.head("/health", include_in_schema=False)
@router.get("/health", response_model=Health, responses={421: problems()[421]})
async def health() -> dict[str, Any]:
    """Whether the server answers; needs no key."""
    return {"status": _OK, "version": __version__}


@router.head("/ready", include_in_schema=False)
@router.get(
    "/ready",
    response_model=Readiness,
    responses={421: problems()[421], 503: {"model": Readiness, "description": "Not ready"}},
)
def ready(request: Request, response: Response) -> dict[str, Any]:
    """Whether it can serve; needs no key, and names nothing private."""
    service = service_of(request)
    checks = {
        "server": "stopping" if service.is_stopping else _OK,
        "store": _store(service),
        "settings": _OK if service.state.problem is None else "invalid, the old ones are in force",
    }
    is_ready = checks["store"] == checks["server"] == _OK
    response.status_code = 200 if is_ready else 503
    return {"status": "ready" if is_ready else "not ready", "checks": checks}


@router.get("/metrics", responses=problems() | {200: {"content": {"text/plain": {}}}})
def metrics(caller: ServerReader) -> Response:
    """Metrics for Prometheus."""
    body, media_type = caller.service.metrics.exposition()
    return Response(body, media_type=media_type)


@router.get("/v1/status", response_model=Status, responses=problems())
def status(caller: Reader) -> dict[str, Any]:
    """The server as the caller sees it: who they are, and what is amiss."""
    service = caller.service
    return {
        "version": __version__,
        "workspace": caller.workspace,
        "role": caller.role,
        "agent": caller.own_agent,
        "user": caller.own_user,
        "speaks_for_users": caller.speaks_for_users,
        "server_wide": caller.is_for_all,
        "keys_needed": caller.key is not None,  # who came in without one needed none
        "started_at": to_rfc3339(service.started_at),
        "embedder": service.root.embedder_name,
        "store": _described(caller),
        "settings": _settings(service.state, caller),
        "jobs": [each.to_dict() for each in service.jobs.outcomes()] if caller.is_for_all else [],
    }


def _store(service: Service) -> str:
    try:
        service.root.workspaces()
    except TacitError:
        return "cannot be reached"
    return _OK


def _described(caller: Caller) -> dict[str, Any]:
    """Where memories are; the place itself is for those who run the server."""
    told = dict(caller.service.root.describe())
    return told if caller.is_for_all else {"backend": told.get("backend")}


def _settings(state: ConfigState, caller: Caller) -> dict[str, Any]:
    problem = state.problem
    if not caller.is_for_all:
        return {"path": None, "problem": None, "ignored": []}
    return {
        "path": None if state.config.path is None else str(state.config.path),
        "problem": problem and problem.to_dict(),
        "ignored": [each.to_dict() for each in state.config.ignored],
    }
