"""Any value as one that JSON can say, without secrets."""

import math
from collections.abc import Mapping
from typing import Any

from tacit.runtime.telemetry.blanking import blanked

_DEEPEST = 8
_LARGEST = 1 << 63


def plain(value: Any) -> Any:
    """The value as JSON can say it; what JSON has no word for becomes a string."""
    try:
        return _plain(value, 0)
    except Exception:
        return spoken(value)


def spoken(value: Any) -> str:
    """The value as a string; one that cannot speak is called by its type."""
    try:
        return blanked(str(value))
    except Exception:
        return f"<{type(value).__name__}>"


def _plain(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and -_LARGEST <= value < _LARGEST:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {spoken(name): _plain(each, depth + 1) for name, each in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, depth + 1) for each in value]
    return spoken(value)
