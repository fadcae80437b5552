"""Sessions and projects: list, inspect, reset, compact, fork, end, pause."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter

from tacit.core.sessions import ListedSession, Session
from tacit.server.access import Reader, Writer
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute, in_one_transaction
from tacit.server.request_input import ClaimedSession, OwnSession, ProjectId, SessionId
from tacit.server.schemas.common import (
    After,
    ForAgent,
    ForUser,
    Limit,
    problem_responses,
    to_page,
)
from tacit.server.schemas.sessions import (
    CompactionResponse,
    CompactRequest,
    ForkRequest,
    ProjectPausedResponse,
    ProjectResumedResponse,
    SessionEndedResponse,
    SessionPausedResponse,
    SessionResumedResponse,
    SetVariablesRequest,
    VariablesResponse,
)
from tacit.server.schemas.values import page_of, response_of
from tacit.turn.session_view import Reset, SessionReport

projects_router = APIRouter(prefix="/v1/projects", tags=["projects"], route_class=IdempotentRoute)


@projects_router.post(
    "/{project}/pause",
    response_model=ProjectPausedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="pause",
)
@in_one_transaction
def pause_project(id: ProjectId, caller: Writer) -> dict[str, Any]:
    """Pause a project: nothing is read or written for it."""
    caller.refuse_bound("others work in a project too")
    caller.tacit.sessions.pause(project=id)
    return {"project": id, "paused": True}


@projects_router.post(
    "/{project}/resume",
    response_model=ProjectResumedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="resume",
)
@in_one_transaction
def resume_project(id: ProjectId, caller: Writer) -> dict[str, Any]:
    """Resume a project; reports whether it was paused."""
    caller.refuse_bound("others work in a project too")
    was_paused = caller.tacit.sessions.resume(project=id)
    return {"project": id, "paused": False, "was_paused": was_paused}


sessions_router = APIRouter(prefix="/v1/sessions", tags=["sessions"], route_class=IdempotentRoute)


@sessions_router.get("", response_model=page_of(ListedSession), responses=problem_responses())
def list_sessions(caller: Reader, limit: Limit = 50, after: After = None) -> dict[str, Any]:
    """The sessions that were active last, newest first."""
    found = caller.access.sessions(limit=limit, after=after)
    return to_page([each.to_dict() for each in found], limit, found[-1].cursor if found else None)


@sessions_router.get(
    "/{session}/variables",
    response_model=VariablesResponse,
    responses=problem_responses(),
    name="variables",
)
def get_variables(id: SessionId, caller: Reader) -> dict[str, Any]:
    """The variables of a session."""
    return {"session": id, "variables": caller.access.variables(id)}


@sessions_router.post(
    "/{session}/variables",
    response_model=VariablesResponse,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="note",
)
@in_one_transaction
def set_variables(id: ClaimedSession, body: SetVariablesRequest, caller: Writer) -> dict[str, Any]:
    """Set variables of a session; the others stay as they are."""
    caller.tacit.sessions.set_variables(id, body.changes)
    return {"session": id, "variables": caller.access.variables(id)}


@sessions_router.get(
    "/{session}",
    response_model=response_of(SessionReport),
    response_model_exclude_unset=True,
    responses=problem_responses(404),
    name="get",
)
def get_session(
    id: OwnSession, caller: Reader, agent: ForAgent = None, user: ForUser = None
) -> dict[str, Any]:
    """The report of a session: its blocks, its ledger and its last receipts."""
    report = caller.tacit.sessions.get(id, **caller.viewer_arguments(agent, user))
    return replace(report, receipts=tuple(map(caller.visible_receipt, report.receipts))).to_dict()


@sessions_router.post(
    "/{session}/reset",
    response_model=response_of(Reset),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="reset",
)
@in_one_transaction
def reset_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """Let every memory be shown in a session again."""
    return caller.tacit.sessions.reset_memory_injection_tracking(id).to_dict()


@sessions_router.post(
    "/{session}/clear",
    response_model=response_of(Reset),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="clear",
)
@in_one_transaction
def clear_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """Start the history anew: every memory may be shown again, open turns are abandoned."""
    return caller.tacit.sessions.clear(id).to_dict()


@sessions_router.post(
    "/{session}/compact",
    response_model=CompactionResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="compact",
)
def compact_session(id: ClaimedSession, body: CompactRequest, caller: Writer) -> dict[str, Any]:
    """Compact a history: summarize its oldest part, depending on how full the window is."""
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
    "/{session}/fork",
    status_code=201,
    response_model=response_of(Session),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="fork",
)
@in_one_transaction
def fork_session(id: OwnSession, body: ForkRequest, caller: Writer) -> dict[str, Any]:
    """Fork a session: the branch keeps the blocks in view and tracks its own from then on."""
    return caller.tacit.sessions.fork(id, caller.access.check_free(body.into)).to_dict()


@sessions_router.post(
    "/{session}/end",
    response_model=SessionEndedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="end",
)
def end_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """End a session, so that the language model, if there is one, reads the rest of it."""
    return {"session": id, "waiting": caller.tacit.end_session(id)}


@sessions_router.post(
    "/{session}/pause",
    response_model=SessionPausedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="pause",
)
@in_one_transaction
def pause_session(id: ClaimedSession, caller: Writer) -> dict[str, Any]:
    """Pause a session: nothing is read or written for it."""
    caller.tacit.sessions.pause(session=id)
    return {"session": id, "paused": True}


@sessions_router.post(
    "/{session}/resume",
    response_model=SessionResumedResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="resume",
)
@in_one_transaction
def resume_session(id: OwnSession, caller: Writer) -> dict[str, Any]:
    """Resume a session; reports whether it was paused."""
    was_paused = caller.tacit.sessions.resume(session=id)
    return {"session": id, "paused": False, "was_paused": was_paused}
