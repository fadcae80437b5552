"""JSON from outside: how deep and large it may be, and that its text and numbers are valid."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tacit.core.errors import InvalidInput

MAX_JSON_DEPTH = 100
"""How deep lists and objects may be nested, so that readers may recurse."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""A string, or the start of one, so that each byte is read once."""

_MAX_SHOWN_NAMES = 8
_MAX_SHOWN_NAME = 100


class _JsonProblem(NamedTuple):
    """A problem with a part of a value, and its path, from the inside out."""

    problem: str
    place: list[str]


def has_more_values_than(body: bytes, most: int) -> bool:
    """Whether JSON in UTF-8 has more than `most` values in lists and objects.

    Commas and brackets outside of strings are counted, without parsing the values.
    """
    return _count_values(body) > most and _count_values(_STRING.sub(b"", body)) > most


def _count_values(body: bytes) -> int:
    return body.count(b",") + body.count(b"[") + body.count(b"{")


def check_json(field: str, value: Any) -> None:
    """Reject a value that is nested too deeply, or has invalid text or numbers; names the place.

    Objects of other types than JSON has are ignored.
    """
    flaw = _find_problem(value, MAX_JSON_DEPTH)
    if flaw is not None:
        names = [each for each in (field, *reversed(flaw.place)) if each]
        shown = [each[:_MAX_SHOWN_NAME] for each in names[:_MAX_SHOWN_NAMES]]
        raise InvalidInput(".".join(shown), flaw.problem)


def find_text_problem(text: str) -> str | None:
    """The problem of a text that UTF-8 cannot encode; None if there is none."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        bad = f"character {error.start + 1} is not valid Unicode (a lone surrogate, as from"
        return f"{bad} bytes that are not UTF-8); give UTF-8 text"
    return None


def _find_problem(value: Any, depth: int) -> _JsonProblem | None:
    if isinstance(value, str):
        problem = find_text_problem(value)
        return None if problem is None else _JsonProblem(problem, [])
    if isinstance(value, float) and not math.isfinite(value):
        return _JsonProblem("expected a number that JSON can hold, not infinity or NaN", [])
    if isinstance(value, Mapping):
        return _find_problem_under(value.items(), depth)
    if isinstance(value, list | tuple):
        return _find_problem_under(enumerate(value), depth)
    return None


def _find_problem_under(parts: Iterable[tuple[Any, Any]], depth: int) -> _JsonProblem | None:
    if not depth:
        return _JsonProblem(
            f"is nested more than {MAX_JSON_DEPTH} deep, too deep for JSON here; flatten it", []
        )
    for name, part in parts:
        flaw = _find_problem(name, depth) or _find_problem(part, depth - 1)
        if flaw is not None:
            flaw.place.append(str(name))
            return flaw
    return None
