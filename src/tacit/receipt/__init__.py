"""The account of one turn: everything it decided, and why."""

from tacit.receipt.candidate import IN_CONFLICT, Candidate, Fate, Found
from tacit.receipt.reason import reason_of
from tacit.receipt.receipt import Receipt, Skip

__all__ = ["IN_CONFLICT", "Candidate", "Fate", "Found", "Receipt", "Skip", "reason_of"]
