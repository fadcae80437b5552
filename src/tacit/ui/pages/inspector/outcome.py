"""The outcome of a question: the block, the account of it, and why there is none."""

from collections import Counter
from dataclasses import dataclass, replace

from tacit.core.receipt.reason import reason_of
from tacit.core.receipt.receipt import Receipt
from tacit.ui.fates import SKIPS, sentence
from tacit.ui.pages.inspector.reasons import missed


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a turn gave, or would give; `is_past` where it really took place."""

    receipt: Receipt
    block: str | None = None
    is_past: bool = False

    def why_no_block(self, floor: float | None = None) -> str | None:
        """Why the model sees nothing; None where there is a block to show.

        `floor` is the relevance that the best hit needed, where that is known.
        """
        if self.block:
            return None
        if self.receipt.block is not None:
            return "A block was injected, but its words are not kept any more."
        return _why_nothing(self.receipt, floor)


def _why_nothing(receipt: Receipt, floor: float | None) -> str:
    parts = [SKIPS[receipt.skipped].sentence] if receipt.skipped is not None else []
    if receipt.candidates:
        parts.append(_all_left_out(receipt))
        if (short := missed(receipt.candidates, floor)) is not None:
            parts.append(f"{sentence(short)}.")
    elif receipt.skipped is None:
        parts.append(_NONE_FOUND)
    return " ".join(parts)


def told_of_mark(before: Outcome, after: Outcome | None) -> str:
    """What a mark did, in a line."""
    is_emptied = before.block and after is not None and not after.block
    return _EMPTIED if is_emptied else "Marked: it counts less for questions like this one."


def _all_left_out(receipt: Receipt) -> str:
    """How many were left out, by what spoke against them, the most frequent first."""
    reasons = Counter(reason_of(replace(each, note="")) for each in receipt.candidates)
    told = "; ".join(f"{count} × {reason}" for reason, count in reasons.most_common())
    count = len(receipt.candidates)
    who = "The only candidate was" if count == 1 else f"All {count} candidates were"
    return f"{who} left out: {told}."


_EMPTIED = "Marked. Nothing is injected now; Undo brings it back."
_NONE_FOUND = (
    "No memory came to mind. Either none is visible to this agent, user and project, or none has"
    " a word or a meaning in common with the message."
)
