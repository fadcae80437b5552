"""Owners: giving memories to a user."""

from typing import Any

from fastapi import APIRouter

from tacit.server.access import Writer
from tacit.server.idempotency import ONCE, OnceRoute
from tacit.server.models.common import problems
from tacit.server.models.owners import AssignmentResponse, AssignRequest
from tacit.server.routes.memories import check_batch

router = APIRouter(prefix="/v1", tags=["memories"], route_class=OnceRoute)


@router.post(
    "/memories/assign",
    response_model=AssignmentResponse,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
def assign(asked: AssignRequest, caller: Writer) -> dict[str, Any]:
    """Give memories to a user: those named, or those of no user or another that filters leave."""
    by, agent = caller.actor(asked.by), caller.agent(asked.agent)
    if asked.ids is not None:
        check_batch(caller, "ids", len(asked.ids))
        caller.check_visible(*asked.ids)
    done = caller.tacit.assign(asked.user, ids=asked.ids, by=by, agent=agent, **asked.selection())
    return done.to_dict()
