"""Sessions: list, look into, reset, compact, branch, end and pause."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter

from tacit.server.access import Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import After, ForAgent, ForUser, Limit, Page, page, problems
from tacit.server.models.sessions import (
    Compacting,
    CompactionShape,
    Forking,
    ListedSessionShape,
    Noting,
    ResetShape,
    SessionEnded,
    SessionPaused,
    SessionReportShape,
    SessionResumed,
    SessionShape,
    VariablesShape,
)
from tacit.server.names import SessionId
from tacit.server.ownership import ClaimedSession, OwnSession

router = APIRouter(prefix="/v1/sessions", tags=["sessions"], route_class=OnceRoute)


@router.get("", response_model=Page[ListedSessionShape], responses=problems())
def list_sessions(caller: Reader, limit: Limit = 50, after: After = None) -> dict[str, Any]:
    """The sessions that were active last, newest first."""
    found = caller.own.sessions(limit=limit, after=after)
    return page([each.to_dict() for each in found], limit, found[-1].cursor if found else None)


@router.get("/{id}/variables", response_model=VariablesShape, responses=problems())
def variables(id: SessionId, caller: Reader) -> dict[str, Any]:
    """What workflows noted about a session."""
    return {"session": id, "variables": caller.own.variables(id)}


@router.post(
    "/{id}/variables",
    response_model=VariablesShape,
    responses=problems(409),
    dependencies=[ONCE],
)
@in_one_transaction
def note(id: ClaimedSession, asked: Noting, caller: Writer) -> dict[str, Any]:
    """Note something about a session; the rest stays as it is."""
    caller.tacit.set_variables(id, asked.changes)
    return {"session": id, "variables": caller.own.variables(id)}


@router.get(
    "/{id}",
    response_model=SessionReportShape,
    response_model_exclude_unset=True,
    responses=problems(404),
)
def get(
    id: OwnSession, caller: Reader, agent: ForAgent = None, user: ForUser = None
) -> dict[str, Any]:
    """What is known of a session: its blocks, its ledger and its last receipts."""
    report = caller.tacit.session(id, **caller.seeing(agent, user))
    return replace(report, receipts=tuple(map(caller.told, report.receipts))).to_dict()


@router.post(
    "/{id}/reset", response_model=ResetShape, responses=problems(404, 409), dependencies=[ONCE]
)
@in_one_transaction
def reset(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """Let a session be shown everything again."""
    return caller.tacit.reset_memory_injection_tracking(id).to_dict()


@router.post(
    "/{id}/clear", response_model=ResetShape, responses=problems(404, 409), dependencies=[ONCE]
)
@in_one_transaction
def clear(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """The history begins anew: all may come again, and open turns are abandoned."""
    return caller.tacit.clear(id).to_dict()


@router.post(
    "/{id}/compact",
    response_model=CompactionShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
def compact(id: ClaimedSession, asked: Compacting, caller: Writer) -> dict[str, Any]:
    """Make room in a history: its oldest part is summed up, as far as it fills the window."""
    done = caller.tacit.compact(
        session=id,
        history=asked.history,
        agent=caller.agent(asked.agent),
        level=asked.level,
        wait=asked.wait,
        **asked.settings,
    )
    return {**done.to_dict(), "messages": list(done.messages)}


@router.post(
    "/{id}/fork",
    status_code=201,
    response_model=SessionShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def fork(id: OwnSession, asked: Forking, caller: Writer) -> dict[str, Any]:
    """Begin a branch of a session: it sees the blocks, and what it is shown is its own."""
    return caller.tacit.fork(id, caller.own.check_free(asked.into)).to_dict()


@router.post(
    "/{id}/end",
    response_model=SessionEnded,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
def end(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """A session is over: the language model, if there is one, reads the rest of it soon."""
    return {"session": id, "waiting": caller.tacit.end_session(id)}


@router.post(
    "/{id}/pause",
    response_model=SessionPaused,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def pause(id: ClaimedSession, caller: Writer) -> dict[str, Any]:
    """Leave a session alone: nothing is read for it and nothing is written."""
    caller.tacit.pause(session=id)
    return {"session": id, "paused": True}


@router.post(
    "/{id}/resume",
    response_model=SessionResumed,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def resume(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """Serve a session again; tells whether it was paused."""
    was_paused = caller.tacit.resume(session=id)
    return {"session": id, "paused": False, "was_paused": was_paused}
