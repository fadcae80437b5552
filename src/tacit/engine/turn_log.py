"""What the log says of a turn."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from tacit.receipt import Receipt

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
    """Why nothing was injected, where candidates were there."""
    if receipt.injected or receipt.skipped is not None:
        return ""
    if not receipt.candidates:
        return " (no candidates)"
    if receipt.deduped and _only_seen(receipt.candidates):
        return " (all memories already injected this session)"
    return f" ({len(receipt.candidates)} candidates, none chosen)"


def _only_seen(candidates: Sequence[Any]) -> bool:
    return all(each.fate in ("seen_in_window", "same_batch", "below_floor") for each in candidates)
