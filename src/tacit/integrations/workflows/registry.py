"""The actions there are: packages offer them as entry points, and ours come the same way."""

import logging
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from tacit.core.errors import InvalidInput
from tacit.integrations.workflows.action import Action
from tacit.integrations.workflows.origin import Origin

GROUP = "tacit.actions"
"""The entry points at which packages offer actions."""

_OURS = "tacit."

_log = logging.getLogger("tacit.workflows")


def find_action(name: str, origin: Origin = Origin.USER) -> Action:
    """The action of this name, if files of this origin may use it."""
    entry = _offered().get(name)
    if entry is None:
        known = ", ".join(action_names())
        raise InvalidInput("action", f"there is none called {name!r}; known: {known}")
    if not origin.may_use(name) or (origin.is_strange and not _is_ours(entry)):
        allowed = ", ".join(each for each in action_names() if origin.may_use(each))
        problem = f"a project's files cannot use {name}; they have: {allowed}"
        raise InvalidInput("action", f"{problem}; move the step to a file of your own")
    return _loaded(entry)


def action_names() -> tuple[str, ...]:
    """Every action there is."""
    return tuple(sorted(_offered()))


@cache
def _offered() -> Mapping[str, EntryPoint]:
    """What packages offer; nobody takes the name of a built-in action."""
    offered: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=_is_ours, reverse=True):
        known = offered.setdefault(entry.name, entry)
        if known.value != entry.value:
            told = (entry.name, entry.value, known.value)
            _log.warning("the action %s of %s is left out: %s has the name", *told)
    return offered


@cache
def _loaded(entry: EntryPoint) -> Action:
    try:
        found = entry.load()
    except Exception as error:
        problem = f"{entry.name} cannot be loaded from {entry.value}: {error}"
        raise InvalidInput("action", f"{problem}; mend or remove the package") from error
    if not callable(found):
        raise InvalidInput("action", f"{entry.value} is no function; name one")
    return cast(Action, found)


def _is_ours(entry: EntryPoint) -> bool:
    return entry.value.startswith(_OURS)
