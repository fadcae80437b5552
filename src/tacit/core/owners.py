"""Owners by the names that people give: `user="ann"`, or `user:ann` in one word."""

from collections.abc import Mapping
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.kinds import Owner, Scope

OWNER_NAMES = ("session", "project", "user", "org")
"""The arguments of writing calls that say whose something is; at most one is given."""


def name_owner(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with `scope` and `scope_id` in place of the argument that names an owner."""
    named = [name for name in OWNER_NAMES if values.get(name) is not None]
    fields = {name: value for name, value in values.items() if name not in OWNER_NAMES}
    if not named:
        return fields
    if len(named) > 1:
        raise InvalidInput(named[1], f"give {named[0]} or {named[1]}: a memory has one owner")
    (name,) = named
    if both := [each for each in ("scope", "scope_id") if fields.get(each) is not None]:
        raise InvalidInput(name, f"give {name} or {both[0]}: both say whose the memory is")
    if values[name] is False and name == Scope.ORG:
        problem = "is False; give True or an organisation's name, or leave it out"
        raise InvalidInput(name, problem)
    is_whole = values[name] is True and name == Scope.ORG
    id = "" if is_whole else check_field(name, values[name])
    return {**fields, "scope": Scope(name), "scope_id": id}


def parse_owner(owner: str) -> Owner:
    """An owner as one word: `user:ann`, `project:shop`, `session:s1`, `org:acme`.

    `user` alone is the one without a name; an empty name is refused, since it may be a mistake.
    """
    scope, colon, id = owner.partition(":")
    if scope not in frozenset(map(str, Scope)) or (colon and not id):
        example = f"{scope}:NAME" if colon else f"user:{owner}"
        problem = f"{owner!r} names nobody; write {example}, or {Scope.USER} for no name"
        raise InvalidInput("owner", problem)
    return Scope(scope), check_field("scope_id", id, "owner")
