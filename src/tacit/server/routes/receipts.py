"""Receipts: the accounts of turns."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.server.access import Reader
from tacit.server.models.common import After, Limit, Page, page, problems
from tacit.server.models.turns import ReceiptShape, SummaryShape
from tacit.server.ownership import OwnReceipt

router = APIRouter(prefix="/v1/receipts", tags=["receipts"])


@router.get(
    "",
    response_model=Page[SummaryShape] | Page[ReceiptShape],
    response_model_exclude_unset=True,
    responses=problems(),
)
def list_receipts(
    caller: Reader,
    session: Annotated[str | None, Query(description="Of this session only.")] = None,
    limit: Limit = 50,
    after: After = None,
    whole: Annotated[bool, Query(description="With what was not injected.")] = False,
) -> dict[str, Any]:
    """The accounts of the last turns, newest first; without what was not injected, if not asked."""
    found = caller.own.receipts(session=session, limit=limit, after=after)
    told = [each.to_dict() if whole else each.summary() for each in map(caller.told, found)]
    return page(told, limit, found[-1].id if found else None)


@router.get(
    "/{id}",
    response_model=ReceiptShape,
    response_model_exclude_unset=True,
    responses=problems(404),
)
def get(id: OwnReceipt, caller: Reader) -> dict[str, Any]:
    """The whole account of one turn; it holds no words of memories."""
    return caller.told(caller.tacit.receipt(id)).to_dict()
