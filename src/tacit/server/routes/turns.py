"""Turns: begin, commit, roll back, preview; their receipts, and marks on irrelevant memories."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Query

from tacit.api.tacit import Tacit
from tacit.core.errors import NotFound
from tacit.core.explanations import explain_candidate
from tacit.core.marks import Marked
from tacit.core.open_turn import OpenTurn
from tacit.core.receipt import Candidate, Fate, Receipt
from tacit.language.injection_blocks import join_blocks
from tacit.runtime.telemetry import current_request_id
from tacit.server.access import Caller, Reader, Writer
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute, in_one_transaction
from tacit.server.request_input import CheckedRoute, MarkId, MemoryId, OwnReceipt, OwnTurn, TurnId
from tacit.server.schemas.common import (
    After,
    ForAgent,
    ForUser,
    Limit,
    problem_responses,
    to_page,
)
from tacit.server.schemas.memories import (
    MarkAuthorRequest,
    MarkIrrelevantForRequest,
    MarkIrrelevantRequest,
    MarkResponse,
)
from tacit.server.schemas.turns import (
    BeginCallRequest,
    BeginTurnRequest,
    CommitResponse,
    CommitTurnRequest,
    ContextResponse,
    PreviewResponse,
    PreviewTurnRequest,
    ReceiptDetail,
    ReceiptSummaryResponse,
    RollbackResponse,
    SelectionResponse,
    SelectRequest,
    TurnFields,
    TurnResponse,
    TurnStateResponse,
)
from tacit.server.schemas.values import page_of, response_of
from tacit.turn.commit import CommitResult
from tacit.turn.replay import BegunCall

turns_router = APIRouter(prefix="/v1/turns", tags=["turns"], route_class=IdempotentRoute)


@turns_router.post(
    "",
    status_code=201,
    response_model=TurnResponse,
    response_model_exclude_unset=True,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="begin",
)
def begin_turn(body: BeginTurnRequest, caller: Writer) -> dict[str, Any]:
    """Begin a turn: its messages contain what the agent should know."""
    turn = caller.tacit.turn(**_check_beginning(body, caller), **body.settings)
    record_turn(caller, turn.receipt)
    receipt, is_whole = caller.visible_receipt(turn.receipt), body.receipt is ReceiptDetail.WHOLE
    return {
        "id": turn.receipt.id,
        "session": turn.receipt.session,
        "turn": turn.receipt.turn,
        "messages": turn.messages,
        **_to_blocks(turn.receipt, turn.blocks),
        "is_open": turn.is_open,
        "is_stored": turn.is_stored,
        "receipt": receipt.to_dict() if is_whole else receipt.summary(),
    }


@turns_router.post(
    "/preview",
    response_model=PreviewResponse,
    response_model_exclude_unset=True,
    responses=problem_responses(),
    name="preview",
)
def preview_turn(body: PreviewTurnRequest, caller: Reader) -> dict[str, Any]:
    """Preview a turn with its whole receipt, without any effect."""
    caller.access.check_free(body.session)
    prepared = caller.tacit.preview(**_turn_arguments(body, caller), **body.settings)
    return {
        "messages": list(prepared.messages),
        **_to_blocks(prepared.receipt, prepared.blocks),
        "receipt": caller.visible_receipt(prepared.receipt).to_dict(),
    }


@turns_router.get(
    "/{turn_id}", response_model=TurnStateResponse, responses=problem_responses(404), name="state"
)
def get_turn_state(id: OwnTurn, caller: Reader) -> dict[str, Any]:
    """Whether a turn is open, committed or abandoned."""
    found = caller.tacit.turns.find(id)
    return {"id": found.id, "session": found.session, "state": _state_name(found)}


@turns_router.post(
    "/{turn_id}/commit",
    response_model=CommitResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="commit",
)
@in_one_transaction
def commit_turn(id: TurnId, body: CommitTurnRequest, caller: Writer) -> dict[str, Any]:
    """Commit a turn with the reply. A repetition changes nothing."""
    begun = None
    if body.begun is None or caller.access.has_turn(id):
        caller.access.check_turn(id)
    else:
        begun = {**body.begun.settings, **_check_beginning(body.begun, caller)}
    reply = () if body.reply is None else body.reply
    ended = caller.tacit.commit_turn(id, reply, learn=body.learn, begun=begun, note=body.note)
    return report_commit(caller, id, ended)


@turns_router.post(
    "/{turn_id}/rollback",
    response_model=RollbackResponse,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="roll_back",
)
@in_one_transaction
def roll_back_turn(id: TurnId, caller: Writer) -> dict[str, Any]:
    """Cancel the turn; nothing of it is kept."""
    was_open = caller.access.roll_back(id)
    if was_open:
        caller.service.metrics.count_ended_turn("rolled_back")
    return {"id": id, "rolled_back": was_open}


def report_commit(caller: Caller, id: str, ended: CommitResult) -> dict[str, Any]:
    """Count a committed turn, and return how it ended."""
    if ended.was_open:
        caller.service.metrics.count_ended_turn("committed")
    return {"id": id, **ended.to_dict()}


def record_turn(caller: Caller, receipt: Receipt) -> None:
    """Count and trace a turn that began."""
    caller.service.metrics.count_turn(receipt)
    caller.service.tracer.turn(receipt, current_request_id())


def _state_name(found: OpenTurn | Receipt) -> str:
    if isinstance(found, Receipt):
        return "committed"
    return "open" if found.abandoned is None else "abandoned"


def _turn_arguments(body: TurnFields, caller: Caller) -> dict[str, Any]:
    who = {**caller.viewer_arguments(body.agent, body.user), "by": caller.speaker(body.by)}
    return {**body.to_arguments(), **who}


def _check_beginning(body: TurnFields, caller: Caller) -> dict[str, Any]:
    """The arguments of a turn that the caller may begin; its session becomes the caller's."""
    given = _turn_arguments(body, caller)
    caller.access.claim(body.session, given["agent"], given["user"])
    return given


def _to_blocks(receipt: Receipt, blocks: Mapping[str, str]) -> dict[str, Any]:
    """The blocks of a turn, in one piece and one by one."""
    whole = {"id": receipt.block or receipt.standing_block, "text": join_blocks(blocks.values())}
    each = [{"id": id, "text": text} for id, text in blocks.items()]
    return {"block": whole if blocks else None, "blocks": each}


# Calls of a model, whose messages come without blocks


calls_router = APIRouter(prefix="/v1/model-calls", tags=["turns"], route_class=IdempotentRoute)


@calls_router.post(
    "",
    response_model=response_of(BegunCall),
    response_model_exclude_unset=True,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="begin_call",
)
def begin_call(body: BeginCallRequest, caller: Writer) -> dict[str, Any]:
    """Begin a call of a model: the blocks that belong into its messages, and its turn."""
    asked = {**dict(body), **caller.viewer_arguments(body.agent, body.user)}
    caller.access.claim(body.session, asked["agent"], asked["user"])
    begun = caller.tacit.turns.begin_call(**{**asked, "by": caller.speaker(body.by)})
    if begun.receipt is not None:
        record_turn(caller, begun.receipt)
        begun = replace(begun, receipt=caller.visible_receipt(begun.receipt))
    return begun.to_dict()


# Previews of what a turn would show


views_router = APIRouter(prefix="/v1/memory", tags=["views"], route_class=CheckedRoute)


@views_router.get(
    "/context",
    response_model=ContextResponse,
    response_model_exclude_unset=True,
    responses=problem_responses(),
    name="context",
)
def get_context(
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
    """What an agent should know for a request, without any effect."""
    least = {"memory_confidence_threshold": confidence_threshold}
    prepared = caller.tacit.preview(
        session=_preview_session(caller, session),
        text=user_request,
        history=None,
        **caller.viewer_arguments(agent, user),
        project=project,
        org=org,
        **(least if confidence_threshold is not None else {}),
    )
    return {
        "user_request": user_request,
        "context": prepared.block or "",
        "count": len(prepared.receipt.injected),
        "tokens": prepared.receipt.tokens,
        "receipt": caller.visible_receipt(prepared.receipt).summary(),
    }


@views_router.post(
    "/select", response_model=SelectionResponse, responses=problem_responses(), name="select"
)
def select_memories(body: SelectRequest, caller: Reader) -> dict[str, Any]:
    """Which memories of some scopes and types would be shown for a request, and why."""
    prepared = caller.tacit.preview(
        session=_preview_session(caller, body.session),
        text=body.user_request,
        history=None,
        **caller.viewer_arguments(body.agent, body.user),
        project=body.project,
        org=body.org,
        scopes=body.scope_filter,
        types=body.category_filter,
        episode_lines=0,
    )
    left_out = [each for each in prepared.receipt.candidates if each.fate is not Fate.INJECTED]
    return {
        "selected": list(_to_selected(caller.tacit, prepared.receipt.injected)),
        "omitted": [_to_omitted(each) for each in left_out],
    }


def _preview_session(caller: Caller, named: str | None) -> str:
    """The session of a preview; a new one if none is named."""
    return f"view-{uuid4()}" if named is None else caller.access.check_free(named)


def _to_selected(tacit: Tacit, candidates: Iterable[Candidate]) -> Iterator[dict[str, Any]]:
    """The selected memories with reasons, without those forgotten meanwhile."""
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


def _to_omitted(candidate: Candidate) -> dict[str, Any]:
    return {
        "memory": candidate.memory,
        "fate": candidate.fate,
        "reason": explain_candidate(candidate),
        "by": candidate.by,
    }


# Receipts


receipts_router = APIRouter(prefix="/v1/receipts", tags=["receipts"], route_class=CheckedRoute)


@receipts_router.get(
    "",
    response_model=page_of(ReceiptSummaryResponse) | page_of(Receipt),
    response_model_exclude_unset=True,
    responses=problem_responses(),
)
def list_receipts(
    caller: Reader,
    session: Annotated[str | None, Query(description="Of this session only.")] = None,
    limit: Limit = 50,
    after: After = None,
    whole: Annotated[bool, Query(description="With what was not injected.")] = False,
) -> dict[str, Any]:
    """The receipts of the last turns, newest first; omitted memories are included on request."""
    found = caller.access.receipts(session=session, limit=limit, after=after)
    receipts = [
        each.to_dict() if whole else each.summary() for each in map(caller.visible_receipt, found)
    ]
    return to_page(receipts, limit, found[-1].id if found else None)


@receipts_router.get(
    "/{receipt_id}",
    response_model=response_of(Receipt),
    response_model_exclude_unset=True,
    responses=problem_responses(404),
    name="get",
)
def get_receipt(id: OwnReceipt, caller: Reader) -> dict[str, Any]:
    """The whole receipt of one turn; it contains no text of memories."""
    return caller.visible_receipt(caller.tacit.turns.get(id)).to_dict()


# Marks


marks_router = APIRouter(prefix="/v1", tags=["receipts"], route_class=IdempotentRoute)


@marks_router.post(
    "/receipts/{receipt_id}/irrelevant",
    status_code=201,
    response_model=MarkResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
)
@in_one_transaction
def mark_irrelevant(id: OwnReceipt, body: MarkIrrelevantRequest, caller: Writer) -> dict[str, str]:
    """Mark a memory as irrelevant in a turn; it counts less for similar questions."""
    memory = caller.check_visible_id(body.memory)
    return {"mark": caller.tacit.turns.mark_irrelevant(id, memory, **_mark_author(caller, body))}


@marks_router.post(
    "/memories/{memory_id}/irrelevant",
    status_code=201,
    response_model=MarkResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
)
@in_one_transaction
def mark_irrelevant_for(
    id: MemoryId, body: MarkIrrelevantForRequest, caller: Writer
) -> dict[str, str]:
    """Mark a memory as irrelevant for a question; it counts less for similar ones."""
    memory = caller.check_visible_id(id)
    return {
        "mark": caller.tacit.turns.mark_irrelevant_for(
            body.text, memory, **_mark_author(caller, body)
        )
    }


@marks_router.get(
    "/memories/{memory_id}/marks",
    response_model=page_of(Marked),
    responses=problem_responses(404),
    name="marks",
)
def list_marks(
    id: MemoryId,
    caller: Reader,
    limit: Limit = 100,
    agent: ForAgent = None,
    user: ForUser = None,
) -> dict[str, Any]:
    """The last marks that call a memory irrelevant for some questions, oldest first."""
    found = caller.tacit.turns.marks(
        caller.check_visible_id(id), limit=limit, **caller.viewer_arguments(agent, user)
    )
    return {"items": [each.to_dict() for each in found], "next": None}


@marks_router.delete(
    "/marks/{mark_id}", status_code=204, responses=problem_responses(404, 409), name="unmark"
)
def remove_mark(id: MarkId, caller: Writer, agent: ForAgent = None, user: ForUser = None) -> None:
    """Remove a mark."""
    caller.tacit.turns.unmark(id, **caller.viewer_arguments(agent, user))


def _mark_author(caller: Caller, body: MarkAuthorRequest) -> dict[str, Any]:
    """The author of a mark; a bound caller marks as its agent and its user."""
    return {"by": caller.actor(body.by), **caller.viewer_arguments(body.agent, body.user)}
