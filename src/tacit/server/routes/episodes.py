"""Episodes: list what was said, keep it as a memory, forget and restore it."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.core.episodes import Episode
from tacit.server.access import Caller, Reader, Writer, report_writes
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute
from tacit.server.request_input import EpisodeId
from tacit.server.schemas.common import After, ForUser, Limit, problem_responses, to_page
from tacit.server.schemas.memories import ActorRequest, PromoteRequest
from tacit.server.schemas.values import page_of, response_of
from tacit.writing.draft import Written

episodes_router = APIRouter(prefix="/v1/episodes", tags=["episodes"], route_class=IdempotentRoute)


@episodes_router.get("", response_model=page_of(Episode), responses=problem_responses())
def list_episodes(
    caller: Reader,
    user: ForUser = None,
    project: Annotated[
        str | None, Query(description="What a turn in this project may see.")
    ] = None,
    session: Annotated[str | None, Query(description="Of this session only.")] = None,
    contains: Annotated[str | None, Query(description="With these words.")] = None,
    forgotten: Annotated[bool, Query(description="Forgotten ones too.")] = False,
    limit: Limit = 50,
    after: After = None,
) -> dict[str, Any]:
    """What a user said, newest first; without a user, what was said in a session."""
    whose = caller.check_user(user)
    found = caller.reading.episodes.list(
        user=whose,
        project=project,
        session=session,
        contains=contains,
        forgotten=forgotten,
        limit=limit,
        after=after,
    )
    return to_page([each.to_dict() for each in found], limit, found[-1].id if found else None)


@episodes_router.get(
    "/{episode_id}",
    response_model=response_of(Episode),
    responses=problem_responses(404),
    name="get",
)
def get_episode(id: EpisodeId, caller: Reader) -> dict[str, Any]:
    """One episode, also a forgotten one."""
    return caller.tacit.episodes.get(caller.check_visible_episode(id)).to_dict()


@episodes_router.post(
    "/{episode_id}/promote",
    response_model=response_of(Written),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="promote",
)
def promote_episode(
    id: EpisodeId, caller: Writer, body: PromoteRequest | None = None
) -> dict[str, Any]:
    """Keep what was said as a memory."""
    fields = {} if body is None else _given_fields(body, caller)
    by = caller.actor(None if body is None else body.by)
    written = caller.tacit.episodes.promote(caller.check_visible_episode(id), by=by, **fields)
    return report_writes(caller, [written])[0]


@episodes_router.post(
    "/{episode_id}/forget",
    response_model=response_of(Episode),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="forget",
)
def forget_episode(
    id: EpisodeId, caller: Writer, body: ActorRequest | None = None
) -> dict[str, Any]:
    """Hide what was said from search and turns; only a person can."""
    by = caller.actor(body.by if body else None)
    return caller.tacit.episodes.forget(caller.check_visible_episode(id), by=by).to_dict()


@episodes_router.post(
    "/{episode_id}/restore",
    response_model=response_of(Episode),
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="restore",
)
def restore_episode(
    id: EpisodeId, caller: Writer, body: ActorRequest | None = None
) -> dict[str, Any]:
    """Bring what was forgotten back."""
    by = caller.actor(body.by if body else None)
    return caller.tacit.episodes.restore(caller.check_visible_episode(id), by=by).to_dict()


def _given_fields(body: PromoteRequest, caller: Caller) -> dict[str, Any]:
    """The fields of the new memory that a caller may set."""
    given = {name: value for name, value in body.given_fields().items() if value is not None}
    caller.check_agent(given.get("agent"))
    if "scope" in given or "scope_id" in given:
        given = caller.memory_fields(given)
    caller.check_sessions(given)
    return given
