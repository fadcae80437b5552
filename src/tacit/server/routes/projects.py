"""Projects: leave them alone, and serve them again."""

from typing import Any

from fastapi import APIRouter

from tacit.server.access import Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import problems
from tacit.server.models.sessions import ProjectPaused, ProjectResumed
from tacit.server.names import ProjectId

router = APIRouter(prefix="/v1/projects", tags=["projects"], route_class=OnceRoute)


@router.post(
    "/{id}/pause",
    response_model=ProjectPaused,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def pause(id: ProjectId, caller: Writer) -> dict[str, Any]:
    """Leave a project alone: nothing is read for it and nothing is written."""
    caller.refuse_bound("others work in a project too")
    caller.tacit.pause(project=id)
    return {"project": id, "paused": True}


@router.post(
    "/{id}/resume",
    response_model=ProjectResumed,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def resume(id: ProjectId, caller: Writer) -> dict[str, Any]:
    """Serve a project again; tells whether it was paused."""
    caller.refuse_bound("others work in a project too")
    was_paused = caller.tacit.resume(project=id)
    return {"project": id, "paused": False, "was_paused": was_paused}
