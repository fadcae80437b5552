"""Outcomes from the server: of turns that took place, and of those that might."""

from collections.abc import Mapping
from typing import Any

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.receipt.receipt import Receipt
from tacit.ui.asking import ask
from tacit.ui.pages.inspector.outcome import Outcome
from tacit.ui.pages.inspector.question import Question


async def preview(tacit: RemoteTacit, question: Question, changes: Mapping[str, Any]) -> Outcome:
    """What a question would give with some settings changed, without any effect."""
    prepared = await ask(tacit.preview, **question.asked(), **changes)
    return Outcome(receipt=prepared.receipt, block=prepared.block)


async def past(tacit: RemoteTacit, id: str) -> Outcome | None:
    """What a turn gave; None where there is no account of it."""
    try:
        receipt = await ask(tacit.receipt, id)
    except (InvalidInput, NotFound):
        return None
    return Outcome(receipt=receipt, block=await _block(tacit, receipt), is_past=True)


async def _block(tacit: RemoteTacit, receipt: Receipt) -> str | None:
    """The words of a turn's block, as far as they are kept."""
    if receipt.block is None:
        return None
    try:
        report = await ask(tacit.session, receipt.session)
    except NotFound:
        return None
    texts = (each.placement.text for each in report.blocks if each.id == receipt.block)
    return next(texts, None) or None
