"""What memories are filtered by, where they are listed and counted."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypedDict

from tacit.core.errors import InvalidInput
from tacit.core.memory.fields import check, check_all
from tacit.core.memory.kinds import Actor, MemoryType, Scope, State, Trust


class Conditions(TypedDict, total=False):
    """Conditions that all must hold; one that is None or not named is free.

    Of the states, `live` is meant if none is named. `agent` is one that may see the memories.
    `contains` is looked for in the content, the key and the tags, in capitals or not. What has a
    `_from` may be of that moment, what has a `_to` is from before it.
    """

    state: State | str | None
    types: Iterable[MemoryType | str] | None
    scope: Scope | str | None
    scope_id: str | None
    agent: str | None
    key: str | None
    tag: str | None
    pinned: bool | None
    contains: str | None
    source: Actor | str | None
    trust: Trust | str | None
    explicit: bool | None
    session: str | None
    expires: bool | None
    min_importance: float | None
    max_importance: float | None
    min_confidence: float | None
    created_from: datetime | date | str | None
    created_to: datetime | date | str | None
    updated_from: datetime | date | str | None


class Filters(Conditions, total=False):
    """The same, and a user who may see the memories."""

    user: str | None


def check_filters(values: Mapping[str, Any]) -> dict[str, Any]:
    """The filters that are not free, checked; and the state, if every one is meant."""
    given = {name: value for name, value in values.items() if value is not None}
    checked = check_all(given, FILTERS)
    return {"state": None, **checked} if values.get("state", State.LIVE) is None else checked


def check_conditions(values: Mapping[str, Any]) -> dict[str, Any]:
    """The filters of what is to be erased: at least one, and every state unless one is named."""
    given = {name: value for name, value in values.items() if value is not None}
    for name in ("agent", "user"):
        if name in given:
            problem = f"says what a {name} may see, which is more than their own; name a scope_id"
            raise InvalidInput(name, problem)
    if not given or given == {"state": State.LIVE}:
        problem = "name one that leaves something out, so that not everything is erased"
        raise InvalidInput("filters", problem)
    return check_filters({"state": None, **given})


def check_assignable(
    user: str, ids: Iterable[str] | None, from_user: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    """The filters of what is to be given to a user: in every state unless one is named."""
    given = {name: value for name, value in values.items() if value is not None}
    if check("scope_id", from_user) == user:
        raise InvalidInput("from_user", f"{user!r} has these memories already; name another user")
    if ids is not None and (from_user or given.keys() - {"agent"}):
        raise InvalidInput("ids", "name memories, or whose they are and filters, not both")
    for name in ("scope", "scope_id"):
        if name in given:
            raise InvalidInput(name, "only memories of users are assigned; from_user says whose")
    return check_filters({"state": None, **given})


FILTERS = frozenset(Filters.__annotations__)
