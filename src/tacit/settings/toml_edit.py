"""Edits of single values in a TOML text; everything else stays byte for byte.

tomlkit writes new keys and tables, and edits a single statement. It cannot edit a whole file for
us: a new key comes after the comments above the next table, comments go with a removed table, new
lines end with a line feed in files with CRLF, tables move where the entries of an array of tables
stand apart, and nothing says in which line a value stands, as error messages do. So a text is split
into statements here, and only the one that changes is given to tomlkit.

A statement of TOML (a header, or a key with its value) is valid TOML by itself, so what it parses
to says which keys it holds. It ends with a line, outside of strings and brackets. Blank lines and
comments are statements that hold nothing.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

import tomlkit

# Statements.


KeyPath: TypeAlias = tuple[str | int, ...]
"""The way to a value: names of keys, and numbers in arrays, from 0."""

_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\[\s\S]|"(?!""))*+"""(?:"(?!")|""(?!"))?'''
    r"|'''(?:[^']|'(?!''))*+'''(?:'(?!')|''(?!'))?"
    r"""|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|\#[^\n]*+|[\[\]{}\n]"""
)
"""Strings and comments whole; else what opens, closes or ends something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlStatement:
    """Some lines of a text: where they begin, what they say, and in which table."""

    line: int
    text: str
    is_header: bool
    table: KeyPath
    """The table that it stands in; of a header, the one that it opens."""
    content: Mapping[str, Any]

    def places(self) -> tuple[KeyPath, ...]:
        """Every place that it makes."""
        if self.is_header:
            return tuple(self.table[:length] for length in range(1, len(self.table) + 1))
        return tuple(self.table + place for place in _paths_inside(self.content))


def parse_statements(text: str) -> Iterator[TomlStatement]:
    """The statements of a valid text, in order; together they are the text."""
    table: KeyPath = ()
    entries: Counter[KeyPath] = Counter()
    line, start = 1, 0
    for end in _statement_ends(text):
        gathered = text[start:end]
        content = tomllib.loads(gathered)
        is_header = gathered.lstrip(" \t").startswith("[")
        if is_header:
            table = _opened_table(content, entries)
        yield TomlStatement(
            line=line, text=gathered, is_header=is_header, table=table, content=content
        )
        line, start = line + gathered.count("\n"), end


def flatten_values(content: Any, place: KeyPath = ()) -> dict[KeyPath, Any]:
    """Every value that is neither a table nor a list of tables, by its place."""
    if isinstance(content, Mapping):
        inside: Any = content.items()
    elif isinstance(content, list) and any(isinstance(each, Mapping) for each in content):
        inside = enumerate(content)
    else:
        return {place: content}
    found: dict[KeyPath, Any] = {}
    for step, value in inside:
        found |= flatten_values(value, (*place, step))
    return found


def _statement_ends(text: str) -> Iterator[int]:
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


def _opened_table(content: Any, entries: Counter[KeyPath]) -> KeyPath:
    """The table that a header opens; `[[name]]` opens one more entry of an array."""
    names: KeyPath = ()
    table: KeyPath = ()
    while content:
        ((name, content),) = content.items()
        names, table = (*names, name), (*table, name)
        if isinstance(content, list):
            entries[names] += 1
            content = content[0]
        if names in entries:
            table = (*table, entries[names] - 1)
    return table


def _paths_inside(content: Any) -> Iterator[KeyPath]:
    """Every place inside a value, itself excluded."""
    if isinstance(content, dict):
        inside: Any = content.items()
    elif isinstance(content, list):
        inside = enumerate(content)
    else:
        return
    for step, value in inside:
        yield (step,)
        yield from ((step, *place) for place in _paths_inside(value))


_LINE_END = re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class TomlText:
    """A text by its statements; a change makes a new text, in which all others are as before."""

    statements: tuple[TomlStatement, ...]

    @classmethod
    def of(cls, text: str) -> "TomlText":
        """The statements of a valid text."""
        return cls(tuple(parse_statements(text)))

    def find_key(self, place: KeyPath) -> int | None:
        """The number of the key that makes a place, if it is not a header that does."""
        return self._first(lambda each: not each.is_header and place in each.places())

    def find_header(self, table: KeyPath) -> int | None:
        """The number of the header that opens a table."""
        return self._first(lambda each: each.is_header and each.table == table)

    def last_key(self, header: int) -> int:
        """The number of the last key under a header, or of the header itself."""
        last = header
        for number in range(header + 1, len(self.statements)):
            if self.statements[number].is_header:
                break
            if self.statements[number].content:
                last = number
        return last

    def replace_statement(self, number: int, text: str) -> str:
        """The text with other words in the place of a statement."""
        return self._join(number, self._with_line_ends(text), number + 1)

    def insert(self, number: int, lines: str) -> str:
        """The text with some lines more after a statement."""
        return self._join(number + 1, self._with_line_ends(lines))

    def remove_table(self, header: int) -> str:
        """The text without a header and the keys under it."""
        inside = self.statements[header : self.last_key(header) + 1]
        kept = "".join(each.text for each in inside if not each.content)
        return self._join(header, kept, self.last_key(header) + 1)

    def append(self, lines: str) -> str:
        """The text with some lines more at its end, apart from what is there."""
        is_apart = not self.statements or not self.statements[-1].text.strip()
        return self.insert(len(self.statements), lines if is_apart else f"\n{lines}")

    def _first(self, wanted: Callable[[TomlStatement], bool]) -> int | None:
        return next((at for at, each in enumerate(self.statements) if wanted(each)), None)

    def _join(self, start: int, new: str, end: int | None = None) -> str:
        texts = [each.text for each in self.statements]
        before, after = "".join(texts[:start]), "".join(texts[start if end is None else end :])
        if before and not before.endswith("\n"):
            before += self._with_line_ends("\n")
        return before + new + after

    def _with_line_ends(self, text: str) -> str:
        """A text whose lines end as those of this one do."""
        first = next((each.text for each in self.statements), "")
        return _LINE_END.sub("\r\n" if first.endswith("\r\n") else "\n", text)


# Edits.


def set_value(text: str, table: KeyPath, name: str, value: Any) -> str:
    """The text with a value set in a table, which is made where there is none."""
    toml = TomlText.of(text)
    place = (*table, name)
    header = toml.find_header(table)
    if header is not None and toml.find_key(place) is None:
        return _add_key(toml, header, name, value)
    makers = (toml.find_key(place[:length]) for length in range(len(place), 0, -1))
    at = next((each for each in makers if each is not None), None)
    if at is None:
        return _add_table(toml, table, name, value)
    return toml.replace_statement(at, _statement_with(toml.statements[at], table, name, value))


def remove_value(text: str, table: KeyPath, name: str) -> str:
    """The text without a value; a line that said nothing else goes with it."""
    toml = TomlText.of(text)
    at = toml.find_key((*table, name))
    return (
        text
        if at is None
        else toml.replace_statement(at, _statement_without(toml.statements[at], table, name))
    )


def remove_table(text: str, table: KeyPath) -> str:
    """The text without a table; comments on lines of their own stay."""
    toml = TomlText.of(text)
    while (at := toml.find_key(table)) is not None:
        *outer, name = table
        text = toml.replace_statement(
            at, _statement_without(toml.statements[at], tuple(outer), str(name))
        )
        toml = TomlText.of(text)
    header = toml.find_header(table)
    return text if header is None else toml.remove_table(header)


def append_table(text: str, array: str, entry: Mapping[str, Any]) -> str:
    """The text with one more table in an array of tables."""
    toml = TomlText.of(text)
    at = toml.find_key((array,))
    if at is None:
        return toml.append(tomlkit.dumps({array: [entry]}))
    document = tomlkit.parse(toml.statements[at].text)
    _table_inside(document, (array,)).append(dict(entry))
    return toml.replace_statement(at, tomlkit.dumps(document))


def _add_key(toml: TomlText, header: int, name: str, value: Any) -> str:
    """One more key under a header, after the last one and indented like it."""
    last = toml.last_key(header)
    above = toml.statements[last].text
    indent = above[: len(above) - len(above.lstrip(" \t"))]
    return toml.insert(last, indent + tomlkit.dumps({name: value}))


def _add_table(toml: TomlText, table: KeyPath, name: str, value: Any) -> str:
    """A new table: after the entry of an array that it belongs to, else at the end."""
    names = [step for step in table if isinstance(step, str)]
    nested = reduce(lambda inner, step: {step: inner}, reversed(names), {name: value})
    lines = tomlkit.dumps(nested)
    entry = next((end for end in range(len(table), 0, -1) if isinstance(table[end - 1], int)), 0)
    at = toml.find_header(table[:entry])
    if at is None:
        return toml.append(lines)
    return toml.insert(toml.last_key(at), f"\n{lines}")


def _statement_with(statement: TomlStatement, table: KeyPath, name: str, value: Any) -> str:
    """A statement that gives a value too, besides what it gives."""
    document = tomlkit.parse(statement.text)
    _table_inside(document, table[len(statement.table) :])[name] = value
    return tomlkit.dumps(document)


def _statement_without(statement: TomlStatement, table: KeyPath, name: str) -> str:
    if len(flatten_values(statement.content)) == 1:
        return ""
    document = tomlkit.parse(statement.text)
    del _table_inside(document, table[len(statement.table) :])[name]
    return tomlkit.dumps(document)


def _table_inside(found: Any, place: KeyPath) -> Any:
    """What is at a place of a statement; tables that are missing on the way are made."""
    for step in place:
        if isinstance(step, str) and step not in found:
            found[step] = tomlkit.inline_table()
        found = found[step]
    return found


# Line numbers for error messages.


def line_of(text: str, place: KeyPath) -> int:
    """The line, from 1, where a place of a valid text begins, or what contains it."""
    lines: dict[KeyPath, int] = {}
    for statement in parse_statements(text):
        for made in statement.places():
            lines.setdefault(made, statement.line)
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)
