"""Redacting the texts inside of a value as JSON has them."""

from collections.abc import Mapping
from typing import Any

from tacit.redaction.assignments import holds_secret
from tacit.redaction.marker import marker
from tacit.redaction.text import redact


def redact_all(value: Any) -> Any:
    """The value with its texts redacted; names of fields stay, and tell what stands under them."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, Mapping):
        return {name: _under(name, each) for name, each in value.items()}
    if isinstance(value, list):
        return [redact_all(each) for each in value]
    if isinstance(value, tuple):
        return tuple(redact_all(each) for each in value)
    return value


def _under(name: Any, value: Any) -> Any:
    if isinstance(name, str) and isinstance(value, str):
        kind = holds_secret(name, value)
        if kind is not None:
            return marker(kind)
    return redact_all(value)
