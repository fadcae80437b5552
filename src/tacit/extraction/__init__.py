"""What is worth knowing later in what somebody says, found by rules."""

from tacit.extraction.extracting import CHARACTERS, FINDINGS, extract, own_words
from tacit.extraction.finding import Extraction, Finding, Reason, Refused
from tacit.extraction.objection import objection

__all__ = [
    "CHARACTERS",
    "FINDINGS",
    "Extraction",
    "Finding",
    "Reason",
    "Refused",
    "extract",
    "objection",
    "own_words",
]
