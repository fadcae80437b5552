"""Views of memory for a request: the context an agent would get, and what is selected and why."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Query

from tacit.api.tacit import Tacit
from tacit.core.errors import NotFound
from tacit.core.explanations import explain_candidate
from tacit.core.receipt import Candidate, Fate
from tacit.server.access import Caller, Reader
from tacit.server.bodies import CheckedRoute
from tacit.server.models.common import problems
from tacit.server.models.views import ContextShape, Selecting, SelectionShape

router = APIRouter(prefix="/v1/memory", tags=["views"], route_class=CheckedRoute)


@router.get(
    "/context",
    response_model=ContextShape,
    response_model_exclude_unset=True,
    responses=problems(),
)
def context(
    caller: Reader,
    user_request: Annotated[str, Query(examples=["How do we sign people in?"])],
    confidence_threshold: Annotated[
        float | None, Query(ge=0, le=1, description="Memories less sure than this stay out.")
    ] = None,
    session: Annotated[str | None, Query(description="Where it would be said.")] = None,
    agent: str | None = None,
    user: str | None = None,
    project: str | None = None,
    org: str | None = None,
) -> dict[str, Any]:
    """What an agent should know for a request; nothing happens."""
    least = {"memory_confidence_threshold": confidence_threshold}
    prepared = caller.tacit.preview(
        session=_session(caller, session),
        text=user_request,
        history=None,
        **caller.seeing(agent, user),
        project=project,
        org=org,
        **(least if confidence_threshold is not None else {}),
    )
    return {
        "user_request": user_request,
        "context": prepared.block or "",
        "count": len(prepared.receipt.injected),
        "tokens": prepared.receipt.tokens,
        "receipt": caller.told(prepared.receipt).summary(),
    }


@router.post("/select", response_model=SelectionShape, responses=problems())
def select(asked: Selecting, caller: Reader) -> dict[str, Any]:
    """Which memories would be shown for a request and why, out of some scopes and types."""
    prepared = caller.tacit.preview(
        session=_session(caller, asked.session),
        text=asked.user_request,
        history=None,
        **caller.seeing(asked.agent, asked.user),
        project=asked.project,
        org=asked.org,
        scopes=asked.scope_filter,
        types=asked.category_filter,
    )
    left_out = [each for each in prepared.receipt.candidates if each.fate is not Fate.INJECTED]
    return {
        "selected": list(_selected(caller.tacit, prepared.receipt.injected)),
        "omitted": [_omitted(each) for each in left_out],
    }


def _session(caller: Caller, named: str | None) -> str:
    """The session that is looked into; where none is named, a new one that nobody has."""
    return f"view-{uuid4()}" if named is None else caller.own.check_free(named)


def _selected(tacit: Tacit, candidates: Iterable[Candidate]) -> Iterator[dict[str, Any]]:
    """Memories with the reasons for them; one that was forgotten meanwhile is none."""
    for each in candidates:
        try:
            memory = tacit.get(each.memory)
        except NotFound:
            continue
        yield {
            "memory": memory.to_dict(),
            "found": each.found,
            "score": round(each.score, 4),
            "reason": explain_candidate(each),
        }


def _omitted(candidate: Candidate) -> dict[str, Any]:
    return {
        "memory": candidate.memory,
        "fate": candidate.fate,
        "reason": explain_candidate(candidate),
        "by": candidate.by,
    }
