"""Relations: how memories are linked, and what is around one."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.core.kinds import Relation
from tacit.server.access import Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import ForAgent, ForUser, Limit, Page, problems
from tacit.server.models.memories import AskedBy, GraphShape, Linking, LinkShape, MemoryId

router = APIRouter(prefix="/v1", tags=["memories"], route_class=OnceRoute)


@router.get("/memories/{id}/links", response_model=Page[LinkShape], responses=problems(404))
def links(
    id: MemoryId, caller: Reader, agent: ForAgent = None, user: ForUser = None
) -> dict[str, Any]:
    """The associations at a memory, in both directions."""
    found = caller.tacit.links(caller.visible(id), **caller.seeing(agent, user))
    return {"items": [each.to_dict() for each in found], "next": None}


@router.get("/memories/{id}/graph", response_model=GraphShape, responses=problems(404))
def graph(
    id: MemoryId,
    caller: Reader,
    depth: Annotated[int, Query(ge=1, le=4, description="How many steps away.")] = 1,
    limit: Limit = 100,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """The memories around one; its neighbours, with a depth of 1."""
    seeing = caller.seeing(agent, user)
    found = caller.tacit.graph(caller.visible(id), depth=depth, limit=limit, **seeing)
    return found.to_dict()


@router.post(
    "/links",
    status_code=201,
    response_model=LinkShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def link(asked: Linking, caller: Writer) -> dict[str, Any]:
    """Relate two memories; a repeat changes the weight."""
    caller.check_visible(asked.source, asked.target)
    made = caller.tacit.link(
        asked.source,
        asked.target,
        asked.relation,
        weight=asked.weight,
        by=caller.actor(asked.by),
    )
    return made.to_dict()


@router.delete("/links", status_code=204, responses=problems(404, 409))
def unlink(
    source: str,
    target: str,
    caller: Writer,
    relation: Relation = Relation.RELATED_TO,
    by: AskedBy = None,
) -> None:
    """Remove a relation."""
    caller.check_visible(source, target)
    caller.tacit.unlink(source, target, relation, by=caller.actor(by))
