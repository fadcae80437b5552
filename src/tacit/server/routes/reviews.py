"""Reviews: what waits for a person, and what a person decides."""

from typing import Any

from fastapi import APIRouter

from tacit.core.kinds import Actor
from tacit.server.access import Caller, Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import After, ForAgent, ForUser, Limit, Page, page, problems
from tacit.server.models.memories import ReviewShape, WrittenShape
from tacit.server.models.reviews import Deciding, ReviewId, ReviewReportShape
from tacit.server.problems import NOT_ALLOWED, Refusal
from tacit.server.writes import told

router = APIRouter(prefix="/v1/reviews", tags=["reviews"], route_class=OnceRoute)

_SILENT = Deciding(reason="")


@router.get("", response_model=Page[ReviewShape], responses=problems(404))
def list_reviews(
    caller: Reader,
    limit: Limit = 50,
    after: After = None,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """Changes that wait for a person, oldest first."""
    seeing = caller.seeing(agent, user)
    found = caller.tacit.reviews(limit=limit, after=after, **seeing)
    return page([each.to_dict() for each in found], limit, found[-1].id if found else None)


@router.get("/{id}", response_model=ReviewReportShape, responses=problems(404))
def review(
    id: ReviewId, caller: Reader, agent: ForAgent = None, user: ForUser = None
) -> dict[str, Any]:
    """One change that waits, with the memory as it is now and what would become of it."""
    return caller.tacit.review(id, **caller.seeing(agent, user)).to_dict()


@router.post(
    "/{id}/accept",
    response_model=WrittenShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def accept(id: ReviewId, caller: Writer, asked: Deciding = _SILENT) -> dict[str, Any]:
    """Carry out a change that waits, in the name of the person who accepts it."""
    by = _person(caller, id, asked.by)
    return told(caller, [caller.tacit.accept(id, reason=asked.reason, by=by)])[0]


@router.post(
    "/{id}/reject",
    response_model=ReviewShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def reject(id: ReviewId, caller: Writer, asked: Deciding = _SILENT) -> dict[str, Any]:
    """Drop a change that waits; no memory changes."""
    by = _person(caller, id, asked.by)
    return caller.tacit.reject(id, reason=asked.reason, by=by).to_dict()


def _person(caller: Caller, id: str, by: Actor | None) -> Actor:
    """In whose name it is decided; an agent can never decide, nor a user what is another's."""
    if caller.own_agent is not None:
        detail = "this is an agent's key, and only a person decides what waits for one"
        raise Refusal(NOT_ALLOWED, detail)
    if caller.own_user is not None:
        caller.tacit.review(id, user=caller.own_user)
    return caller.actor(by)
