"""Setting and removing single values of a TOML text."""

from collections.abc import Iterator, Mapping
from typing import Any

import tomlkit

from tacit.settings.config.sheet import Sheet
from tacit.settings.config.statements import Place, Statement, leaves


def amended(text: str, table: Place, name: str, value: Any) -> str:
    """The text with a value set in a table, which is made where there is none."""
    sheet = Sheet.of(text)
    place = (*table, name)
    header = sheet.opening(table)
    if header is not None and sheet.making(place) is None:
        return _added(sheet, header, name, value)
    makers = (sheet.making(place[:length]) for length in range(len(place), 0, -1))
    at = next((each for each in makers if each is not None), None)
    if at is None:
        return _opened(sheet, table, name, value)
    return sheet.replaced(at, _with(sheet.statements[at], table, name, value))


def removed(text: str, table: Place, name: str) -> str:
    """The text without a value; a line that said nothing else goes with it."""
    sheet = Sheet.of(text)
    at = sheet.making((*table, name))
    return text if at is None else sheet.replaced(at, _without(sheet.statements[at], table, name))


def emptied(text: str, table: Place) -> str:
    """The text without a table; comments on lines of their own stay."""
    sheet = Sheet.of(text)
    while (at := sheet.making(table)) is not None:
        *outer, name = table
        text = sheet.replaced(at, _without(sheet.statements[at], tuple(outer), str(name)))
        sheet = Sheet.of(text)
    header = sheet.opening(table)
    return text if header is None else sheet.closed(header)


def extended(text: str, array: str, entry: Mapping[str, Any]) -> str:
    """The text with one more table in an array of tables."""
    sheet = Sheet.of(text)
    at = sheet.making((array,))
    if at is None:
        return sheet.appended(_entry(array, entry))
    document = tomlkit.parse(sheet.statements[at].text)
    _inside(document, (array,)).append(dict(entry))
    return sheet.replaced(at, tomlkit.dumps(document))


def _added(sheet: Sheet, header: int, name: str, value: Any) -> str:
    """One more key under a header, after the last one and indented like it."""
    last = sheet.last_key(header)
    above = sheet.statements[last].text
    indent = above[: len(above) - len(above.lstrip(" \t"))]
    return sheet.inserted(last, [indent + _assigned(name, value)])


def _opened(sheet: Sheet, table: Place, name: str, value: Any) -> str:
    """A new table: after the entry of an array that it belongs to, else at the end."""
    header = ".".join(step for step in table if isinstance(step, str))
    lines = [f"[{header}]", _assigned(name, value)]
    entry = next((end for end in range(len(table), 0, -1) if isinstance(table[end - 1], int)), 0)
    at = sheet.opening(table[:entry])
    if at is None:
        return sheet.appended(lines)
    return sheet.inserted(sheet.last_key(at), ["", *lines])


def _entry(array: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """The lines of an entry: its values, then its tables under their own headers."""
    yield f"[[{array}]]"
    for name, value in entry.items():
        if not isinstance(value, Mapping):
            yield _assigned(name, value)
    for name, value in entry.items():
        if isinstance(value, Mapping):
            yield from ("", f"[{array}.{name}]")
            yield from (_assigned(*each) for each in value.items())


def _assigned(name: str, value: Any) -> str:
    return f"{name} = {tomlkit.item(value).as_string()}"


def _with(statement: Statement, table: Place, name: str, value: Any) -> str:
    """A statement that gives a value too, besides what it gives."""
    document = tomlkit.parse(statement.text)
    _inside(document, table[len(statement.table) :])[name] = value
    return tomlkit.dumps(document)


def _without(statement: Statement, table: Place, name: str) -> str:
    if len(leaves(statement.content)) == 1:
        return ""
    document = tomlkit.parse(statement.text)
    del _inside(document, table[len(statement.table) :])[name]
    return tomlkit.dumps(document)


def _inside(found: Any, place: Place) -> Any:
    """What is at a place of a statement; tables that are missing on the way are made."""
    for step in place:
        if isinstance(step, str) and step not in found:
            found[step] = tomlkit.inline_table()
        found = found[step]
    return found
