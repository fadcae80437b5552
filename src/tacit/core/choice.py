"""A value out of a closed set."""

from enum import StrEnum
from typing import Any, TypeVar

from tacit.core.errors import InvalidInput

Kind = TypeVar("Kind", bound=StrEnum)


def choice(field: str, kinds: type[Kind], value: Any) -> Kind:
    """The kind that a value names, or an error that says which there are."""
    try:
        return kinds(value)
    except ValueError:
        raise InvalidInput(field, f"{value!r} is none of {', '.join(kinds)}") from None
