"""Variables of a session as callers give them, checked."""

import json
import re
from collections.abc import Mapping
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.json_values import check_json
from tacit.language.redaction.tree import redact_all

INJECTED = "injected_memory_ids"
"""What a session was shown; it is read off the ledger and cannot be set."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")
_MOST_BYTES = 50_000


def checked_variables(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Names and values that every store can hold, without secrets."""
    return {_name(name): _value(name, value) for name, value in changes.items()}


def _name(name: str) -> str:
    if name == INJECTED:
        problem = "is what the session was shown; reset_memory_injection_tracking clears it"
        raise InvalidInput(INJECTED, problem)
    if not _NAME.fullmatch(str(name)):
        raise InvalidInput("variable", f"{name!r} is no name; use letters, digits, _ . and -")
    return name


def _value(name: str, value: Any) -> Any:
    check_json(name, value)
    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(name, f"must be plain JSON ({error})") from error
    if len(written) > _MOST_BYTES:
        raise InvalidInput(name, f"takes {len(written):,} bytes; keep it under {_MOST_BYTES:,}")
    return redact_all(json.loads(written))
