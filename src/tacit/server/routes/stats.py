"""What a workspace holds."""

from typing import Any

from fastapi import APIRouter

from tacit.server.access import Reader
from tacit.server.models.common import ForAgent, ForUser, problems
from tacit.server.models.stats import StatsShape

router = APIRouter(prefix="/v1/stats", tags=["stats"])


@router.get("", response_model=StatsShape, responses=problems())
def stats(caller: Reader, agent: ForAgent = None, user: ForUser = None) -> dict[str, Any]:
    """What the workspace holds; where it is, is for those who run the server."""
    told = caller.tacit.stats(**caller.seeing(agent, user)).to_dict()
    store = told["store"] if caller.is_for_all else {"backend": told["store"].get("backend")}
    return {**told, "store": store}
