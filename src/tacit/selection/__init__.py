"""Which memories suit a turn: rules that look at values and nothing else."""

from tacit.selection.conflict import Conflict, Recommendation, cliques
from tacit.selection.conflicts import Pair, Verdict, competing, settle
from tacit.selection.duplicates import Known, duplicates, near_any
from tacit.selection.request import ADMITTED, RequestKind, kind_of
from tacit.selection.rivals import are_rivals, is_live_statement
from tacit.selection.shown import is_shown, is_stated
from tacit.selection.topic import (
    FIRST_CLAIM,
    Topic,
    claim_at,
    meetings,
    place_of_claim,
    said_at,
    topic_of,
)
from tacit.selection.wording import matches, wording_hash

__all__ = [
    "ADMITTED",
    "FIRST_CLAIM",
    "Conflict",
    "Known",
    "Pair",
    "Recommendation",
    "RequestKind",
    "Topic",
    "Verdict",
    "are_rivals",
    "claim_at",
    "cliques",
    "competing",
    "duplicates",
    "is_live_statement",
    "is_shown",
    "is_stated",
    "kind_of",
    "matches",
    "meetings",
    "near_any",
    "place_of_claim",
    "said_at",
    "settle",
    "topic_of",
    "wording_hash",
]
