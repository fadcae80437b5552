"""Settings from environment variables, and from text in one line."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tacit.core.errors import ConfigError, InvalidInput
from tacit.settings.config import SettingsTable
from tacit.settings.definition import (
    SettingKind,
    check_setting,
    find_definition,
    find_doubts,
    list_definitions,
)

EMPTY_LIST = "[]"
"""An empty list, written in one line."""


def read_environment(environment: Mapping[str, str], table: SettingsTable) -> dict[str, Any]:
    """The values of a table's variables; our prefix wins, and unknown names after it are errors."""
    _reject_unknown(environment, table.settings_class, table.prefixes[0])
    return {
        name: _parse_variable(table, name, variable, environment[variable])
        for name, variable in _given_variables(environment, table)
    }


def list_environment_warnings(environment: Mapping[str, str], table: SettingsTable) -> list[str]:
    """The parts of variables' values that are ignored or doubtful, each with the reason."""
    return [
        f"{variable}: {warning}"
        for name, variable in _given_variables(environment, table)
        for warning in find_doubts(
            table.settings_class, name, parse_unchecked_setting(table, name, environment[variable])
        )
    ]


def parse_setting(table: SettingsTable, name: str, text: str) -> Any:
    """Parse and check the value of a setting written in one line; lists have commas."""
    return check_setting(table.settings_class, name, parse_unchecked_setting(table, name, text))


def parse_unchecked_setting(table: SettingsTable, name: str, text: str) -> Any:
    """Parse the value of a setting without checking it."""
    return _READERS[find_definition(table.settings_class, name).kind](text.strip())


def _given_variables(
    environment: Mapping[str, str], table: SettingsTable
) -> Iterator[tuple[str, str]]:
    """The settings that variables set, each with the variable that counts."""
    for each in list_definitions(table.settings_class):
        variables = [prefix + each.name.upper() for prefix in table.prefixes]
        variable = next(filter(environment.__contains__, variables), None)
        if variable is not None:
            yield each.name, variable


def _reject_unknown(environment: Mapping[str, str], settings_class: type, prefix: str) -> None:
    for variable in environment:
        if variable.startswith(prefix):
            try:
                find_definition(settings_class, variable.removeprefix(prefix).lower())
            except InvalidInput as error:
                raise ConfigError(f"{variable}: {error.problem}") from None


def _parse_variable(table: SettingsTable, name: str, variable: str, text: str) -> Any:
    try:
        return parse_setting(table, name, text)
    except InvalidInput as error:
        raise ConfigError(f"{variable}: {error.problem}") from None


def _flag(text: str) -> bool | str:
    return _WORDS.get(text.lower(), text)


def _number(read: Callable[[str], float]) -> Callable[[str], float | str]:
    """A parser that returns other text unchanged, so that the check reports it."""

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

_READERS: Mapping[SettingKind, Callable[[str], Any]] = MappingProxyType(
    {
        SettingKind.BOOL: _flag,
        SettingKind.INT: _number(int),
        SettingKind.FLOAT: _number(float),
        SettingKind.CHOICE: str,
        SettingKind.TYPES: _list,
        SettingKind.SCOPES: _list,
        SettingKind.TEXT: str,
    }
)
