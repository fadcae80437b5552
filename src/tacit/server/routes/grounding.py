"""Grounded prompts: ground, commit; the policy behind them, and chat logs."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.grounding.grounded import Grounding as Handle
from tacit.grounding.policy import PromptRole
from tacit.server.access import Caller, WorkspaceAdmin, Writer
from tacit.server.idempotency import ONCE, OnceRoute
from tacit.server.models.common import problems
from tacit.server.models.grounding import (
    Chatting,
    GroundedShape,
    Grounding,
    Logged,
    PolicyShape,
    Replying,
)
from tacit.server.models.turns import Detail, EndedShape
from tacit.server.ownership import OwnTurn
from tacit.server.routes.turns import account, told_end

router = APIRouter(prefix="/v1", tags=["grounding"], route_class=OnceRoute)


@router.post(
    "/ground",
    status_code=201,
    response_model=GroundedShape,
    response_model_exclude_unset=True,
    responses=problems(409),
    dependencies=[ONCE],
)
def ground(asked: Grounding, caller: Writer) -> dict[str, Any]:
    """What a response is grounded in: one system and one user message."""
    return _grounded(asked, caller, caller.tacit.ground)


@router.post(
    "/prompt",
    status_code=201,
    response_model=GroundedShape,
    response_model_exclude_unset=True,
    responses=problems(409),
    dependencies=[ONCE],
)
def prompt(asked: Grounding, caller: Writer) -> dict[str, Any]:
    """The same for who sends one text in sections."""
    return _grounded(asked, caller, caller.tacit.prompt)


@router.post(
    "/ground/{id}/commit",
    response_model=EndedShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
def commit(id: OwnTurn, asked: Replying, caller: Writer) -> dict[str, Any]:
    """The reply came: both go into the chat log. Said again, it changes nothing."""
    ended = caller.tacit.end_grounding(id, asked.reply, learn=asked.learn)
    return told_end(caller, id, ended)


@router.post(
    "/chat", status_code=201, response_model=Logged, responses=problems(409), dependencies=[ONCE]
)
def log(asked: Chatting, caller: Writer) -> dict[str, Any]:
    """Write something into the chat log of a conversation."""
    caller.own.claim_context(asked.place())
    caller.tacit.log_chat(asked.kind, asked.text, **asked.place())
    return {"logged": True}


@router.get("/policy", response_model=PolicyShape, responses=problems())
def policy(
    caller: WorkspaceAdmin,
    role: PromptRole = PromptRole.PUBLIC,
    context: Annotated[str | None, Query(examples=["launch"])] = None,
    connector: Annotated[str, Query(examples=["slack"])] = "local",
    external_id: Annotated[str, Query(examples=["C024BE91L"])] = "",
) -> dict[str, Any]:
    """The system side of a prompt, with the layer and the file that each line is from."""
    place: dict[str, Any] = {
        "context": context,
        "connector": connector,
        "external_id": external_id,
    }
    caller.own.check_context(place)
    return caller.tacit.policy(role=role, **place).to_dict()


def _grounded(asked: Grounding, caller: Caller, call: Callable[..., Handle]) -> dict[str, Any]:
    if asked.role is PromptRole.ADMIN:
        caller.check_admin("the policy of admins is for a key with the role admin")
    seeing = caller.seeing(asked.agent, asked.user)
    caller.own.claim_context(asked.place(), **seeing)
    if asked.session is not None:
        caller.own.claim(asked.session, **seeing)
    who = {**asked.asked(), **seeing, "by": caller.speaker(asked.by)}
    handle = call(asked.text, **who, **asked.settings)
    receipt = caller.told(handle.receipt)
    account(caller, handle.receipt)
    is_whole = asked.receipt is Detail.WHOLE
    return {
        **handle.to_dict(),
        "is_open": handle.is_open,
        "receipt": receipt.to_dict() if is_whole else receipt.summary(),
    }
