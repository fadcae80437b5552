"""Texts with places that an event fills: `{{ event.prompt }}`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tacit.integrations.workflows.expression import value_of

_OPENS, _CLOSES = "{{", "}}"


def filled(argument: Any, names: Mapping[str, Any]) -> Any:
    """An argument with all places filled; a text that is one place only becomes its value."""
    if isinstance(argument, str):
        whole = argument.strip()
        if list(_spans(whole)) == [(0, len(whole))]:
            return value_of(_inside(whole), names)
        return _with_values(argument, names)
    if isinstance(argument, Mapping):
        return {name: filled(value, names) for name, value in argument.items()}
    if isinstance(argument, list | tuple):
        return [filled(value, names) for value in argument]
    return argument


def places(argument: Any) -> Iterator[str]:
    """Every expression in an argument."""
    if isinstance(argument, str):
        yield from (_inside(argument[start:end]) for start, end in _spans(argument))
    elif isinstance(argument, Mapping):
        for value in argument.values():
            yield from places(value)
    elif isinstance(argument, list | tuple):
        for value in argument:
            yield from places(value)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where places begin and end; one that is not closed is none."""
    start = text.find(_OPENS)
    while start >= 0 and (end := text.find(_CLOSES, start + len(_OPENS))) >= 0:
        yield start, end + len(_CLOSES)
        start = text.find(_OPENS, end + len(_CLOSES))


def _inside(place: str) -> str:
    return place[len(_OPENS) : -len(_CLOSES)]


def _with_values(text: str, names: Mapping[str, Any]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in _spans(text):
        parts += [text[last:start], _spelled(value_of(_inside(text[start:end]), names))]
        last = end
    return "".join([*parts, text[last:]])


def _spelled(value: Any) -> str:
    """A value as part of a text; what is missing is nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
