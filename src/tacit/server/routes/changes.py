"""What memory did by itself: see it, and undo it."""

from typing import Any

from fastapi import APIRouter

from tacit.core.changes import Change
from tacit.server.access import Reader, Writer, report_writes
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute, in_one_transaction
from tacit.server.request_input import ChangeId
from tacit.server.schemas.common import (
    After,
    ForAgent,
    ForUser,
    Limit,
    problem_responses,
    to_page,
)
from tacit.server.schemas.memories import ActorRequest
from tacit.server.schemas.values import page_of, response_of
from tacit.writing.draft import Written

changes_router = APIRouter(prefix="/v1/changes", tags=["reviews"], route_class=IdempotentRoute)


@changes_router.get("", response_model=page_of(Change), responses=problem_responses(404))
def list_changes(
    caller: Reader,
    limit: Limit = 50,
    after: After = None,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """What was replaced, merged, hidden or expired without a person, newest first."""
    viewer = caller.viewer_arguments(agent, user)
    found = caller.tacit.changes.list(limit=limit, after=after, **viewer)
    return to_page([each.to_dict() for each in found], limit, found[-1].id if found else None)


@changes_router.post(
    "/{change_id}/undo",
    response_model=response_of(Written),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="undo_change",
)
@in_one_transaction
def undo_change(id: ChangeId, caller: Writer, body: ActorRequest | None = None) -> dict[str, Any]:
    """Undo one of these changes: the memory holds again, beside what replaced it."""
    by = caller.actor(body.by if body else None)
    written = caller.tacit.changes.undo(caller.access.check_change(id), by=by)
    return report_writes(caller, [written])[0]
