"""Upkeep, when somebody asks for it."""

from typing import Any

from fastapi import APIRouter

from tacit.server.access import WorkspaceAdmin
from tacit.server.idempotency import ONCE, OnceRoute
from tacit.server.models.common import problems
from tacit.server.models.upkeep import UpkeepAsked, UpkeepShape
from tacit.server.problems import NOT_ALLOWED, Refusal

router = APIRouter(prefix="/v1/upkeep", tags=["upkeep"], route_class=OnceRoute)

_USUAL = UpkeepAsked(dry_run=False, limit=None)


@router.post("", response_model=UpkeepShape, responses=problems(409), dependencies=[ONCE])
def keep_up(caller: WorkspaceAdmin, asked: UpkeepAsked = _USUAL) -> dict[str, Any]:
    """Forget what has faded, merge what says the same, relate what is near: one pass."""
    if caller.own_agent is not None:
        detail = "this is an agent's key, and upkeep goes over what others remember too"
        raise Refusal(NOT_ALLOWED, detail)
    return caller.tacit.upkeep(dry_run=asked.dry_run, limit=asked.limit).to_dict()
