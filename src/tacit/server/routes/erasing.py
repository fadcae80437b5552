"""Erasing many things at once."""

from typing import Any

from fastapi import APIRouter

from tacit.core.kinds import Scope
from tacit.server.access import Admin, Caller
from tacit.server.idempotency import ONCE, OnceRoute
from tacit.server.models.common import problems
from tacit.server.models.erasing import MatchSweeping, OwnerSweeping, Sweeping, SweepShape
from tacit.server.ownership import OwnSession

router = APIRouter(prefix="/v1", tags=["erasing"], route_class=OnceRoute)

_USUAL = Sweeping(dry_run=False)


@router.post(
    "/owners/erase", response_model=SweepShape, responses=problems(409), dependencies=[ONCE]
)
def erase_owner(asked: OwnerSweeping, caller: Admin) -> dict[str, Any]:
    """Remove all memories of an owner, and the turns that were asked as them, for good."""
    _check_owner(caller, asked.scope, asked.scope_id)
    by = caller.actor(asked.by)
    done = caller.erasures.erase_owner(asked.scope, asked.scope_id, dry_run=asked.dry_run, by=by)
    return done.to_dict()


@router.post(
    "/sessions/{id}/erase",
    response_model=SweepShape,
    responses=problems(409),
    dependencies=[ONCE],
)
def erase_session(id: OwnSession, caller: Admin, asked: Sweeping = _USUAL) -> dict[str, Any]:
    """Remove a session with all that was said in it for good."""
    by = caller.actor(asked.by)
    return caller.erasures.erase_session(id, dry_run=asked.dry_run, by=by).to_dict()


@router.post(
    "/memories/erase", response_model=SweepShape, responses=problems(409), dependencies=[ONCE]
)
def erase_matching(asked: MatchSweeping, caller: Admin) -> dict[str, Any]:
    """Remove the memories that filters leave, in every state, for good."""
    by, filters = caller.actor(asked.by), asked.filters()
    _check_owner(caller, filters.get("scope"), filters.get("scope_id"))
    done = caller.erasures.erase_matching(dry_run=asked.dry_run, by=by, **filters)
    return done.to_dict()


def _check_owner(caller: Caller, scope: Scope | None, scope_id: str | None) -> None:
    """Who is bound to a user erases what is theirs; who is an agent too, one memory at a time."""
    if caller.own_agent is None and (scope, scope_id) == (Scope.USER, caller.own_user):
        return
    caller.refuse_bound("what is erased may be others' too: name scope user and your own scope_id")
