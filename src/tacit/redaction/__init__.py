"""Secrets, taken out of texts before anything is stored or logged."""

from tacit.redaction.text import Redacted, clip, redact, redact_lines, redact_pieces, redact_start
from tacit.redaction.tree import redact_all

__all__ = [
    "Redacted",
    "clip",
    "redact",
    "redact_all",
    "redact_lines",
    "redact_pieces",
    "redact_start",
]
