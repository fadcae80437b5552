"""What the log says of a turn."""

import logging
from collections.abc import Mapping
from typing import Any

from tacit.core.explanations import explain_empty_turn
from tacit.core.receipt import Receipt

_log = logging.getLogger("tacit.turn")


def tell(receipt: Receipt) -> None:
    """Say in the log what a turn injected, or why it did not."""
    for each in receipt.injected:
        _log.debug("memory injected: %s %s %s %.3f", each.memory, each.type, each.found, each.score)
    for each in receipt.conflicts:
        _log.info("conflict_detected: %s and %s", each.memory, each.by)
    counts = {str(found): count for found, count in receipt.counts().items()}
    told: Mapping[str, Any] = {
        "session": receipt.session,
        **counts,
        "total": len(receipt.injected),
        "deduped": receipt.deduped,
        "elapsed_ms": round(receipt.timings_ms.get("total", 0.0)),
    }
    _log.info("%s%s", receipt.headline, _reason(receipt), extra=dict(told))


def _reason(receipt: Receipt) -> str:
    """Why nothing was injected, where the turn looked for memories."""
    if receipt.injected or receipt.skipped is not None:
        return ""
    return f" ({explain_empty_turn(receipt)})"
