"""Tools in messages: what was called with what, and which calls a message answers."""

import json
from dataclasses import dataclass

from tacit.core.messages.parts import is_tool_result, parts_of
from tacit.core.messages.shape import field_of, role_of

_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_ANSWERERS = ("tool", "function")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool, and what it is given; without an id it is answered by what follows."""

    id: str | None
    name: str
    arguments: object


def call_in(part: object) -> ToolCall | None:
    """The call that a part is, or None if it is something else."""
    if isinstance(part, str) or field_of(part, "type") not in _CALLS:
        return None
    return _call(part, part, "input")


def calls_beside(message: object) -> list[ToolCall]:
    """The calls that stand beside the content of a message, not in it."""
    listed = field_of(message, "tool_calls")
    calls = [_listed_call(entry) for entry in listed] if isinstance(listed, list | tuple) else []
    single = field_of(message, "function_call")
    return calls if single is None else [*calls, _call(None, single, "arguments")]


def calls_of(message: object) -> list[ToolCall]:
    """Every call of a message: those in its content, then those beside it."""
    inside = (call_in(part) for part in parts_of(message))
    return [*(call for call in inside if call is not None), *calls_beside(message)]


def is_answer(message: object) -> bool:
    """Whether a message as a whole is what a tool answered."""
    return role_of(message) in _ANSWERERS


def answered_in(message: object) -> list[str | None]:
    """The ids of the calls that a message answers; None where an answer names none."""
    if is_answer(message):
        return [_text_or_none(field_of(message, "tool_call_id"))]
    results = (part for part in parts_of(message) if is_tool_result(part))
    return [_text_or_none(field_of(part, "tool_use_id")) for part in results]


def written(value: object) -> str:
    """A value as text: a string as it is, nothing as nothing, anything else as compact JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_fields)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def _listed_call(entry: object) -> ToolCall:
    custom = field_of(entry, "custom")
    if custom is not None:
        return _call(entry, custom, "input")
    return _call(entry, field_of(entry, "function"), "arguments")


def _call(entry: object, named: object, arguments: str) -> ToolCall:
    id, name = _text_or_none(field_of(entry, "id")), _text_or_none(field_of(named, "name"))
    return ToolCall(id, name or "", field_of(named, arguments))


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _fields(value: object) -> object:
    return getattr(value, "__dict__", None) or repr(value)
