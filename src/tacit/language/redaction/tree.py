"""Redacting the texts inside of a value as JSON has them."""

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.language.redaction.assignments import holds_secret
from tacit.language.redaction.marker import marker
from tacit.language.redaction.numbers import number_under
from tacit.language.redaction.text import redact, redact_pieces

_LARGEST = 10**20


def redact_all(value: Any) -> Any:
    """The value with its texts redacted; names of fields stay, and tell what stands under them."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, Mapping):
        return {name: _under(name, each) for name, each in value.items()}
    if isinstance(value, list):
        return _in_list(value)
    if isinstance(value, tuple):
        return tuple(_in_list(value))
    return value


def _under(name: Any, value: Any) -> Any:
    kind = _kind_under(name, value) if isinstance(name, str) else None
    return redact_all(value) if kind is None else marker(kind)


def _kind_under(name: str, value: Any) -> str | None:
    if isinstance(value, str):
        return number_under(name, value) or holds_secret(name, value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LARGEST:
        return number_under(name, str(value))
    return None


def _in_list(values: Sequence[Any]) -> list[Any]:
    """Each redacted; texts that follow each other may be the lines of a key."""
    if all(isinstance(each, str) for each in values):
        values = redact_pieces(values)
    return [redact_all(each) for each in values]
