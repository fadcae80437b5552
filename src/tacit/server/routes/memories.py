"""Memories: remember, list, read, edit, assign, forget, search and erase."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Response

from tacit.core.changes import AuditEntry
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Scope
from tacit.core.memory import Memory
from tacit.core.profile import Profile
from tacit.search.results import SearchResult
from tacit.server.access import Admin, Caller, Reader, Writer, report_writes
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute, in_one_transaction
from tacit.server.problems import CHANGED, RequestRefused
from tacit.server.request_input import MemoryId, OwnSession
from tacit.server.schemas.bulk import (
    AssignRequest,
    CountQuery,
    CountResponse,
    EraseMatchingRequest,
    EraseOwnerRequest,
    EraseRequest,
    ListQueryParams,
)
from tacit.server.schemas.common import (
    ForAgent,
    ForUser,
    IfMatch,
    Limit,
    problem_responses,
    to_page,
)
from tacit.server.schemas.memories import (
    ActorRequest,
    BulkGetRequest,
    BulkIdsRequest,
    BulkRememberRequest,
    ByQuery,
    EditRequest,
    RememberRequest,
    SearchRequest,
)
from tacit.server.schemas.values import items_of, page_of, response_of
from tacit.writing.assignment import Assignment
from tacit.writing.draft import Status, Written
from tacit.writing.erasure import Erasure, Sweep, require_person

erasure_router = APIRouter(prefix="/v1", tags=["erasing"], route_class=IdempotentRoute)

_DEFAULT_ERASE = EraseRequest(dry_run=False)


@erasure_router.post(
    "/owners/erase",
    response_model=response_of(Sweep),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
def erase_owner(body: EraseOwnerRequest, caller: Admin) -> dict[str, Any]:
    """Erase all memories and items of an owner, and the turns asked in their name."""
    _check_owner(caller, body.scope, body.scope_id)
    by = caller.actor(body.by)
    done = caller.eraser.erase_owner(body.scope, body.scope_id, dry_run=body.dry_run, by=by)
    return done.to_dict()


@erasure_router.post(
    "/sessions/{session}/erase",
    response_model=response_of(Sweep),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
def erase_session(
    id: OwnSession, caller: Admin, body: EraseRequest = _DEFAULT_ERASE
) -> dict[str, Any]:
    """Erase a session with everything said in it."""
    by = caller.actor(body.by)
    return caller.eraser.erase_session(id, dry_run=body.dry_run, by=by).to_dict()


@erasure_router.post(
    "/memories/erase",
    response_model=response_of(Sweep),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
def erase_matching(body: EraseMatchingRequest, caller: Admin) -> dict[str, Any]:
    """Erase the memories, episodes and items that filters match, in every state."""
    by, filters = caller.actor(body.by), body.filters()
    _check_owner(caller, filters.get("scope"), filters.get("scope_id"))
    done = caller.eraser.erase_matching(dry_run=body.dry_run, by=by, **filters)
    return done.to_dict()


def _check_owner(caller: Caller, scope: Scope | None, scope_id: str | None) -> None:
    """A bound user may erase their own; a bound agent only single memories."""
    if caller.bound_agent is None and (scope, scope_id) == (Scope.USER, caller.bound_user):
        return
    caller.refuse_bound("what is erased may be others' too: name scope user and your own scope_id")


memories_router = APIRouter(prefix="/v1", tags=["memories"], route_class=IdempotentRoute)


@memories_router.post(
    "/memories",
    status_code=201,
    response_model=response_of(Written),
    responses=problem_responses(409)
    | {200: {"model": response_of(Written), "description": "It was known already"}},
    dependencies=[IDEMPOTENT],
)
@in_one_transaction
def remember(body: RememberRequest, caller: Writer, response: Response) -> dict[str, Any]:
    """Store a statement; a repeated statement is recognised."""
    caller.check_agent(body.agent)
    given = caller.memory_fields(body.given_fields())
    caller.check_sessions(given)
    written = caller.tacit.remember(by=caller.actor(body.by), **given)
    if written.status is not Status.CREATED:
        response.status_code = 200
    return report_writes(caller, [written])[0]


@memories_router.post(
    "/memories/bulk",
    response_model=items_of(Written),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
@in_one_transaction
def remember_all(body: BulkRememberRequest, caller: Writer) -> dict[str, Any]:
    """Store many statements: all or none."""
    check_batch(caller, "items", len(body.items))
    for each in body.items:
        caller.check_agent(each.agent)
    drafts = [caller.memory_fields(each.given_fields()) for each in body.items]
    for draft in drafts:
        caller.check_sessions(draft)
    return {
        "items": report_writes(
            caller, caller.tacit.memories.remember_all(drafts, by=caller.actor(body.by))
        )
    }


@memories_router.post(
    "/memories/assign",
    response_model=response_of(Assignment),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="assign",
)
def assign_memories(body: AssignRequest, caller: Writer) -> dict[str, Any]:
    """Assign memories to a user: those named, or those of no user or another that filters match."""
    caller.refuse_user("giving memories to a user concerns others")
    by, agent = caller.actor(body.by), caller.check_agent(body.agent)
    if body.ids is not None:
        check_batch(caller, "ids", len(body.ids))
        caller.check_visible(*body.ids)
    done = caller.tacit.memories.assign(
        body.user, ids=body.ids, by=by, agent=agent, **body.selection()
    )
    return done.to_dict()


@memories_router.post(
    "/memories/bulk/get",
    response_model=items_of(Memory),
    responses=problem_responses(),
    name="get_all",
)
def get_memories(body: BulkGetRequest, caller: Reader) -> dict[str, Any]:
    """Memories by their ids, in that order; unknown ids are left out."""
    check_batch(caller, "ids", len(body.ids))
    found = caller.tacit.memories.get_all(body.ids)
    return {"items": [each.to_dict() for each in caller.visible_memories(found)]}


@memories_router.post(
    "/memories/bulk/forget",
    response_model=items_of(Written),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
)
@in_one_transaction
def forget_all(body: BulkIdsRequest, caller: Writer) -> dict[str, Any]:
    """Forget many memories: all or none."""
    return _for_all(body, caller, caller.tacit.memories.forget_all)


@memories_router.post(
    "/memories/bulk/restore",
    response_model=items_of(Written),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
)
@in_one_transaction
def restore_all(body: BulkIdsRequest, caller: Writer) -> dict[str, Any]:
    """Restore many memories: all or none."""
    return _for_all(body, caller, caller.tacit.memories.restore_all)


@memories_router.get("/memories", response_model=page_of(Memory), responses=problem_responses(404))
def list_memories(caller: Reader, query: ListQueryParams) -> dict[str, Any]:
    """A page of memories."""
    if not caller.may_filter_by(query.scope, query.scope_id, query.session):
        return to_page([], query.limit, None)
    found = caller.tacit.list(
        sort=query.sort,
        limit=query.limit,
        after=query.after,
        **caller.viewer_arguments(query.agent, query.user),
        **query.filters(),
    )
    return to_page([each.to_dict() for each in found], query.limit, found[-1].id if found else None)


@memories_router.get(
    "/memories/count", response_model=CountResponse, responses=problem_responses(), name="count"
)
def count_memories(caller: Reader, query: CountQuery) -> dict[str, Any]:
    """The number of memories on all pages of the list."""
    viewer = caller.viewer_arguments(query.agent, query.user)
    if not caller.may_filter_by(query.scope, query.scope_id, query.session):
        return {"count": 0}
    return {"count": caller.tacit.count(**viewer, **query.filters())}


@memories_router.get(
    "/memories/{memory_id}",
    response_model=response_of(Memory),
    responses=problem_responses(404),
    name="get",
)
def get_memory(id: MemoryId, caller: Reader, response: Response) -> dict[str, Any]:
    """One memory; forgotten memories are not found."""
    memory = caller.tacit.get(caller.check_visible_id(id))
    response.headers["ETag"] = _etag(memory)
    return memory.to_dict()


@memories_router.patch(
    "/memories/{memory_id}",
    response_model=response_of(Written),
    responses=problem_responses(404, 409, 412),
    name="edit",
)
def edit_memory(
    id: MemoryId, body: EditRequest, caller: Writer, if_match: IfMatch = None
) -> dict[str, Any]:
    """Change the named fields."""
    is_asked = if_match not in (None, "*")
    if is_asked and if_match != _etag(caller.tacit.get(caller.check_visible_id(id))):
        raise RequestRefused(CHANGED, "the memory is not what you had read; read it again")
    caller.check_agent(body.agent)
    known = caller.tacit.get(caller.check_changeable_id(id))
    changes = caller.memory_fields(body.given_fields(), known)
    if caller.viewer.is_bound:
        caller.check_owner_change(known, changes)
        caller.check_sessions({"scope": known.scope, "scope_id": known.scope_id, **changes})
    written = caller.tacit.edit(id, by=caller.actor(body.by), **changes)
    return report_writes(caller, [written])[0]


@memories_router.delete(
    "/memories/{memory_id}",
    response_model=response_of(Written),
    responses=problem_responses(404, 409),
    name="forget",
)
def forget_memory(id: MemoryId, caller: Writer, by: ByQuery = None) -> dict[str, Any]:
    """Hide a memory from all reads; restore brings it back."""
    written = caller.tacit.forget(caller.check_changeable_id(id), by=caller.actor(by))
    return report_writes(caller, [written])[0]


@memories_router.post(
    "/memories/{memory_id}/restore",
    response_model=response_of(Written),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="restore",
)
@in_one_transaction
def restore_memory(
    id: MemoryId, caller: Writer, body: ActorRequest | None = None
) -> dict[str, Any]:
    """Restore a forgotten memory, or one that was replaced, beside what replaced it."""
    by = caller.actor(body.by if body else None)
    return report_writes(caller, [caller.tacit.restore(caller.check_changeable_id(id), by=by)])[0]


@memories_router.post(
    "/memories/{memory_id}/erase",
    response_model=response_of(Erasure),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="erase",
)
def erase_memory(id: MemoryId, caller: Admin, body: ActorRequest | None = None) -> dict[str, Any]:
    """Erase a memory or an episode, and all traces of its words."""
    by = caller.actor(body.by if body else None)
    require_person(by)
    return caller.eraser.erase(caller.check_erasable(id), by=by).to_dict()


@memories_router.get(
    "/memories/{memory_id}/history",
    response_model=page_of(AuditEntry),
    responses=problem_responses(404),
    name="history",
)
def get_history(id: MemoryId, caller: Reader, limit: Limit = 100) -> dict[str, Any]:
    """The last changes of a memory, oldest first, also of forgotten and erased ones."""
    entries = caller.access.history(caller.check_visible_id(id), limit=limit)
    return {"items": [each.to_dict() for each in entries], "next": None}


@memories_router.get(
    "/profile",
    response_model=response_of(Profile),
    responses=problem_responses(),
    name="profile",
)
def get_profile(
    caller: Reader, user: ForUser = None, agent: ForAgent = None, limit: Limit = 10
) -> dict[str, Any]:
    """What is known of a user, by kind, and as text for a system prompt."""
    return caller.tacit.profile(**caller.viewer_arguments(agent, user), limit=limit).to_dict()


@memories_router.post(
    "/search",
    response_model=response_of(SearchResult),
    responses=problem_responses(),
    name="search",
)
def search_memories(body: SearchRequest, caller: Reader) -> dict[str, Any]:
    """The memories most relevant to a text, best first."""
    if not caller.may_filter_by(body.scope, body.scope_id, None):
        return SearchResult(hits=()).to_dict()
    result = caller.reading.search(
        body.text,
        mode=body.mode,
        types=body.types,
        scope=body.scope,
        scope_id=body.scope_id,
        **caller.viewer_arguments(body.agent, body.user),
        session=body.session if caller.may_filter_by(None, None, body.session) else None,
        min_confidence=body.min_confidence,
        episodes=body.episodes,
        project=body.project,
        limit=body.limit,
        **body.settings,
    )
    caller.service.metrics.observe_search(sum(result.timings_ms.values()) / 1_000)
    return result.to_dict()


def _for_all(
    body: BulkIdsRequest, caller: Caller, act: Callable[..., Sequence[Written]]
) -> dict[str, Any]:
    """Apply an action to many memories that the caller may see."""
    check_batch(caller, "ids", len(body.ids))
    caller.check_changeable(*body.ids)
    return {"items": report_writes(caller, act(body.ids, by=caller.actor(body.by)))}


def check_batch(caller: Caller, field: str, count: int) -> None:
    """Refuse batches larger than the settings allow."""
    most = caller.service.config.server.max_batch
    if count > most:
        raise InvalidInput(field, f"{count} are too many; at most {most} at once")


def _etag(memory: Memory) -> str:
    """The ETag of a memory; its usage counters do not change it."""
    values = {**memory.to_dict(), "last_accessed_at": None, "access_count": None}
    return f'"{sha256(repr(values).encode()).hexdigest()[:32]}"'
