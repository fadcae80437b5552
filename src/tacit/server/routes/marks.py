"""Marks: which memories are of no use for which questions."""

from typing import Annotated, Any

from fastapi import APIRouter, Path

from tacit.server.access import Caller, Reader, Writer
from tacit.server.idempotency import ONCE, OnceRoute, in_one_transaction
from tacit.server.models.common import ForAgent, ForUser, Page, problems
from tacit.server.models.marks import (
    Irrelevant,
    IrrelevantFor,
    MarkedShape,
    Marking,
    MarkShape,
)
from tacit.server.models.memories import MemoryId
from tacit.server.ownership import OwnReceipt

router = APIRouter(prefix="/v1", tags=["receipts"], route_class=OnceRoute)

MarkId = Annotated[str, Path(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]


@router.post(
    "/receipts/{id}/irrelevant",
    status_code=201,
    response_model=MarkShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def mark_irrelevant(id: OwnReceipt, asked: Irrelevant, caller: Writer) -> dict[str, str]:
    """Say that a memory was of no use in a turn; for similar questions it counts less."""
    memory = caller.visible(asked.memory)
    return {"mark": caller.tacit.mark_irrelevant(id, memory, **_author(caller, asked))}


@router.post(
    "/memories/{id}/irrelevant",
    status_code=201,
    response_model=MarkShape,
    responses=problems(404, 409),
    dependencies=[ONCE],
)
@in_one_transaction
def mark_irrelevant_for(id: MemoryId, asked: IrrelevantFor, caller: Writer) -> dict[str, str]:
    """Say that a memory is of no use for a question; for similar ones it counts less."""
    memory = caller.visible(id)
    return {"mark": caller.tacit.mark_irrelevant_for(asked.text, memory, **_author(caller, asked))}


@router.get("/memories/{id}/marks", response_model=Page[MarkedShape], responses=problems(404))
def marks(
    id: MemoryId, caller: Reader, agent: ForAgent = None, user: ForUser = None
) -> dict[str, Any]:
    """The marks on a memory that is of no use for some questions, oldest first."""
    found = caller.tacit.marks(caller.visible(id), **caller.seeing(agent, user))
    return {"items": [each.to_dict() for each in found], "next": None}


@router.delete("/marks/{id}", status_code=204, responses=problems(404, 409))
def unmark(id: MarkId, caller: Writer, agent: ForAgent = None, user: ForUser = None) -> None:
    """Take back that a memory is of no use."""
    caller.tacit.unmark(id, **caller.seeing(agent, user))


def _author(caller: Caller, asked: Marking) -> dict[str, Any]:
    """Who marks: an agent in its own name, who is bound to a user for that user."""
    return {"by": caller.actor(asked.by), **caller.seeing(asked.agent, asked.user)}
