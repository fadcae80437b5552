"""Sessions and projects: list, inspect, reset, compact, fork, end, pause."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter

from tacit.server.access import Reader, Writer
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute, in_one_transaction
from tacit.server.request_input import ClaimedSession, OwnSession, ProjectId, SessionId
from tacit.server.schemas.common import (
    After,
    ForAgent,
    ForUser,
    Limit,
    PageResponse,
    problem_responses,
    to_page,
)
from tacit.server.schemas.sessions import (
    CompactionResponse,
    CompactRequest,
    ForkRequest,
    ListedSessionResponse,
    ProjectPausedResponse,
    ProjectResumedResponse,
    ResetResponse,
    SessionEndedResponse,
    SessionPausedResponse,
    SessionReportResponse,
    SessionResponse,
    SessionResumedResponse,
    SetVariablesRequest,
    VariablesResponse,
)

projects_router = APIRouter(prefix="/v1/projects", tags=["projects"], route_class=IdempotentRoute)


@projects_router.post(
    "/{id}/pause",
    response_model=ProjectPausedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="pause",
)
@in_one_transaction
def pause_project(id: ProjectId, caller: Writer) -> dict[str, Any]:
    """Leave a project alone: nothing is read for it and nothing is written."""
    caller.refuse_bound("others work in a project too")
    caller.tacit.pause(project=id)
    return {"project": id, "paused": True}


@projects_router.post(
    "/{id}/resume",
    response_model=ProjectResumedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="resume",
)
@in_one_transaction
def resume_project(id: ProjectId, caller: Writer) -> dict[str, Any]:
    """Serve a project again; tells whether it was paused."""
    caller.refuse_bound("others work in a project too")
    was_paused = caller.tacit.resume(project=id)
    return {"project": id, "paused": False, "was_paused": was_paused}


sessions_router = APIRouter(prefix="/v1/sessions", tags=["sessions"], route_class=IdempotentRoute)


@sessions_router.get(
    "", response_model=PageResponse[ListedSessionResponse], responses=problem_responses()
)
def list_sessions(caller: Reader, limit: Limit = 50, after: After = None) -> dict[str, Any]:
    """The sessions that were active last, newest first."""
    found = caller.access.sessions(limit=limit, after=after)
    return to_page([each.to_dict() for each in found], limit, found[-1].cursor if found else None)


@sessions_router.get(
    "/{id}/variables",
    response_model=VariablesResponse,
    responses=problem_responses(),
    name="variables",
)
def get_variables(id: SessionId, caller: Reader) -> dict[str, Any]:
    """What workflows noted about a session."""
    return {"session": id, "variables": caller.access.variables(id)}


@sessions_router.post(
    "/{id}/variables",
    response_model=VariablesResponse,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="note",
)
@in_one_transaction
def set_variables(id: ClaimedSession, body: SetVariablesRequest, caller: Writer) -> dict[str, Any]:
    """Note something about a session; the rest stays as it is."""
    caller.tacit.set_variables(id, body.changes)
    return {"session": id, "variables": caller.access.variables(id)}


@sessions_router.get(
    "/{id}",
    response_model=SessionReportResponse,
    response_model_exclude_unset=True,
    responses=problem_responses(404),
    name="get",
)
def get_session(
    id: OwnSession, caller: Reader, agent: ForAgent = None, user: ForUser = None
) -> dict[str, Any]:
    """What is known of a session: its blocks, its ledger and its last receipts."""
    report = caller.tacit.session(id, **caller.viewer_arguments(agent, user))
    return replace(report, receipts=tuple(map(caller.visible_receipt, report.receipts))).to_dict()


@sessions_router.post(
    "/{id}/reset",
    response_model=ResetResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="reset",
)
@in_one_transaction
def reset_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """Let a session be shown everything again."""
    return caller.tacit.reset_memory_injection_tracking(id).to_dict()


@sessions_router.post(
    "/{id}/clear",
    response_model=ResetResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="clear",
)
@in_one_transaction
def clear_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """The history begins anew: all may come again, and open turns are abandoned."""
    return caller.tacit.clear(id).to_dict()


@sessions_router.post(
    "/{id}/compact",
    response_model=CompactionResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="compact",
)
def compact_session(id: ClaimedSession, body: CompactRequest, caller: Writer) -> dict[str, Any]:
    """Make room in a history: its oldest part is summed up, as far as it fills the window."""
    done = caller.tacit.compact(
        session=id,
        history=body.history,
        agent=caller.check_agent(body.agent),
        level=body.level,
        wait=body.wait,
        **body.settings,
    )
    return {**done.to_dict(), "messages": list(done.messages)}


@sessions_router.post(
    "/{id}/fork",
    status_code=201,
    response_model=SessionResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="fork",
)
@in_one_transaction
def fork_session(id: OwnSession, body: ForkRequest, caller: Writer) -> dict[str, Any]:
    """Begin a branch of a session: it sees the blocks, and what it is shown is its own."""
    return caller.tacit.fork(id, caller.access.check_free(body.into)).to_dict()


@sessions_router.post(
    "/{id}/end",
    response_model=SessionEndedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="end",
)
def end_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """A session is over: the language model, if there is one, reads the rest of it soon."""
    return {"session": id, "waiting": caller.tacit.end_session(id)}


@sessions_router.post(
    "/{id}/pause",
    response_model=SessionPausedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="pause",
)
@in_one_transaction
def pause_session(id: ClaimedSession, caller: Writer) -> dict[str, Any]:
    """Leave a session alone: nothing is read for it and nothing is written."""
    caller.tacit.pause(session=id)
    return {"session": id, "paused": True}


@sessions_router.post(
    "/{id}/resume",
    response_model=SessionResumedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="resume",
)
@in_one_transaction
def resume_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """Serve a session again; tells whether it was paused."""
    was_paused = caller.tacit.resume(session=id)
    return {"session": id, "paused": False, "was_paused": was_paused}
