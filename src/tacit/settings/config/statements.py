"""The statements of a TOML text: headers, and keys with their values, each on lines of its own.

A statement of TOML is valid TOML by itself, so what it parses to says which keys it holds. It ends
with a line, outside of strings and brackets. Blank lines and comments are statements that hold
nothing.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""The way to a value: names of keys, and numbers in arrays, from 0."""

_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\[\s\S]|"(?!""))*+"""(?:"(?!")|""(?!"))?'''
    r"|'''(?:[^']|'(?!''))*+'''(?:'(?!')|''(?!'))?"
    r"""|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|\#[^\n]*+|[\[\]{}\n]"""
)
"""Strings and comments whole; else what opens, closes or ends something."""


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
    line, start = 1, 0
    for end in _ends(text):
        gathered = text[start:end]
        yield line, gathered, tomllib.loads(gathered)
        line, start = line + gathered.count("\n"), end


def _ends(text: str) -> Iterator[int]:
    """Where each statement of a valid text ends."""
    depth, last = 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0] == "\n" and depth == 0:
            last = token.end()
            yield last
    if last < len(text):
        yield len(text)


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
