"""Why a candidate ended as it did, with the measure that decided."""

from collections.abc import Sequence

from tacit.core.receipt.candidate import NOTHING_RELEVANT, Candidate, Fate, Found
from tacit.core.receipt.reason import reason_of
from tacit.turn.rules import FLOOR_SHARE

_UNSUPPORTED = "too little of it fits by itself, and nothing around it speaks for it"


def why(candidate: Candidate, candidates: Sequence[Candidate], floor: float | None = None) -> str:
    """The reason; of what was not relevant enough beside the best hit, how far it is behind.

    `floor` is the relevance that the best hit needed, where that is known.
    """
    if candidate.fate is not Fate.BELOW_FLOOR:
        return reason_of(candidate)
    hits = [each for each in candidates if each.found is Found.CONTEXTUAL]
    if candidate.note == NOTHING_RELEVANT:
        return f"{NOTHING_RELEVANT}: {missed(candidates, floor)}"
    if candidate.note:
        return reason_of(candidate)
    needed = FLOOR_SHARE * max((each.score for each in hits), default=0.0)
    if candidate.score < needed:
        share = f"{FLOOR_SHARE:.0%} of the best one's"
        return f"its score {candidate.score:.2f} is under {needed:.2f}, {share}"
    return _UNSUPPORTED


def missed(candidates: Sequence[Candidate], floor: float | None = None) -> str | None:
    """How far the best hit is from being relevant at all; None where it is, or nobody can tell."""
    hits = [each for each in candidates if each.found is Found.CONTEXTUAL]
    if not any(each.note == NOTHING_RELEVANT for each in hits):
        return None
    best = max(each.relevance for each in hits)
    if floor is None:
        return f"the best relevance is {best:.2f}, less than was asked for"
    return f"the best relevance is {best:.2f}, and {floor:.2f} is needed"
