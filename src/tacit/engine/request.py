"""What callers ask of turns and sessions, checked."""

from collections.abc import Iterable, Mapping
from typing import Any

from tacit.choice import choice
from tacit.errors import InvalidInput
from tacit.memory import Owner, Scope, check
from tacit.messages import as_messages, checked
from tacit.turn import Request, Trigger

_NAMES = ("agent", "user", "project", "org")

PLACES = ("history", *_NAMES, "trigger", "scopes", "types")
"""What says where a turn takes place, besides its session, and of what it thinks."""


def make_request(asked: Mapping[str, Any]) -> Request:
    """What a caller asks, checked."""
    history = asked.get("history", ())
    known = None if history is None else tuple(checked(history))
    incoming = tuple(as_messages(asked["text"], "user", known or ()))
    if not incoming:
        raise InvalidInput("text", "is empty; give what was said")
    return Request(
        session=checked_name("session", asked["session"]),
        history=known,
        incoming=incoming,
        trigger=choice("trigger", Trigger, asked.get("trigger", Trigger.USER)),
        scopes=_scopes(asked.get("scopes")),
        types=None if asked.get("types") is None else check("types", asked["types"]),
        **{name: checked_name(name, asked[name]) for name in _NAMES if asked.get(name) is not None},
    )


def owner_of(session: str | None, project: str | None) -> Owner:
    """The one thing that is named."""
    if (session is None) == (project is None):
        raise InvalidInput("session", "name a session or a project, and only one of them")
    if session is not None:
        return Scope.SESSION, checked_name("session", session)
    return Scope.PROJECT, checked_name("project", project)


def checked_name(field: str, value: Any) -> str:
    """The name of a session, a project or whoever is meant."""
    try:
        name: str = check("workspace", value)
    except InvalidInput as error:
        raise InvalidInput(field, error.problem) from None
    return name


def _scopes(wanted: Iterable[Scope | str] | None) -> tuple[Scope, ...] | None:
    if isinstance(wanted, str):
        raise InvalidInput("scopes", "expected a list of scopes, not a single one")
    return None if wanted is None else tuple(check("scope", each) for each in wanted)
