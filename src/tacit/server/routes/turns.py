"""Turns: begin, commit, roll back, preview."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from tacit.core.open_turn import OpenTurn
from tacit.core.receipt import Receipt
from tacit.runtime.telemetry import current_request_id
from tacit.server.access import Caller, Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import problems
from tacit.server.models.turns import (
    Beginning,
    Committing,
    Detail,
    EndedShape,
    Previewing,
    PreviewShape,
    RolledBack,
    Saying,
    TurnShape,
    TurnState,
)
from tacit.server.ownership import OwnTurn
from tacit.turn.commit import CommitResult

router = APIRouter(prefix="/v1/turns", tags=["turns"], route_class=OnceRoute)


@router.post(
    "",
    status_code=201,
    response_model=TurnShape,
    response_model_exclude_unset=True,
    responses=problems(409),
    dependencies=[ONCE],
)
def begin(asked: Beginning, caller: Writer) -> dict[str, Any]:
    """Begin a turn: what the agent should know is in the messages."""
    given = _asked(asked, caller)
    caller.own.claim(asked.session, given["agent"], given["user"])
    turn = caller.tacit.turn(**given, **asked.settings)
    account(caller, turn.receipt)
    receipt, is_whole = caller.told(turn.receipt), asked.receipt is Detail.WHOLE
    return {
        "id": turn.receipt.id,
        "session": turn.receipt.session,
        "turn": turn.receipt.turn,
        "messages": turn.messages,
        "block": _block(turn.receipt, turn.block),
        "is_open": turn.is_open,
        "receipt": receipt.to_dict() if is_whole else receipt.summary(),
    }


@router.post(
    "/preview", response_model=PreviewShape, response_model_exclude_unset=True, responses=problems()
)
def preview(asked: Previewing, caller: Reader) -> dict[str, Any]:
    """What a turn would be, with the whole receipt and without any effect."""
    caller.own.check_free(asked.session)
    prepared = caller.tacit.preview(**_asked(asked, caller), **asked.settings)
    return {
        "messages": list(prepared.messages),
        "block": _block(prepared.receipt, prepared.block),
        "receipt": caller.told(prepared.receipt).to_dict(),
    }


@router.get("/{id}", response_model=TurnState, responses=problems(404))
def state(id: OwnTurn, caller: Reader) -> dict[str, Any]:
    """Whether a turn waits for its end."""
    found = caller.tacit.find_turn(id)
    return {"id": found.id, "session": found.session, "state": _state(found)}


@router.post(
    "/{id}/commit", response_model=EndedShape, responses=problems(404, 409), dependencies=[ONCE]
)
@in_one_transaction
def commit(id: OwnTurn, asked: Committing, caller: Writer) -> dict[str, Any]:
    """The reply came: what was shown is written down. Said again, it changes nothing."""
    reply = () if asked.reply is None else asked.reply
    ended = caller.tacit.commit_turn(id, reply, learn=asked.learn)
    return told_end(caller, id, ended)


@router.post(
    "/{id}/rollback", response_model=RolledBack, responses=problems(409), dependencies=[ONCE]
)
@in_one_transaction
def roll_back(id: str, caller: Writer) -> dict[str, Any]:
    """The turn did not happen; nothing of it stays."""
    was_open = caller.own.roll_back(id)
    if was_open:
        caller.service.metrics.count_ended_turn("rolled_back")
    return {"id": id, "rolled_back": was_open}


def told_end(caller: Caller, id: str, ended: CommitResult) -> dict[str, Any]:
    """Count a turn that was committed, and say how it ended."""
    if ended.was_open:
        caller.service.metrics.count_ended_turn("committed")
    return {"id": id, **asdict(ended)}


def account(caller: Caller, receipt: Receipt) -> None:
    """Count and trace a turn that began."""
    caller.service.metrics.count_turn(receipt)
    caller.service.tracer.turn(receipt, current_request_id())


def _state(found: OpenTurn | Receipt) -> str:
    if isinstance(found, Receipt):
        return "committed"
    return "open" if found.abandoned is None else "abandoned"


def _asked(asked: Saying, caller: Caller) -> dict[str, Any]:
    who = {**caller.seeing(asked.agent, asked.user), "by": caller.speaker(asked.by)}
    return {**asked.asked(), **who}


def _block(receipt: Receipt, text: str | None) -> dict[str, Any] | None:
    return None if text is None else {"id": receipt.block, "text": text}
