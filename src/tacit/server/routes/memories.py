"""Memories: keep, list, read, change, give to a user, forget and search."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Response

from tacit.core.errors import InvalidInput
from tacit.core.memory import Memory
from tacit.search.results import SearchResult
from tacit.server.access import Admin, Caller, Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import IfMatch, Page, page, problems
from tacit.server.models.listing import CountShape, Filtered, Listed
from tacit.server.models.memories import (
    Acting,
    AskedBy,
    AuditShape,
    Bulk,
    Editing,
    ErasureShape,
    FoundShape,
    Ids,
    ManyWritten,
    MemoriesShape,
    MemoryId,
    MemoryShape,
    Reading,
    Remembering,
    Searching,
    WrittenShape,
)
from tacit.server.models.owners import AssignmentResponse, AssignRequest
from tacit.server.problems import CHANGED, Refusal
from tacit.server.writes import told
from tacit.writing.draft import Status, Written
from tacit.writing.erasure import require_person

router = APIRouter(prefix="/v1", tags=["memories"], route_class=OnceRoute)


@router.post(
    "/memories",
    status_code=201,
    response_model=WrittenShape,
    responses=problems(409) | {200: {"model": WrittenShape, "description": "It was known already"}},
    dependencies=[ONCE],
)
@in_one_transaction
def remember(asked: Remembering, caller: Writer, response: Response) -> dict[str, Any]:
    """Keep a statement; said again, it is recognised."""
    caller.agent(asked.agent)
    given = caller.owned(asked.given())
    caller.check_sessions(given)
    written = caller.tacit.remember(by=caller.actor(asked.by), **given)
    if written.status is not Status.CREATED:
        response.status_code = 200
    return told(caller, [written])[0]


@router.post(
    "/memories/bulk", response_model=ManyWritten, responses=problems(409), dependencies=[ONCE]
)
@in_one_transaction
def remember_all(asked: Bulk, caller: Writer) -> dict[str, Any]:
    """Keep many statements: all of them, or none."""
    check_batch(caller, "items", len(asked.items))
    for each in asked.items:
        caller.agent(each.agent)
    drafts = [caller.owned(each.given()) for each in asked.items]
    for draft in drafts:
        caller.check_sessions(draft)
    return {"items": told(caller, caller.tacit.remember_all(drafts, by=caller.actor(asked.by)))}


@router.post(
    "/memories/assign",
    response_model=AssignmentResponse,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
def assign(asked: AssignRequest, caller: Writer) -> dict[str, Any]:
    """Give memories to a user: those named, or those of no user or another that filters leave."""
    caller.refuse_user("giving memories to a user concerns others")
    by, agent = caller.actor(asked.by), caller.agent(asked.agent)
    if asked.ids is not None:
        check_batch(caller, "ids", len(asked.ids))
        caller.check_visible(*asked.ids)
    done = caller.tacit.assign(asked.user, ids=asked.ids, by=by, agent=agent, **asked.selection())
    return done.to_dict()


@router.post("/memories/bulk/get", response_model=MemoriesShape, responses=problems())
def get_all(asked: Reading, caller: Reader) -> dict[str, Any]:
    """Many memories by their ids, in that order; those that are not there are left out."""
    check_batch(caller, "ids", len(asked.ids))
    found = caller.tacit.get_all(asked.ids)
    return {"items": [each.to_dict() for each in caller.visible_memories(found)]}


@router.post(
    "/memories/bulk/forget",
    response_model=ManyWritten,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def forget_all(asked: Ids, caller: Writer) -> dict[str, Any]:
    """Hide many memories: all of them, or none."""
    return _with_all(asked, caller, caller.tacit.forget_all)


@router.post(
    "/memories/bulk/restore",
    response_model=ManyWritten,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def restore_all(asked: Ids, caller: Writer) -> dict[str, Any]:
    """Bring many memories back: all of them, or none."""
    return _with_all(asked, caller, caller.tacit.restore_all)


@router.get("/memories", response_model=Page[MemoryShape], responses=problems(404))
def list_memories(caller: Reader, asked: Listed) -> dict[str, Any]:
    """A page of memories."""
    if not caller.looks_at_own(asked.scope, asked.scope_id, asked.session):
        return page([], asked.limit, None)
    found = caller.tacit.list(
        sort=asked.sort,
        limit=asked.limit,
        after=asked.after,
        **caller.seeing(asked.agent, asked.user),
        **asked.filters(),
    )
    return page([each.to_dict() for each in found], asked.limit, found[-1].id if found else None)


@router.get("/memories/count", response_model=CountShape, responses=problems())
def count(caller: Reader, asked: Filtered) -> dict[str, Any]:
    """How many memories there are on all pages of the list."""
    seeing = caller.seeing(asked.agent, asked.user)
    if not caller.looks_at_own(asked.scope, asked.scope_id, asked.session):
        return {"count": 0}
    return {"count": caller.tacit.count(**seeing, **asked.filters())}


@router.get("/memories/{id}", response_model=MemoryShape, responses=problems(404))
def get(id: MemoryId, caller: Reader, response: Response) -> dict[str, Any]:
    """One memory; a forgotten one is not found."""
    memory = caller.tacit.get(caller.visible(id))
    response.headers["ETag"] = _etag(memory)
    return memory.to_dict()


@router.patch("/memories/{id}", response_model=WrittenShape, responses=problems(404, 409, 412))
def edit(id: MemoryId, asked: Editing, caller: Writer, if_match: IfMatch = None) -> dict[str, Any]:
    """Change the fields that are named."""
    is_asked = if_match not in (None, "*")
    if is_asked and if_match != _etag(caller.tacit.get(caller.visible(id))):
        raise Refusal(CHANGED, "the memory is not what you had read; read it again")
    caller.agent(asked.agent)
    changes = asked.given()
    if caller.viewer.is_bound:
        known = caller.tacit.get(caller.visible(id))
        caller.check_moved(known, changes)
        caller.check_sessions({"scope": known.scope, "scope_id": known.scope_id, **changes})
    written = caller.tacit.edit(caller.visible(id), by=caller.actor(asked.by), **changes)
    return told(caller, [written])[0]


@router.delete("/memories/{id}", response_model=WrittenShape, responses=problems(404, 409))
def forget(id: MemoryId, caller: Writer, by: AskedBy = None) -> dict[str, Any]:
    """Hide a memory from every read; restore brings it back."""
    written = caller.tacit.forget(caller.visible(id), by=caller.actor(by))
    return told(caller, [written])[0]


@router.post(
    "/memories/{id}/restore",
    response_model=WrittenShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def restore(id: MemoryId, caller: Writer, asked: Acting | None = None) -> dict[str, Any]:
    """Bring back what was forgotten."""
    by = caller.actor(asked.by if asked else None)
    return told(caller, [caller.tacit.restore(caller.visible(id), by=by)])[0]


@router.post(
    "/memories/{id}/erase",
    response_model=ErasureShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
def erase(id: MemoryId, caller: Admin, asked: Acting | None = None) -> dict[str, Any]:
    """Remove a memory and all traces of its words for good."""
    by = caller.actor(asked.by if asked else None)
    require_person(by)
    return caller.erasures.erase(caller.owned_memory(id), by=by).to_dict()


@router.get("/memories/{id}/history", response_model=Page[AuditShape], responses=problems(404))
def history(id: MemoryId, caller: Reader) -> dict[str, Any]:
    """Every change of a memory, oldest first; forgotten and erased ones have one too."""
    entries = caller.own.history(caller.visible(id))
    return {"items": [each.to_dict() for each in entries], "next": None}


@router.post("/search", response_model=FoundShape, responses=problems())
def search(asked: Searching, caller: Reader) -> dict[str, Any]:
    """The memories that matter most for a text, best first."""
    if not caller.looks_at_own(asked.scope, asked.scope_id, None):
        return SearchResult(hits=()).to_dict()
    result = caller.tacit.search(
        asked.text,
        mode=asked.mode,
        types=asked.types,
        scope=asked.scope,
        scope_id=asked.scope_id,
        **caller.seeing(asked.agent, asked.user),
        min_confidence=asked.min_confidence,
        **asked.settings,
    )
    caller.service.metrics.observe_search(sum(result.timings_ms.values()) / 1_000)
    return result.to_dict()


def _with_all(asked: Ids, caller: Caller, act: Callable[..., Sequence[Written]]) -> dict[str, Any]:
    """Do the same with many memories that the caller may know of."""
    check_batch(caller, "ids", len(asked.ids))
    caller.check_visible(*asked.ids)
    return {"items": told(caller, act(asked.ids, by=caller.actor(asked.by)))}


def check_batch(caller: Caller, field: str, count: int) -> None:
    """Refuse more at once than the settings allow."""
    most = caller.service.config.server.max_batch
    if count > most:
        raise InvalidInput(field, f"{count} are too many; at most {most} at once")


def _etag(memory: Memory) -> str:
    """What a change of the memory changes; being used is none."""
    values = {**memory.to_dict(), "last_accessed_at": None, "access_count": None}
    return f'"{sha256(repr(values).encode()).hexdigest()[:32]}"'
