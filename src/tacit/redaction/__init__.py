"""Secrets, taken out of texts before anything is stored or logged."""

from tacit.redaction.text import Redacted, redact
from tacit.redaction.tree import redact_all

__all__ = ["Redacted", "redact", "redact_all"]
