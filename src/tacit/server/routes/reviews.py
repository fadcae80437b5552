"""Reviews that wait for a person, and learning from what was said."""

from asyncio import wrap_future
from typing import Any

from fastapi import APIRouter

from tacit.core.changes import Review, ReviewReport
from tacit.core.keys import Role
from tacit.core.kinds import Actor
from tacit.core.open_turn import UnreadTurn
from tacit.language.extraction.findings import Extraction
from tacit.server.access import Caller, Reader, Writer, report_writes
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute, in_one_transaction
from tacit.server.problems import NOT_ALLOWED, RequestRefused
from tacit.server.request_input import ReviewId, TurnId
from tacit.server.schemas.common import (
    After,
    ForAgent,
    ForUser,
    Limit,
    problem_responses,
    to_page,
)
from tacit.server.schemas.reviews import DecideReviewRequest, ExtractRequest
from tacit.server.schemas.values import page_of, response_of
from tacit.writing.draft import Written
from tacit.writing.learning.lesson import Learned

learning_router = APIRouter(prefix="/v1", tags=["learning"], route_class=IdempotentRoute)


@learning_router.post(
    "/learn",
    response_model=response_of(Learned),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
async def learn(caller: Writer, agent: ForAgent = None, user: ForUser = None) -> dict[str, Any]:
    """Learn now from the queued turns; reports what became of each statement."""
    own, viewer = caller.access, caller.viewer_arguments(agent, user)
    learning = caller.service.learning.submit(lambda: own.learn(**viewer).to_dict())
    return await wrap_future(learning)


@learning_router.get(
    "/learn/unread", response_model=page_of(UnreadTurn), responses=problem_responses(404)
)
def unread_turns(
    caller: Reader,
    limit: Limit = 50,
    after: After = None,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """Turns that could not be read after three tries, oldest first; they wait for a person."""
    viewer = caller.viewer_arguments(agent, user)
    found = caller.tacit.reviews.unread_turns(limit=limit, after=after, **viewer)
    return to_page([each.to_dict() for each in found], limit, found[-1].id if found else None)


@learning_router.post(
    "/learn/unread/{turn_id}/retry",
    status_code=204,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
)
@in_one_transaction
def retry_unread_turn(id: TurnId, caller: Writer) -> None:
    """Read a turn again that was set aside."""
    caller.tacit.reviews.retry_unread_turn(_check_own_turn(caller, id))


@learning_router.delete(
    "/learn/unread/{turn_id}",
    status_code=204,
    responses=problem_responses(404),
)
def drop_unread_turn(id: TurnId, caller: Writer) -> None:
    """Drop a turn that was set aside: nothing will be learned from it."""
    caller.tacit.reviews.drop_unread_turn(_check_own_turn(caller, id))


def _check_own_turn(caller: Caller, id: str) -> str:
    """The id of a turn that the caller may decide on; agents cannot, users only on their own."""
    _refuse_agents(caller)
    return caller.access.check_turn(id) if caller.bound_user is not None else id


@learning_router.post(
    "/extract", response_model=response_of(Extraction), responses=problem_responses()
)
def extract(body: ExtractRequest, caller: Reader) -> dict[str, Any]:
    """What the rules, and a model if asked, would learn from a message; nothing is learned."""
    if body.with_model and not caller.role.allows(Role.WRITE):
        raise RequestRefused(NOT_ALLOWED, "asking the language model needs the role write")
    return caller.tacit.extract(body.text, with_model=body.with_model).to_dict()


reviews_router = APIRouter(prefix="/v1/reviews", tags=["reviews"], route_class=IdempotentRoute)

_NO_REASON = DecideReviewRequest(reason="")


@reviews_router.get("", response_model=page_of(Review), responses=problem_responses(404))
def list_reviews(
    caller: Reader,
    limit: Limit = 50,
    after: After = None,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """Changes that wait for a person, oldest first."""
    viewer = caller.viewer_arguments(agent, user)
    found = caller.tacit.reviews.list(limit=limit, after=after, **viewer)
    return to_page([each.to_dict() for each in found], limit, found[-1].id if found else None)


@reviews_router.get(
    "/{review_id}",
    response_model=response_of(ReviewReport),
    responses=problem_responses(404),
    name="review",
)
def get_review(
    id: ReviewId, caller: Reader, agent: ForAgent = None, user: ForUser = None
) -> dict[str, Any]:
    """One pending change, with the memory as it is and as it would become."""
    return caller.tacit.reviews.get(id, **caller.viewer_arguments(agent, user)).to_dict()


@reviews_router.post(
    "/{review_id}/accept",
    response_model=response_of(Written),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="accept",
)
@in_one_transaction
def accept_review(
    id: ReviewId, caller: Writer, body: DecideReviewRequest = _NO_REASON
) -> dict[str, Any]:
    """Carry out a pending change in the name of the person who accepts it."""
    by = _check_decider(caller, id, body.by)
    caller.check_review(id)
    return report_writes(caller, [caller.tacit.reviews.accept(id, reason=body.reason, by=by)])[0]


@reviews_router.post(
    "/{review_id}/reject",
    response_model=response_of(Review),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="reject",
)
@in_one_transaction
def reject_review(
    id: ReviewId, caller: Writer, body: DecideReviewRequest = _NO_REASON
) -> dict[str, Any]:
    """Reject a pending change; no memory changes."""
    by = _check_decider(caller, id, body.by)
    return caller.tacit.reviews.reject(id, reason=body.reason, by=by).to_dict()


def _check_decider(caller: Caller, id: str, by: Actor | None) -> Actor:
    """The actor of a decision; agents cannot decide, users only on what they may see."""
    _refuse_agents(caller)
    if caller.bound_user is not None:
        caller.tacit.reviews.get(id, user=caller.bound_user)
    return caller.actor(by)


def _refuse_agents(caller: Caller) -> None:
    if caller.bound_agent is not None:
        detail = "this is an agent's key, and only a person decides what waits for one"
        raise RequestRefused(NOT_ALLOWED, detail)
