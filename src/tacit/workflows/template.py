"""Texts with places that an event fills: `{{ event.prompt }}`."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tacit.workflows.expression import value_of

_PLACE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


def filled(argument: Any, names: Mapping[str, Any]) -> Any:
    """An argument with all places filled; a text that is one place only becomes its value."""
    if isinstance(argument, str):
        whole = _PLACE.fullmatch(argument.strip())
        if whole is not None and "{{" not in whole[1]:
            return value_of(whole[1], names)
        return _PLACE.sub(lambda place: _spelled(value_of(place[1], names)), argument)
    if isinstance(argument, Mapping):
        return {name: filled(value, names) for name, value in argument.items()}
    if isinstance(argument, list | tuple):
        return [filled(value, names) for value in argument]
    return argument


def places(argument: Any) -> Iterator[str]:
    """Every expression in an argument."""
    if isinstance(argument, str):
        yield from (place[1] for place in _PLACE.finditer(argument))
    elif isinstance(argument, Mapping):
        for value in argument.values():
            yield from places(value)
    elif isinstance(argument, list | tuple):
        for value in argument:
            yield from places(value)


def _spelled(value: Any) -> str:
    """A value as part of a text; what is missing is nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
