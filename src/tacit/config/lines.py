"""On which line of a TOML text each key stands.

A statement of TOML (a header, or a key with its value) is valid TOML by itself, so lines are
gathered until they parse, and what they parse to says which keys they hold.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""The way to a value: names of keys, and numbers in arrays, from 0."""


def line_of(text: str, place: Place) -> int:
    """The line, from 1, where a place of a valid text begins, or what contains it."""
    lines = _lines(text)
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def _lines(text: str) -> dict[Place, int]:
    lines: dict[Place, int] = {}
    table: Place = ()
    entries: Counter[Place] = Counter()
    for line, statement, content in _statements(text):
        if statement.lstrip(" \t").startswith("["):
            table = _header(content, entries)
            places = [table[:length] for length in range(1, len(table) + 1)]
        else:
            places = [table + place for place in _places(content)]
        for place in places:
            lines.setdefault(place, line)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    start, gathered = 1, ""
    for number, line in enumerate(text.split("\n"), start=1):
        gathered += line + "\n"
        try:
            content = tomllib.loads(gathered)
        except ValueError:
            continue
        yield start, gathered, content
        start, gathered = number + 1, ""


def _header(content: Any, entries: Counter[Place]) -> Place:
    """The table that a header opens; `[[name]]` opens one more entry of an array."""
    names: Place = ()
    table: Place = ()
    while content:
        ((name, content),) = content.items()
        names, table = (*names, name), (*table, name)
        if isinstance(content, list):
            entries[names] += 1
            content = content[0]
        if names in entries:
            table = (*table, entries[names] - 1)
    return table


def _places(content: Any) -> Iterator[Place]:
    """Every place inside a value, itself excluded."""
    if isinstance(content, dict):
        inside: Any = content.items()
    elif isinstance(content, list):
        inside = enumerate(content)
    else:
        return
    for step, value in inside:
        yield (step,)
        yield from ((step, *place) for place in _places(value))
