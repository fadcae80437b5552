"""Conflicts: memories that contradict each other, and how that ends."""

from typing import Any

from fastapi import APIRouter

from tacit.server.access import Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import After, ForAgent, ForUser, Limit, Page, page, problems
from tacit.server.models.memories import ManyWritten
from tacit.server.models.views import ConflictShape, Resolving
from tacit.server.writes import told

router = APIRouter(prefix="/v1/memory/conflicts", tags=["conflicts"], route_class=OnceRoute)


@router.get("", response_model=Page[ConflictShape], responses=problems())
def list_conflicts(
    caller: Reader,
    limit: Limit = 50,
    after: After = None,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """Live memories that cannot all be current, and what the rules recommend."""
    seeing = caller.seeing(agent, user)
    found = caller.tacit.conflicts(limit=limit, after=after, **seeing)
    return page([each.to_dict() for each in found], limit, found[-1].id if found else None)


@router.post(
    "/resolve", response_model=ManyWritten, responses=problems(404, 409), dependencies=[ONCE]
)
@in_one_transaction
def resolve(asked: Resolving, caller: Writer) -> dict[str, Any]:
    """End a conflict: `keep` replaces those to `supersede`, or all of `keep_both` are right."""
    kept = [asked.keep] if asked.keep else []
    caller.check_visible(*kept, *asked.supersede, *asked.keep_both)
    written = caller.tacit.resolve(
        keep=asked.keep,
        supersede=asked.supersede,
        keep_both=asked.keep_both,
        reason=asked.reason,
        by=caller.actor(asked.by),
    )
    return {"items": told(caller, written)}
