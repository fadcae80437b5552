"""What JSON from outside may be: not too many values, nor too deep, with valid text and numbers."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tacit.core.errors import InvalidInput

MAX_DEPTH = 100
"""So many lists and objects may stand inside each other; whatever reads them may call itself."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""A string, or what was begun as one: so each byte is looked at once."""

_MOST_NAMES = 8
_LONGEST_NAME = 100


class _Flaw(NamedTuple):
    """What is wrong with a part of a value, and where that stands, from the inside out."""

    problem: str
    place: list[str]


def has_more_values_than(body: bytes, most: int) -> bool:
    """Whether a text of JSON in UTF-8 has more values in lists and objects than so many.

    It is told by commas and brackets outside of strings, without making the values.
    """
    return _count_values(body) > most and _count_values(_STRING.sub(b"", body)) > most


def _count_values(body: bytes) -> int:
    return body.count(b",") + body.count(b"[") + body.count(b"{")


def check_json(field: str, value: Any) -> None:
    """Refuse a value that is nested too deep, or has broken text or numbers; names the place.

    Objects other than those of JSON are passed over.
    """
    flaw = _find_flaw(value, MAX_DEPTH)
    if flaw is not None:
        names = [each for each in (field, *reversed(flaw.place)) if each]
        shown = [each[:_LONGEST_NAME] for each in names[:_MOST_NAMES]]
        raise InvalidInput(".".join(shown), flaw.problem)


def find_text_problem(text: str) -> str | None:
    """What is wrong with a text that UTF-8 cannot hold; None if nothing is."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        bad = f"character {error.start + 1} is not valid Unicode (a lone surrogate, as from"
        return f"{bad} bytes that are not UTF-8); give UTF-8 text"
    return None


def _find_flaw(value: Any, depth: int) -> _Flaw | None:
    if isinstance(value, str):
        problem = find_text_problem(value)
        return None if problem is None else _Flaw(problem, [])
    if isinstance(value, float) and not math.isfinite(value):
        return _Flaw("expected a number that JSON can hold, not infinity or NaN", [])
    if isinstance(value, Mapping):
        return _flaw_under(value.items(), depth)
    if isinstance(value, list | tuple):
        return _flaw_under(enumerate(value), depth)
    return None


def _flaw_under(parts: Iterable[tuple[Any, Any]], depth: int) -> _Flaw | None:
    if not depth:
        return _Flaw(
            f"is nested more than {MAX_DEPTH} deep, too deep for JSON here; flatten it", []
        )
    for name, part in parts:
        flaw = _find_flaw(name, depth) or _find_flaw(part, depth - 1)
        if flaw is not None:
            flaw.place.append(str(name))
            return flaw
    return None
