"""What every message has, whatever it is made of: a role, and mostly content."""

import copy
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.json_values import check_json

_EXPECTED = 'a message is a dict like {"role": "user", "content": "…"}, or an object with a role'


def field_of(thing: object, name: str) -> object:
    """What a dict or an object holds under a name, or None."""
    if isinstance(thing, Mapping):
        return thing.get(name)
    return getattr(thing, name, None)


def to_plain_data(value: object, keeps: Callable[[str], bool]) -> Any:
    """A value without SDK objects and without empty fields; `keeps` tells which fields stay."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return [to_plain_data(each, keeps) for each in value]
    fields = value if isinstance(value, Mapping) else getattr(value, "__dict__", None)
    if fields is None:
        return value
    return {
        str(name): to_plain_data(each, keeps)
        for name, each in fields.items()
        if each is not None and keeps(str(name))
    }


def is_message(thing: object) -> bool:
    """Whether a thing says who speaks."""
    role = field_of(thing, "role")
    return isinstance(role, str) and role != ""


def role_of(message: object) -> str:
    """Who speaks."""
    role = field_of(message, "role")
    if not isinstance(role, str) or not role:
        raise InvalidInput("history", f"expected a message, not {_described(message)}; {_EXPECTED}")
    return role


def content_of(message: object) -> object:
    """What a message holds, as it is; None if it holds nothing."""
    return field_of(message, "content")


def checked(history: object) -> list[object]:
    """The messages of a history, the same objects; what is none is named by its position."""
    if isinstance(history, str | bytes) or not isinstance(history, Sequence):
        raise InvalidInput("history", f"expected a list of messages, not {type(history).__name__}")
    for position, entry in enumerate(history):
        if not is_message(entry):
            problem = f"entry {position}, counted from 0, is {_described(entry)}, not a message"
            raise InvalidInput("history", f"{problem}; {_EXPECTED}")
        check_message(f"history.{position}", entry)
    return list(history)


def check_message(field: str, message: object) -> None:
    """Refuse a message, or the text of one, that no request could carry.

    Of an object, what it says is looked at.
    """
    if isinstance(message, Mapping | str):
        check_json(field, message)
    else:
        check_json(f"{field}.content", content_of(message))


def replace_content(message: object, content: object) -> object:
    """A copy of a message, in the same shape, that holds something else."""
    if isinstance(message, Mapping):
        return {**message, "content": content}
    if hasattr(message, "model_copy"):
        return message.model_copy(update={"content": content})
    if dataclasses.is_dataclass(message) and not isinstance(message, type):
        return dataclasses.replace(message, content=content)
    twin: Any = copy.copy(message)
    twin.content = content
    return twin


def _described(thing: object) -> str:
    kind = type(thing).__name__
    return f"{kind} without a role" if isinstance(thing, Mapping) else kind
