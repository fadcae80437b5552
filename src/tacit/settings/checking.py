"""What each setting accepts: one check per kind, used by every way in."""

import logging
from collections.abc import Callable, Mapping
from reprlib import repr as shown
from types import MappingProxyType
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.kinds import MemoryType, Scope, check_choice
from tacit.settings.definition import Definition, Kind, definition, definitions

_log = logging.getLogger("tacit.settings")
_LONGEST_TEXT = 500


def check(settings_class: type, name: str, value: Any) -> Any:
    """Return the value as it will be kept, or say what would be right."""
    return _accepted(definition(settings_class, name), value)


def left_out(settings_class: type, name: str, value: Any) -> tuple[str, ...]:
    """What `check` leaves out of a value that it accepts, and why."""
    setting = definition(settings_class, name)
    return _unknown_types(setting, value) if setting.kind is Kind.TYPES else ()


def settle(settings: Any) -> None:
    """Check every value of new settings, and keep it as it was accepted."""
    settings_class: type = type(settings)
    for each in definitions(settings_class):
        object.__setattr__(settings, each.name, _accepted(each, getattr(settings, each.name)))


def _accepted(setting: Definition, value: Any) -> Any:
    return _CHECKS[setting.kind](setting, value)


def _flag(setting: Definition, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(setting.name, f"expected true or false, not {shown(value)}")
    return value


def _whole(setting: Definition, value: Any) -> int:
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(number, bool) or not isinstance(number, int):
        wanted = f"expected a whole number from {setting.low} to {setting.high}"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    _in_range(setting, number)
    return number


def _number(setting: Definition, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        wanted = f"expected a number from {setting.low} to {setting.high}"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    _in_range(setting, value)
    return float(value)


def _in_range(setting: Definition, value: float) -> None:
    if setting.low is None or setting.high is None or setting.low <= value <= setting.high:
        return
    ends = f"{setting.low} to {setting.high}"
    raise InvalidInput(setting.name, f"{shown(value)} is out of range; {ends}")


def _text(setting: Definition, value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable() or len(value) > _LONGEST_TEXT:
        wanted = f"expected one line of at most {_LONGEST_TEXT} characters"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    return value.strip()


def _choice(setting: Definition, value: Any) -> Any:
    return check_choice(setting.name, type(setting.default), value)


def _types(setting: Definition, value: Any) -> tuple[MemoryType, ...]:
    for warning in _unknown_types(setting, value):
        _log.warning("%s: %s", setting.name, warning)
    names = dict.fromkeys(_names(setting, value))
    return tuple(MemoryType(name) for name in names if name in setting.choices)


def _unknown_types(setting: Definition, value: Any) -> tuple[str, ...]:
    """A warning for each name that is no type."""
    known = ", ".join(setting.choices)
    return tuple(
        f"{name!r} is left out: no such type; the types are {known}"
        for name in dict.fromkeys(_names(setting, value))
        if name not in setting.choices
    )


def _scopes(setting: Definition, value: Any) -> tuple[Scope, ...]:
    scopes = tuple(check_choice(setting.name, Scope, name) for name in _names(setting, value))
    if not scopes:
        known = ", ".join(setting.choices)
        raise InvalidInput(setting.name, f"is empty; name at least one of {known}")
    for scope in scopes:
        if scopes.count(scope) > 1:
            raise InvalidInput(setting.name, f"{scope} stands there twice; name each scope once")
    return scopes


def _names(setting: Definition, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        wanted = f"expected a list of names out of {', '.join(setting.choices)}"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    return tuple(value)


_CHECKS: Mapping[Kind, Callable[[Definition, Any], Any]] = MappingProxyType(
    {
        Kind.BOOL: _flag,
        Kind.INT: _whole,
        Kind.FLOAT: _number,
        Kind.CHOICE: _choice,
        Kind.TYPES: _types,
        Kind.SCOPES: _scopes,
        Kind.TEXT: _text,
    }
)
