"""The account of one turn: everything it decided, and why."""

from tacit.receipt.candidate import Candidate, Fate, Found
from tacit.receipt.receipt import Receipt, Skip

__all__ = ["Candidate", "Fate", "Found", "Receipt", "Skip"]
