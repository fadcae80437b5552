"""How answers of a server are read."""

from collections.abc import Callable
from typing import Any, TypeVar

Value = TypeVar("Value")


def items(read: Callable[[Any], Value]) -> Callable[[Any], "list[Value]"]:
    """How the items of a list are read."""
    return lambda answer: [read(each) for each in answer["items"]]


def nothing(_: Any) -> None:
    """An answer that holds nothing one would want."""
