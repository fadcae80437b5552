"""The statements of a TOML text: headers, and keys with their values, each on lines of its own.

A statement of TOML is valid TOML by itself, so lines are gathered until they parse, and what they
parse to says which keys they hold. Blank lines and comments are statements that hold nothing.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""The way to a value: names of keys, and numbers in arrays, from 0."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Some lines of a text: where they begin, what they say, and in which table."""

    line: int
    text: str
    is_header: bool
    table: Place
    """The table that it stands in; of a header, the one that it opens."""
    content: Mapping[str, Any]

    def places(self) -> tuple[Place, ...]:
        """Every place that it makes."""
        if self.is_header:
            return tuple(self.table[:length] for length in range(1, len(self.table) + 1))
        return tuple(self.table + place for place in _inside(self.content))


def statements(text: str) -> Iterator[Statement]:
    """The statements of a valid text, in order; together they are the text."""
    table: Place = ()
    entries: Counter[Place] = Counter()
    for line, gathered, content in _gathered(text):
        is_header = gathered.lstrip(" \t").startswith("[")
        if is_header:
            table = _opened(content, entries)
        yield Statement(line=line, text=gathered, is_header=is_header, table=table, content=content)


def leaves(content: Any, place: Place = ()) -> dict[Place, Any]:
    """Every value that is neither a table nor a list of tables, by its place."""
    if isinstance(content, Mapping):
        inside: Any = content.items()
    elif isinstance(content, list) and any(isinstance(each, Mapping) for each in content):
        inside = enumerate(content)
    else:
        return {place: content}
    found: dict[Place, Any] = {}
    for step, value in inside:
        found |= leaves(value, (*place, step))
    return found


def _gathered(text: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    start, gathered = 1, ""
    for number, line in enumerate(_LINE.findall(text), start=1):
        gathered += line
        try:
            content = tomllib.loads(gathered)
        except ValueError:
            continue
        yield start, gathered, content
        start, gathered = number + 1, ""


def _opened(content: Any, entries: Counter[Place]) -> Place:
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


def _inside(content: Any) -> Iterator[Place]:
    """Every place inside a value, itself excluded."""
    if isinstance(content, dict):
        inside: Any = content.items()
    elif isinstance(content, list):
        inside = enumerate(content)
    else:
        return
    for step, value in inside:
        yield (step,)
        yield from ((step, *place) for place in _inside(value))
