"""`JsonValue`: dataclasses that become JSON and are read from it as their annotations say.

A value is described once, by its fields. What JSON and the API's document need besides the type
stands in `Annotated`: a text describes the field, the markers below say what else is special.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import date, datetime
from enum import Enum, StrEnum
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from tacit.core.errors import InvalidInput
from tacit.core.times import parse_time, to_rfc3339

Convert = Callable[[Any], Any]

ABSENT: Final = object()
"""In place of a default or a value, where there is none."""


class Flag(Enum):
    """Markers without a value."""

    INLINE = "its fields stand among those of the value that holds it"
    UNWRITTEN = "it is not written, and read only where somebody added it"
    OPEN = "the API's document shows it as an object of any fields"


INLINE: Final = Flag.INLINE
UNWRITTEN: Final = Flag.UNWRITTEN
OPEN: Final = Flag.OPEN


@dataclass(frozen=True, slots=True)
class Named:
    """The name in JSON, where it differs from the field's."""

    name: str


@dataclass(frozen=True, slots=True)
class Rounded:
    """How many decimals of a number, or of the numbers in a mapping, are written."""

    digits: int


@dataclass(frozen=True, slots=True)
class CheckedAs:
    """The name of the check that a value has to pass, where it differs from the field's."""

    name: str


@dataclass(frozen=True, slots=True)
class Example:
    """A value to show in the API's document."""

    value: Any


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest number that a request may give."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonField:
    """A field of a value: its names, its type and the markers of its annotation."""

    name: str
    json_name: str
    type: Any
    markers: tuple[Any, ...]
    default: Any = ABSENT
    is_computed: bool = False

    def marker(self, kind: type[Any]) -> Any:
        """The marker of a kind, or None."""
        return next((each for each in self.markers if isinstance(each, kind)), None)

    @property
    def takes_null(self) -> bool:
        """Whether None is one of its values."""
        return self.type is Any or NoneType in get_args(self.type)


class JsonValue:
    """The base of dataclasses that convert themselves to JSON and back."""

    __slots__ = ()

    COMPUTED: ClassVar[tuple[str, ...]] = ()
    """Properties that are written too."""

    OMITS_DEFAULTS: ClassVar[bool] = False
    """Whether fields with their default value are left out."""

    def to_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON."""
        values: dict[str, Any] = {}
        kind: Any = type(self)
        for name, json_name, write, default in _writers(kind):
            value = getattr(self, name)
            if default is not ABSENT and value == default:
                continue
            if write is not None and value is not None:
                value = write(value)
            if json_name is None:
                values |= value
            else:
                values[json_name] = value
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; unknown names are ignored, and missing ones take defaults."""
        given = {}
        kind: Any = cls
        for name, json_name, read, is_required in _readers(kind):
            if json_name is None:
                given[name] = read(values)
            elif json_name in values:
                given[name] = read(values[json_name])
            elif is_required:
                raise InvalidInput(json_name, "is missing")
        return cls(**{name: value for name, value in given.items() if value is not ABSENT})

    @classmethod
    def reader(cls, field: JsonField) -> Convert:
        """The function that reads a field."""
        return _reader_of(field.type, field.name)


@cache
def json_fields(kind: Any) -> tuple[JsonField, ...]:
    """The fields of a value in JSON, in order, and then what is computed."""
    hints = get_type_hints(kind, include_extras=True)
    written = (_to_field(each.name, hints[each.name], _default_of(each)) for each in fields(kind))
    computed = (_to_computed_field(kind, name) for name in kind.COMPUTED)
    return (*written, *computed)


def _to_field(name: str, hint: Any, default: Any) -> JsonField:
    kind, markers = _split(hint)
    named = next((each.name for each in markers if isinstance(each, Named)), name)
    return JsonField(name=name, json_name=named, type=kind, markers=markers, default=default)


def _to_computed_field(kind: Any, name: str) -> JsonField:
    hint = get_type_hints(getattr(kind, name).fget, include_extras=True)["return"]
    returned, markers = _split(hint)
    named = next((each.name for each in markers if isinstance(each, Named)), name)
    return JsonField(name=name, json_name=named, type=returned, markers=markers, is_computed=True)


def _split(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without the markers around it, and these."""
    if get_origin(hint) is not Annotated:
        return hint, ()
    kind, *markers = get_args(hint)
    return kind, tuple(markers)


def _default_of(field: Any) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return ABSENT if field.default is MISSING else field.default


# Writing


@cache
def _writers(kind: Any) -> tuple[tuple[str, str | None, Convert | None, Any], ...]:
    """For each field: its names, the function that writes it, and the default that is left out."""
    return tuple(
        (
            each.name,
            None if INLINE in each.markers else each.json_name,
            _field_writer(each),
            each.default if kind.OMITS_DEFAULTS else ABSENT,
        )
        for each in json_fields(kind)
        if UNWRITTEN not in each.markers
    )


def _field_writer(field: JsonField) -> Convert | None:
    rounded = field.marker(Rounded)
    if rounded is None:
        return _writer_of(field.type)
    if _is_mapping(without_null(field.type)):
        return lambda value: {name: round(each, rounded.digits) for name, each in value.items()}
    return lambda value: round(value, rounded.digits)


def _writer_of(hint: Any) -> Convert | None:
    """The function that writes a value of a type; None for what JSON has itself."""
    kind = without_null(_split(hint)[0])
    if isinstance(kind, type) and get_origin(kind) is None:
        if issubclass(kind, JsonValue):
            return lambda value: value.to_dict()
        return next((write for each, write in _SCALAR_WRITERS if issubclass(kind, each)), None)
    if get_origin(kind) in (Union, UnionType):
        return to_json_value
    if _is_mapping(kind):
        return _mapping_writer(kind)
    if _is_sequence(kind):
        write = _writer_of(get_args(kind)[0])
        return list if write is None else lambda value: [write(each) for each in value]
    return None


def _mapping_writer(kind: Any) -> Convert:
    write_name, write = (_writer_of(each) for each in get_args(kind))
    if write_name is None and write is None:
        return dict
    name_of, value_of = write_name or _same, write or _same
    return lambda value: {name_of(name): value_of(each) for name, each in value.items()}


def to_json_value(value: Any) -> Any:
    """A single value, ready for JSON, by its own type."""
    if isinstance(value, tuple | list):
        return [to_json_value(each) for each in value]
    write = _writer_of(type(value))
    return value if write is None else write(value)


_SCALAR_WRITERS: tuple[tuple[type[Any], Convert], ...] = (
    (datetime, to_rfc3339),
    (date, date.isoformat),
    (StrEnum, str),
    (bytes, bytes.hex),
    (Path, str),
)


# Reading


@cache
def _readers(kind: Any) -> tuple[tuple[str, str | None, Convert, bool], ...]:
    """For each field: its names, the function that reads it, and whether it must be there."""
    return tuple(
        (
            each.name,
            None if INLINE in each.markers else each.json_name,
            _null_reader(each, kind.reader(each)),
            each.default is ABSENT,
        )
        for each in json_fields(kind)
        if not each.is_computed
    )


def _null_reader(field: JsonField, read: Convert) -> Convert:
    """A reader for which null counts as missing where it is not a value."""
    if field.takes_null or field.default is ABSENT:
        return read
    return lambda value: ABSENT if value is None else read(value)


def _reader_of(hint: Any, name: str) -> Convert:
    """The function that reads a value of a type; errors name the field."""
    kind = _split(hint)[0]
    inner = without_null(kind)
    read = _plain_reader(inner, name)
    if inner is kind or read is _same:
        return read
    return lambda value: None if value is None else read(value)


def _plain_reader(kind: Any, name: str) -> Convert:
    if isinstance(kind, type) and get_origin(kind) is None:
        if issubclass(kind, JsonValue):
            return kind.from_dict
        if issubclass(kind, datetime):
            return partial(parse_time, name)
        return next((of(kind) for each, of in _SCALAR_READERS if issubclass(kind, each)), _same)
    if _is_mapping(kind):
        read_name, read = (_reader_of(each, name) for each in get_args(kind))
        return lambda value: {read_name(each): read(part) for each, part in value.items()}
    if _is_sequence(kind):
        read = _reader_of(get_args(kind)[0], name)
        return lambda value: tuple(read(each) for each in value)
    return _same


_SCALAR_READERS: tuple[tuple[type[Any], Callable[[Any], Convert]], ...] = (
    (date, lambda kind: kind.fromisoformat),
    (StrEnum, lambda kind: kind),
    (bytes, lambda kind: kind.fromhex),
    (Path, lambda kind: kind),
)


# Types


def without_null(kind: Any) -> Any:
    """A type without None, if one other remains."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    others = [each for each in get_args(kind) if each is not NoneType]
    return others[0] if len(others) == 1 else kind


def _is_mapping(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _is_sequence(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Sequence)


def _same(value: Any) -> Any:
    return value
