"""Learning: memory that fills itself from what was said."""

from asyncio import wrap_future
from typing import Any

from fastapi import APIRouter

from tacit.server.access import Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute
from tacit.server.models.common import ForAgent, ForUser, problems
from tacit.server.models.learning import Extracting, ExtractionShape, LearnedShape

router = APIRouter(prefix="/v1", tags=["learning"], route_class=OnceRoute)


@router.post("/learn", response_model=LearnedShape, responses=problems(409), dependencies=[ONCE])
async def learn(caller: Writer, agent: ForAgent = None, user: ForUser = None) -> dict[str, Any]:
    """Read now what was said and waits to be learned; says what became of each statement."""
    own, seeing = caller.own, caller.seeing(agent, user)
    learning = caller.service.learning.submit(lambda: own.learn(**seeing).to_dict())
    return await wrap_future(learning)


@router.post("/extract", response_model=ExtractionShape, responses=problems())
def extract(asked: Extracting, caller: Reader) -> dict[str, Any]:
    """What the rules would take from a message, and what they refuse; nothing happens."""
    return caller.tacit.extract(asked.text).to_dict()
