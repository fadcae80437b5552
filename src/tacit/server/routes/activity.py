"""What memory did lately."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.core.fields import MAX_LIMIT
from tacit.server.access import Reader
from tacit.server.models.activity import ActivityShape
from tacit.server.models.common import ForAgent, ForUser, problems

router = APIRouter(prefix="/v1/activity", tags=["stats"])

Turns = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Of how many last turns at most.")]
Days = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="The growth of how many last days.")]


@router.get("", response_model=ActivityShape, responses=problems())
def activity(
    caller: Reader,
    turns: Turns = 500,
    days: Days = 30,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """What the last turns did and cost, and how memory grew, in figures."""
    seeing = caller.seeing(agent, user)
    return caller.own.activity(turns=turns, days=days, **seeing).to_dict()
