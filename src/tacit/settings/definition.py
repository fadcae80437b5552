"""How a setting is defined, and what it accepts.

A setting is a field of a frozen dataclass (`InjectionSettings`, `SearchSettings` …) that `setting`
declares once with its default, range, label and help text. Every entry point (file, environment,
command line, REST, UI) reads this definition and checks values with `check_setting`.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from reprlib import repr as shown
from types import MappingProxyType
from typing import Annotated, Any, get_args

from tacit.core.errors import InvalidInput
from tacit.core.json_value import UNWRITTEN, Example, JsonField, JsonValue
from tacit.core.kinds import MemoryType, Scope, check_choice
from tacit.language.tokens import TokenCounting


class SettingKind(StrEnum):
    """The type of a setting's value."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    CHOICE = "choice"
    TYPES = "types"
    SCOPES = "scopes"
    TEXT = "text"


class SettingGroup(StrEnum):
    """The topic of a setting, in the order in which the topics are shown."""

    CONTEXTUAL = "Contextual search"
    DEDUPLICATION = "Deduplication"
    AMBIENT = "Ambient awareness"
    SELECTION = "Selection"
    BUDGET = "Budget"
    BLOCK = "Block"
    LIMITS = "Limits"
    SEARCH = "Search"
    WRITING = "Writing"
    UPKEEP = "Upkeep"
    POSTGRES = "PostgreSQL"
    SERVER = "Server"
    PROXY = "Proxy"
    DAEMON = "Daemon"
    GROUNDING = "Grounding"

    @property
    def is_advanced(self) -> bool:
        """Whether the UI shows it as advanced."""
        return self is SettingGroup.AMBIENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution(JsonValue):
    """Values that are allowed but seldom wise, and why: names, or numbers `below` one."""

    values: Annotated[tuple[str, ...], Example(["event"])] = ()
    below: float | None = None
    text: str

    def concerns(self, value: Any) -> bool:
        """Whether a number is one of them."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return self.below is not None and is_number and 0 < value < self.below


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingDefinition(JsonValue):
    """The definition of one setting; `low` and `high` are included in the range.

    A setting that `needs` another has an effect only while that one is on. `guidance` is advice on
    values. `in_project` says whether the file of a project may set it, once the user has agreed to
    that file; only settings that decide how much is shown and in which order may, never those that
    decide where data goes, who has access, and what is stored or switched off.
    """

    name: Annotated[str, UNWRITTEN]
    kind: SettingKind
    default: Any
    low: int | float | None
    high: int | float | None
    choices: tuple[str, ...]
    help: str
    group: SettingGroup
    label: Annotated[str, Example("Max Total")]
    needs: Annotated[
        str | None,
        "The setting that must be on for this one to count.",
        Example("ambient_enabled"),
    ] = None
    guidance: Annotated[str | None, "Which value suits whom; nobody is held to it."] = None
    caution: Caution | None = None
    in_project: Annotated[
        bool, "Whether the file of a project may set it, after the user has agreed to that."
    ] = False

    @classmethod
    def reader(cls, field: JsonField) -> Callable[[Any], Any]:
        """The default is read as settings hold it."""
        if field.name == "default":
            return to_setting_value
        return super(SettingDefinition, cls).reader(field)


def to_setting_value(value: Any) -> Any:
    """A JSON value as settings hold it: lists become tuples."""
    return tuple(value) if isinstance(value, list) else value


def setting(
    default: Any,
    label: str,
    help: str,
    group: SettingGroup,
    *,
    low: float | None = None,
    high: float | None = None,
    needs: str | None = None,
    guidance: str | None = None,
    caution: Caution | None = None,
    in_project: bool = False,
) -> Any:
    """Declare a setting as a field; its annotation gives the kind."""
    told = {"label": label, "help": help, "group": group}
    advice = {"needs": needs, "guidance": guidance, "caution": caution}
    ends = {} if low is None else {"low": low, "high": high}
    return field(default=default, metadata={**told, **ends, **advice, "in_project": in_project})


@cache
def list_definitions(settings_class: type) -> tuple[SettingDefinition, ...]:
    """The settings of a class, in the order of its fields."""
    return tuple(_read_definition(each) for each in fields(settings_class))


@cache
def find_definition(settings_class: type, name: str) -> SettingDefinition:
    """The setting with this name, or an error that lists the settings."""
    known = {each.name: each for each in list_definitions(settings_class)}
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise InvalidInput(name, f"no such setting{hint}; the settings are {', '.join(known)}")
    return known[name]


def _read_definition(each: Field[Any]) -> SettingDefinition:
    return SettingDefinition(
        name=each.name,
        kind=_KINDS.get(each.type, SettingKind.CHOICE),
        default=each.default,
        low=each.metadata.get("low"),
        high=each.metadata.get("high"),
        choices=_choices(each.type),
        help=each.metadata["help"],
        group=each.metadata["group"],
        label=each.metadata["label"],
        needs=each.metadata["needs"],
        guidance=each.metadata["guidance"],
        caution=each.metadata["caution"],
        in_project=each.metadata["in_project"],
    )


def _choices(annotation: Any) -> tuple[str, ...]:
    (choices, *_) = get_args(annotation) or (annotation,)
    return tuple(choices) if issubclass(choices, StrEnum) else ()


_KINDS: dict[Any, SettingKind] = {
    bool: SettingKind.BOOL,
    int: SettingKind.INT,
    float: SettingKind.FLOAT,
    str: SettingKind.TEXT,
    tuple[MemoryType, ...]: SettingKind.TYPES,
    tuple[Scope, ...]: SettingKind.SCOPES,
}


# Checks: one for each kind of setting.


_log = logging.getLogger("tacit.settings")
_MAX_TEXT = 500


def check_setting(settings_class: type, name: str, value: Any) -> Any:
    """Return the value as it is stored, or raise `InvalidInput` with what would be right."""
    return _check_value(find_definition(settings_class, name), value)


def find_doubts(settings_class: type, name: str, value: Any) -> tuple[str, ...]:
    """The parts of a value that `check_setting` ignores, and numbers that are seldom wise."""
    setting = find_definition(settings_class, name)
    if setting.kind is SettingKind.TYPES:
        return _unknown_types(setting, value)
    is_doubtful = setting.caution is not None and setting.caution.concerns(value)
    return (f"{shown(value)}: {setting.caution.text}",) if is_doubtful and setting.caution else ()


def check_settings(settings: Any) -> None:
    """Check every value of new settings, and store it as accepted."""
    settings_class: type = type(settings)
    for each in list_definitions(settings_class):
        object.__setattr__(settings, each.name, _check_value(each, getattr(settings, each.name)))


def _check_value(setting: SettingDefinition, value: Any) -> Any:
    return _CHECKS[setting.kind](setting, value)


def _flag(setting: SettingDefinition, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(setting.name, f"expected true or false, not {shown(value)}")
    return value


def _whole(setting: SettingDefinition, value: Any) -> int:
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(number, bool) or not isinstance(number, int):
        wanted = f"expected a whole number from {setting.low} to {setting.high}"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    _in_range(setting, number)
    return number


def _number(setting: SettingDefinition, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        wanted = f"expected a number from {setting.low} to {setting.high}"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    _in_range(setting, value)
    if setting.caution is not None and setting.caution.concerns(value):
        _warn_of_number(setting.name, float(value), setting.caution.text)
    return float(value)


@cache
def _warn_of_number(name: str, value: float, text: str) -> None:
    """Log a warning of a number once, however many turns have it."""
    _log.warning("%s: %s: %s", name, value, text)


def _in_range(setting: SettingDefinition, value: float) -> None:
    if setting.low is None or setting.high is None or setting.low <= value <= setting.high:
        return
    ends = f"{setting.low} to {setting.high}"
    raise InvalidInput(setting.name, f"{shown(value)} is out of range; {ends}")


def _text(setting: SettingDefinition, value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable() or len(value) > _MAX_TEXT:
        wanted = f"expected one line of at most {_MAX_TEXT} characters"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    return value.strip()


def _choice(setting: SettingDefinition, value: Any) -> Any:
    choice = check_choice(setting.name, type(setting.default), value)
    if isinstance(choice, TokenCounting) and not choice.is_installed:
        wanted = "needs more than is installed; run: pip install 'tacit[tokens]', or use estimate"
        raise InvalidInput(setting.name, f"{choice} {wanted}")
    return choice


def _types(setting: SettingDefinition, value: Any) -> tuple[MemoryType, ...]:
    for warning in _unknown_types(setting, value):
        _log.warning("%s: %s", setting.name, warning)
    names = dict.fromkeys(_names(setting, value))
    return tuple(MemoryType(name) for name in names if name in setting.choices)


def _unknown_types(setting: SettingDefinition, value: Any) -> tuple[str, ...]:
    """A warning for each name that is no type."""
    known = ", ".join(setting.choices)
    return tuple(
        f"{name!r} is left out: no such type; the types are {known}"
        for name in dict.fromkeys(_names(setting, value))
        if name not in setting.choices
    )


def _scopes(setting: SettingDefinition, value: Any) -> tuple[Scope, ...]:
    scopes = tuple(check_choice(setting.name, Scope, name) for name in _names(setting, value))
    if not scopes:
        known = ", ".join(setting.choices)
        raise InvalidInput(setting.name, f"is empty; name at least one of {known}")
    for scope in scopes:
        if scopes.count(scope) > 1:
            raise InvalidInput(setting.name, f"{scope} stands there twice; name each scope once")
    return scopes


def _names(setting: SettingDefinition, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        wanted = f"expected a list of names out of {', '.join(setting.choices)}"
        raise InvalidInput(setting.name, f"{wanted}, not {shown(value)}")
    return tuple(value)


_CHECKS: Mapping[SettingKind, Callable[[SettingDefinition, Any], Any]] = MappingProxyType(
    {
        SettingKind.BOOL: _flag,
        SettingKind.INT: _whole,
        SettingKind.FLOAT: _number,
        SettingKind.CHOICE: _choice,
        SettingKind.TYPES: _types,
        SettingKind.SCOPES: _scopes,
        SettingKind.TEXT: _text,
    }
)
