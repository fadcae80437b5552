"""Models of values, derived from their fields, so that each field is described once.

`response_of(Memory)` describes what its `to_dict` writes, `request_of` what a caller may give.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, reduce
from inspect import cleandoc
from operator import or_
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import Field, create_model

from tacit.core.json_value import (
    ABSENT,
    INLINE,
    OPEN,
    UNWRITTEN,
    Bounds,
    Example,
    JsonField,
    JsonValue,
    json_fields,
    without_null,
)
from tacit.server.schemas.common import (
    ItemsResponse,
    LongList,
    PageResponse,
    RequestModel,
    ResponseModel,
)

FieldDefinition = tuple[Any, Any]


@cache
def response_of(kind: Any) -> Any:
    """The response model of a value."""
    return model_of(kind, kind.__name__)


def page_of(kind: Any) -> Any:
    """The response model of a page of values."""
    return PageResponse.__class_getitem__(_model(kind))


def items_of(kind: Any) -> Any:
    """The response model of a list of values."""
    return ItemsResponse.__class_getitem__(_model(kind))


def model_of(
    kind: Any,
    name: str,
    *,
    only: Iterable[str] | None = None,
    about: str | None = None,
    more: Mapping[str, FieldDefinition] | None = None,
) -> Any:
    """A response model with the fields of a value, or `only` some of them, and `more`."""
    fields = _definitions(kind)
    chosen = fields if only is None else {field: fields[field] for field in only}
    definitions: dict[str, Any] = {**chosen, **(more or {})}
    doc = cleandoc(about or kind.__doc__)
    return create_model(name, __base__=ResponseModel, __doc__=doc, **definitions)


def request_of(kind: Any, name: str, *, only: Iterable[str]) -> Any:
    """A request model with some fields of a value, each of which may be left out."""
    known, wanted = {each.name: each for each in json_fields(kind)}, frozenset(only)
    definitions: dict[str, Any] = {
        name: _request_definition(field) for name, field in known.items() if name in wanted
    }
    doc = cleandoc(kind.__doc__)
    return create_model(name, __base__=RequestModel, __doc__=doc, **definitions)


@dataclass(frozen=True, slots=True)
class Derived:
    """In `Annotated[Any, Derived(Receipt)]`: the field of a response holds such a value."""

    models: tuple[Any, ...]

    def __init__(self, *kinds: Any) -> None:
        object.__setattr__(self, "models", tuple(map(_model, kinds)))

    def __get_pydantic_core_schema__(self, _: Any, handler: Any) -> Any:
        """The schema of the models."""
        return handler.generate_schema(reduce(or_, self.models))


def _model(kind: Any) -> Any:
    """The response model of a value; another model is one already."""
    return response_of(kind) if _is_value(kind) else kind


def _is_value(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, JsonValue)


def _definitions(kind: Any) -> dict[str, FieldDefinition]:
    """The fields of a value, as pydantic wants them."""
    found: dict[str, FieldDefinition] = {}
    for each in json_fields(kind):
        if INLINE in each.markers:
            found |= _definitions(each.type)
        elif UNWRITTEN not in each.markers:
            may_be_missing = kind.OMITS_DEFAULTS and each.default is not ABSENT
            found[each.json_name] = _definition(each, may_be_missing=may_be_missing)
    return found


def _definition(field: JsonField, *, may_be_missing: bool) -> FieldDefinition:
    described = _described(field)
    kind = dict[str, Any] if OPEN in field.markers else _response_type(field.type)
    if may_be_missing:
        return kind | None, Field(None, **described)
    return kind, Field(**described)


def _described(field: JsonField) -> dict[str, Any]:
    """The description and the example of a field."""
    described: dict[str, Any] = {}
    text, example = field.marker(str), field.marker(Example)
    if text is not None:
        described["description"] = text
    if example is not None:
        described["examples"] = [example.value]
    return described


def _response_type(hint: Any) -> Any:
    """The type of a value in JSON."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated_type(hint)
    if origin in (Union, UnionType):
        return reduce(or_, (_response_type(each) for each in get_args(hint)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        name, value = (_response_type(each) for each in get_args(hint))
        return dict[name, value]  # type: ignore[valid-type]
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return list[_response_type(get_args(hint)[0])]  # type: ignore[misc]
    if not isinstance(hint, type):
        return hint
    if hint is object:
        return Any
    return str if issubclass(hint, date | bytes | Path) else _model(hint)


def _annotated_type(hint: Any) -> Any:
    """An annotated type inside another, with its example."""
    kind, *markers = get_args(hint)
    shown = [each.value for each in markers if isinstance(each, Example)]
    inner = _response_type(kind)
    return Annotated[inner, Field(examples=shown)] if shown else inner


# Requests


def _request_definition(field: JsonField) -> FieldDefinition:
    """A field of a request, with its bounds."""
    bounds: Bounds | None = field.marker(Bounds)
    limits: dict[str, Any] = {} if bounds is None else {"ge": bounds.low, "le": bounds.high}
    return _request_type(field.type) | None, Field(None, **limits, **_described(field))


def _request_type(hint: Any) -> Any:
    """The type of what a caller gives; lists are bounded."""
    kind: Any = without_null(hint)
    if isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Sequence):
        bounded: Any = LongList
        return bounded[_request_type(get_args(kind)[0])]
    if not _is_value(kind):
        return _response_type(kind)
    names = [each.name for each in json_fields(kind)]
    return request_of(kind, f"{kind.__name__}Request", only=names)
