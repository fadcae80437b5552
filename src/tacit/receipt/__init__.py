"""The account of one turn: everything it decided, and why; and what many turns did together."""

from tacit.receipt.activity import Activity, Latency, Tokens, Use
from tacit.receipt.candidate import (
    IN_CONFLICT,
    MARKED,
    NOTHING_RELEVANT,
    RIVAL,
    SAID,
    SHOWN_BY_HOST,
    Candidate,
    Fate,
    Found,
)
from tacit.receipt.reason import reason_of, why_nothing
from tacit.receipt.receipt import Receipt, Skip
from tacit.receipt.series import Period, Series
from tacit.receipt.tally import activity_of, uses_of

__all__ = [
    "IN_CONFLICT",
    "MARKED",
    "NOTHING_RELEVANT",
    "RIVAL",
    "SAID",
    "SHOWN_BY_HOST",
    "Activity",
    "Candidate",
    "Fate",
    "Found",
    "Latency",
    "Period",
    "Receipt",
    "Series",
    "Skip",
    "Tokens",
    "Use",
    "activity_of",
    "reason_of",
    "uses_of",
    "why_nothing",
]
