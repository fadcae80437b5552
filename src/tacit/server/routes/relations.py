"""Relations between memories: links, the graph around a memory, and conflicts."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.api.calls.relations import is_full_page
from tacit.core.kinds import Relation
from tacit.core.memory import Association, Graph
from tacit.server.access import Reader, Writer, report_writes
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute, in_one_transaction
from tacit.server.request_input import MemoryId
from tacit.server.schemas.common import (
    After,
    ForAgent,
    ForUser,
    GivenId,
    Limit,
    problem_responses,
)
from tacit.server.schemas.memories import ByQuery, LinkRequest
from tacit.server.schemas.turns import ResolveConflictRequest
from tacit.server.schemas.values import items_of, page_of, response_of
from tacit.statements.conflict_list import Conflict
from tacit.writing.draft import Written

conflicts_router = APIRouter(
    prefix="/v1/memory/conflicts", tags=["conflicts"], route_class=IdempotentRoute
)


@conflicts_router.get("", response_model=page_of(Conflict), responses=problem_responses())
def list_conflicts(
    caller: Reader,
    limit: Limit = 50,
    after: After = None,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """Live memories that contradict each other, and what the rules recommend."""
    viewer = caller.viewer_arguments(agent, user)
    found = caller.tacit.conflicts.list(limit=limit, after=after, **viewer)
    cursor = found[-1].id if found and is_full_page(found, limit) else None
    return {"items": [each.to_dict() for each in found], "next": cursor}


@conflicts_router.post(
    "/resolve",
    response_model=items_of(Written),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="resolve",
)
@in_one_transaction
def resolve_conflict(body: ResolveConflictRequest, caller: Writer) -> dict[str, Any]:
    """Resolve a conflict: `keep` supersedes the others, or all of `keep_both` are right."""
    kept = [body.keep] if body.keep else []
    caller.check_changeable(*kept, *body.supersede, *body.keep_both)
    written = caller.tacit.conflicts.resolve(
        keep=body.keep,
        supersede=body.supersede,
        keep_both=body.keep_both,
        reason=body.reason,
        by=caller.actor(body.by),
    )
    return {"items": report_writes(caller, written)}


relations_router = APIRouter(prefix="/v1", tags=["memories"], route_class=IdempotentRoute)


@relations_router.get(
    "/memories/{memory_id}/links",
    response_model=page_of(Association),
    responses=problem_responses(404),
    name="links",
)
def list_links(
    id: MemoryId,
    caller: Reader,
    limit: Limit = 100,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """The links of a memory, in both directions; those of most weight."""
    found = caller.tacit.memories.links(
        caller.check_visible_id(id), limit=limit, **caller.viewer_arguments(agent, user)
    )
    return {"items": [each.to_dict() for each in found], "next": None}


@relations_router.get(
    "/memories/{memory_id}/graph",
    response_model=response_of(Graph),
    responses=problem_responses(404),
    name="graph",
)
def get_graph(
    id: MemoryId,
    caller: Reader,
    depth: Annotated[int, Query(ge=1, le=4, description="How many steps away.")] = 1,
    limit: Limit = 100,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """The memories around one; with a depth of 1 its neighbours."""
    viewer = caller.viewer_arguments(agent, user)
    found = caller.tacit.memories.graph(
        caller.check_visible_id(id), depth=depth, limit=limit, **viewer
    )
    return found.to_dict()


@relations_router.post(
    "/links",
    status_code=201,
    response_model=response_of(Association),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="link",
)
@in_one_transaction
def link_memories(body: LinkRequest, caller: Writer) -> dict[str, Any]:
    """Link two memories; a repeated call changes the weight."""
    caller.check_visible(body.source, body.target)
    made = caller.tacit.memories.link(
        body.source,
        body.target,
        body.relation,
        weight=body.weight,
        by=caller.actor(body.by),
    )
    return made.to_dict()


@relations_router.delete(
    "/links", status_code=204, responses=problem_responses(404, 409), name="unlink"
)
def unlink_memories(
    source: GivenId,
    target: GivenId,
    caller: Writer,
    relation: Relation = Relation.RELATED_TO,
    by: ByQuery = None,
) -> None:
    """Remove a link."""
    caller.check_visible(source, target)
    caller.tacit.memories.unlink(source, target, relation, by=caller.actor(by))
