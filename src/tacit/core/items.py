"""Items: exact values by namespace and key, whose they are, and how filters select them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any

from tacit.core.errors import InvalidInput
from tacit.core.json_value import OPEN, Example, JsonValue, Rounded
from tacit.core.kinds import Owner, Scope
from tacit.core.permissions import Viewer

Namespace = tuple[str, ...]

Place = tuple[Namespace, str]
"""Where an item is: its namespace and its key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem(JsonValue):
    """A value by namespace and key; it expires so many minutes after it was last used."""

    namespace: Annotated[Namespace, Example(["users", "ann"])]
    key: Annotated[str, Example("food")]
    value: Annotated[Mapping[str, Any], OPEN] = field(hash=False)
    text: Annotated[str, "What search finds it by; nothing finds an item without text."]
    minutes: float | None = None
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    place: Annotated[int, "Its place among those written at the same time."] = 0

    @property
    def at(self) -> Place:
        """Where it is kept."""
        return self.namespace, self.key

    def has_expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True)
class FoundItem(JsonValue):
    """An item, and how well it answers the query if search found it."""

    item: StoredItem
    score: Annotated[float | None, Rounded(6)] = None


def texts_of_item(item: StoredItem) -> Iterator[str]:
    """All words of an item: its names, its text, and the names and values in its value."""
    yield from (*item.namespace, item.key, item.text)
    yield from _texts_in(item.value)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name)
            yield from _texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts_in(each)
    elif value is not None:
        yield str(value)


# Whose a namespace is


_MARKS: Mapping[Scope, tuple[str, ...]] = MappingProxyType(
    {
        Scope.USER: ("users",),
        Scope.PROJECT: ("projects",),
        Scope.SESSION: ("sessions", "threads"),
        Scope.ORG: ("orgs",),
    }
)
"""The parts of a namespace after which the name of an owner stands."""

_AGENTS = ("agents",)


def is_owned_by(namespace: Namespace, owner: Owner) -> bool:
    """Whether a namespace belongs to an owner: it names them behind `users`, `projects` and so on.

    Where it names no user in this way, as in `(user_id, "memories")`, it belongs to the user of
    whom one of its parts is the name.
    """
    scope, name = owner
    if not name:
        return False
    marked = _name_behind(namespace, _MARKS[scope])
    if scope is Scope.USER and marked is None:
        return name in namespace
    return marked == name


def reaches(viewer: Viewer, namespace: Namespace) -> bool:
    """Whether a caller reaches the items of a namespace.

    One that is bound to a user reaches what names that user behind `users`; one that is bound to
    an agent does not reach what names another behind `agents`.
    """
    if not viewer.sees_agent(_name_behind(namespace, _AGENTS)):
        return False
    return viewer.user is None or _name_behind(namespace, _MARKS[Scope.USER]) == viewer.user


def _name_behind(namespace: Namespace, marks: tuple[str, ...]) -> str | None:
    """The part behind the first of some marks."""
    behind = pairwise(namespace)
    return next((name for mark, name in behind if mark in marks), None)


# Filters of values


def check_item_filter(wanted: Any) -> Mapping[str, Any]:
    """Check a filter: for each field what it must be, or operators such as `{"$gt": 4}`."""
    if not isinstance(wanted, Mapping):
        raise InvalidInput("filter", "expected an object of fields and what they must be")
    for each in wanted.values():
        _check_operators(each)
    return wanted


def matches_item_filter(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a value has what a filter wants."""
    return all(_matches(value.get(name), each) for name, each in wanted.items())


def _check_operators(wanted: Any) -> None:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            for name in wanted:
                if name not in _OPERATORS:
                    known = ", ".join(_OPERATORS)
                    problem = f"Unsupported operator: {name}; there are {known}"
                    raise InvalidInput("filter", problem)
        else:
            for each in wanted.values():
                _check_operators(each)


def _matches(value: Any, wanted: Any) -> bool:
    """Whether a value is what a filter wants: the same, or within what operators say."""
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_OPERATORS[name](value, each) for name, each in wanted.items())
        return isinstance(value, Mapping) and all(
            _matches(value.get(name), each) for name, each in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(_matches(each, part) for each, part in zip(value, wanted, strict=True))
        )
    return bool(value == wanted)


def _compares(holds: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """An operator on what has an order: two numbers, or else two texts."""

    def compare(value: Any, wanted: Any) -> bool:
        try:
            return holds(float(value), float(wanted))
        except (TypeError, ValueError):
            both_texts = isinstance(value, str) and isinstance(wanted, str)
            return both_texts and holds(value, wanted)

    return compare


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = MappingProxyType(
    {
        "$eq": lambda value, wanted: bool(value == wanted),
        "$ne": lambda value, wanted: bool(value != wanted),
        "$gt": _compares(lambda value, wanted: bool(value > wanted)),
        "$gte": _compares(lambda value, wanted: bool(value >= wanted)),
        "$lt": _compares(lambda value, wanted: bool(value < wanted)),
        "$lte": _compares(lambda value, wanted: bool(value <= wanted)),
    }
)
