"""A form: the fields of a memory as controls hold them, and back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.memory.kinds import MemoryType, Scope
from tacit.core.memory.record import Memory
from tacit.core.memory.times import rfc3339

Values = Mapping[str, Any]
"""What the controls say, by field."""

EMPTY: Values = {
    "content": "",
    "type": str(MemoryType.FACT),
    "key": "",
    "importance": None,
    "confidence": None,
    "scope": str(Scope.USER),
    "scope_id": "",
    "agent": "",
    "tags": "",
    "pinned": False,
    "valid_from": "",
    "valid_to": "",
    "expires_at": "",
    "metadata": "",
}
DAYS = ("valid_from", "valid_to", "expires_at")
NUMBERS = ("importance", "confidence")


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not what it was."""

    field: str
    old: Any
    new: Any


def shown(memory: Memory) -> dict[str, Any]:
    """A memory as the controls of a form show it."""
    return {
        "content": memory.content,
        "type": str(memory.type),
        "key": memory.key or "",
        "importance": memory.importance,
        "confidence": memory.confidence,
        "scope": str(memory.scope),
        "scope_id": memory.scope_id,
        "agent": memory.agent or "",
        "tags": "\n".join(memory.tags),
        "pinned": memory.pinned,
        "valid_from": _at(memory.valid_from),
        "valid_to": _at(memory.valid_to),
        "expires_at": _at(memory.expires_at),
        "metadata": json.dumps(memory.metadata, ensure_ascii=False) if memory.metadata else "",
    }


def changes(base: Memory, values: Values) -> dict[str, Any]:
    """The fields that somebody changed in a form, as the client takes them."""
    was = shown(base)
    return {name: meant(name, value) for name, value in values.items() if value != was[name]}


def given(values: Values) -> dict[str, Any]:
    """The fields of a new memory that somebody filled in; the others take their defaults."""
    filled = {name: value for name, value in values.items() if value not in ("", None)}
    said = {name: meant(name, value) for name, value in filled.items()}
    return {"content": "", **said}


def meant(name: str, value: Any) -> Any:
    """A field's value of what its control says; empty ones are None where that can be."""
    if name == "tags":
        return tuple(tag for line in str(value).splitlines() if (tag := line.strip()))
    if name == "metadata":
        return _object(value)
    if name in NUMBERS and value is None:
        raise InvalidInput(name, "give a number from 0 to 1")
    return None if value == "" and name in ("key", "agent", *DAYS) else value


def rebased(base: Memory, fresh: Memory, values: Values) -> dict[str, Any]:
    """A form over what somebody else has saved meanwhile: own changes stay, the rest follows."""
    was, now = shown(base), shown(fresh)
    return {name: now[name] if value == was[name] else value for name, value in values.items()}


def differences(old: Memory, new: Memory) -> tuple[Difference, ...]:
    """The fields of a form in which two states of a memory differ."""
    was, now = shown(old), shown(new)
    return tuple(Difference(name, was[name], now[name]) for name in was if was[name] != now[name])


def _at(time: datetime | None) -> str:
    return "" if time is None else rfc3339(time)


def _object(value: str) -> Any:
    try:
        read = json.loads(value) if value.strip() else {}
    except ValueError as error:
        raise InvalidInput("metadata", f"is not JSON ({error})") from None
    if not isinstance(read, dict):
        raise InvalidInput("metadata", 'give a JSON object, such as {"team": "web"}')
    return read
