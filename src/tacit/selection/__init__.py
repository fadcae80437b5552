"""Which memories suit a turn: rules that look at values and nothing else."""

from tacit.selection.conflicts import Verdict, settle
from tacit.selection.duplicates import Known, duplicates, near_any
from tacit.selection.request import ADMITTED, RequestKind, kind_of
from tacit.selection.rivals import are_rivals, is_live_statement
from tacit.selection.wording import matches, wording_hash

__all__ = [
    "ADMITTED",
    "Known",
    "RequestKind",
    "Verdict",
    "are_rivals",
    "duplicates",
    "is_live_statement",
    "kind_of",
    "matches",
    "near_any",
    "settle",
    "wording_hash",
]
