"""Settings out of environment variables."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tacit.core.errors import ConfigError, InvalidInput
from tacit.settings.checking import check, left_out
from tacit.settings.config.tables import Table
from tacit.settings.definition import Kind, definition, definitions

EMPTY_LIST = "[]"
"""How a list without names is written in one line."""


def environment_values(environment: Mapping[str, str], table: Table) -> dict[str, Any]:
    """The values that variables give; the first prefix is ours, wins, and allows no other name."""
    _refuse_unknown(environment, table.settings_class, table.prefixes[0])
    return {
        name: _value(table, name, variable, environment[variable])
        for name, variable in _variables(environment, table)
    }


def environment_warnings(environment: Mapping[str, str], table: Table) -> list[str]:
    """What is left out of the values that variables give."""
    return [
        f"{variable}: {warning}"
        for name, variable in _variables(environment, table)
        for warning in left_out(
            table.settings_class, name, parse_value(table, name, environment[variable])
        )
    ]


def read_value(table: Table, name: str, text: str) -> Any:
    """The value of a setting as people write it in one line; lists have commas."""
    return check(table.settings_class, name, parse_value(table, name, text))


def parse_value(table: Table, name: str, text: str) -> Any:
    """The same before it is checked."""
    return _READERS[definition(table.settings_class, name).kind](text.strip())


def _variables(environment: Mapping[str, str], table: Table) -> Iterator[tuple[str, str]]:
    """The settings that variables give a value to, each with the variable that counts."""
    for each in definitions(table.settings_class):
        variables = [prefix + each.name.upper() for prefix in table.prefixes]
        variable = next(filter(environment.__contains__, variables), None)
        if variable is not None:
            yield each.name, variable


def _refuse_unknown(environment: Mapping[str, str], settings_class: type, prefix: str) -> None:
    for variable in environment:
        if variable.startswith(prefix):
            try:
                definition(settings_class, variable.removeprefix(prefix).lower())
            except InvalidInput as error:
                raise ConfigError(f"{variable}: {error.problem}") from None


def _value(table: Table, name: str, variable: str, text: str) -> Any:
    try:
        return read_value(table, name, text)
    except InvalidInput as error:
        raise ConfigError(f"{variable}: {error.problem}") from None


def _flag(text: str) -> bool | str:
    return _WORDS.get(text.lower(), text)


def _number(read: Callable[[str], float]) -> Callable[[str], float | str]:
    """A reader that leaves what is no number to the check, which says what would be right."""

    def number(text: str) -> float | str:
        try:
            return read(text)
        except ValueError:
            return text

    return number


def _list(text: str) -> list[str]:
    names = "" if text == EMPTY_LIST else text
    return [part.strip() for part in names.split(",") if part.strip()]


_WORDS = MappingProxyType(
    {
        **dict.fromkeys(("true", "1", "yes", "on"), True),
        **dict.fromkeys(("false", "0", "no", "off"), False),
    }
)

_READERS: Mapping[Kind, Callable[[str], Any]] = MappingProxyType(
    {
        Kind.BOOL: _flag,
        Kind.INT: _number(int),
        Kind.FLOAT: _number(float),
        Kind.CHOICE: str,
        Kind.TYPES: _list,
        Kind.SCOPES: _list,
        Kind.TEXT: str,
    }
)
