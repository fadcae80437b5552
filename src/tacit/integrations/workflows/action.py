"""Actions: what a step can do, what it works with, and how it is found.

Packages offer actions as entry points of the group `tacit.actions`; the built-in ones too.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, Unpack, cast

from tacit.core.errors import InvalidInput
from tacit.core.kinds import Actor
from tacit.core.memory import Memory as Kept
from tacit.core.receipt import Receipt
from tacit.integrations.workflows.events import WorkflowEvent
from tacit.runtime.workers import Deadline
from tacit.turn.session_view import Reset, SessionReport
from tacit.writing.draft import DraftFields, Written

# The calls of `Tacit` that actions make


class RecallTurn(Protocol):
    """A turn that a recall began."""

    @property
    def block(self) -> str | None:
        """The block to inject, if any."""

    @property
    def receipt(self) -> Receipt:
        """The candidates and their fates."""

    @property
    def is_open(self) -> bool:
        """Whether there is something to commit; not so in a session that is paused."""

    def roll_back(self) -> None:
        """Undo the turn."""


class ActionSessions(Protocol):
    """The calls about sessions that actions make."""

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let a session be shown everything again."""

    def get(self, id: str) -> SessionReport:
        """What is known of a session, its ledger above all."""

    def variables(self, session: str) -> dict[str, Any]:
        """What a session keeps from one event to the next."""

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        """Keep these values; None removes one."""


class ActionMemory(Protocol):
    """The calls that actions make; `Tacit` has them all."""

    @property
    def sessions(self) -> ActionSessions:
        """The calls about sessions."""

    def turn(
        self,
        *,
        session: str,
        text: Any,
        history: Sequence[Any] | None = (),
        context: Sequence[Any] = (),
        shown: Sequence[str] = (),
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        **settings: Any,
    ) -> RecallTurn:
        """Begin a turn: find what the agent should know for what is said now."""

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        """Keep a statement."""

    def list(
        self,
        *,
        types: Sequence[str] | None = None,
        scope: str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        limit: int = 50,
    ) -> Sequence[Kept]:
        """Memories that are live, newest first."""

    def end_session(self, session: str) -> Any:
        """The session is over: what is left of it may be learned."""


# Where a lifecycle file comes from


_PROJECT_ACTIONS = frozenset({"inject_context", "memory_save", "set_variable"})
"""Actions that a project's files may use; recall, learning and reset are the user's."""


class FileOrigin(StrEnum):
    """Whose file it is, by rising precedence."""

    BUNDLED = "bundled"
    USER = "user"
    PROJECT = "project"

    @property
    def is_project(self) -> bool:
        """Whether it is a project's file, which may come from strangers with a clone."""
        return self is FileOrigin.PROJECT

    def may_use(self, action: str) -> bool:
        """Whether a file of this origin may use an action, if it is a built-in one."""
        return not self.is_project or action in _PROJECT_ACTIONS


# The context of an action


Action = Callable[..., Mapping[str, Any] | None]
"""Takes an `ActionContext` and a step's arguments; `inject_context` of its result is shown."""

LEDGER_VARIABLE = "injected_memory_ids"
"""The variable that tells what the session was shown; nobody sets it."""

_LONGEST_VALUE = 20_000
_LONGEST_NAME = 100


@dataclass(slots=True, kw_only=True)
class ActionContext:
    """What an action works with, and where it leaves its results."""

    event: WorkflowEvent
    memory: ActionMemory
    variables: Mapping[str, Any]
    """What the session keeps, `injected_memory_ids` included; `set` changes it."""
    origin: FileOrigin
    """Whose file the step is in."""
    deadline: Deadline
    """After this nobody waits for the action, and nothing that it leaves is taken."""
    room: int | None = None
    """How many characters may still be injected; None where there is no limit."""
    turn: str | None = None
    """The id of the turn that was begun at this event, if one was."""
    learns: bool = False
    """Whether what is said in this turn shall be learned."""
    changes: dict[str, Any] = field(default_factory=dict)
    """The variables that the action has set."""

    def set(self, name: str, value: Any) -> None:
        """Keep a value for the rest of the session; None removes it."""
        check_variable(name, value)
        self.changes[name] = value


def check_variable(name: str, value: Any = None) -> None:
    """Raise InvalidInput for a bad name, or a value that cannot be stored."""
    if name == LEDGER_VARIABLE:
        problem = "only tells what was shown; reset_memory_injection_tracking lets it come again"
        raise InvalidInput(LEDGER_VARIABLE, problem)
    if not (name.isascii() and name.isidentifier() and len(name) <= _LONGEST_NAME):
        raise InvalidInput("variable", f"{name!r} is not a name; use letters, digits and _")
    try:
        size = len(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(name, "cannot be kept; give text, numbers, lists, mappings") from None
    if size > _LONGEST_VALUE:
        raise InvalidInput(name, f"is longer than {_LONGEST_VALUE:,} characters of JSON; keep less")


# The registry of actions


ENTRY_POINTS = "tacit.actions"
"""The entry points at which packages offer actions."""

_BUILT_IN = "tacit."

_log = logging.getLogger("tacit.workflows")


def find_action(name: str, origin: FileOrigin = FileOrigin.USER) -> Action:
    """The action of this name, if files of this origin may use it."""
    entry = _find_entry_points().get(name)
    if entry is None:
        known = ", ".join(action_names())
        raise InvalidInput("action", f"there is none called {name!r}; known: {known}")
    if not origin.may_use(name) or (origin.is_project and not _is_built_in(entry)):
        allowed = ", ".join(each for each in action_names() if origin.may_use(each))
        problem = f"a project's files cannot use {name}; they have: {allowed}"
        raise InvalidInput("action", f"{problem}; move the step to a file of your own")
    return _load_action(entry)


def action_names() -> tuple[str, ...]:
    """The names of all actions."""
    return tuple(sorted(_find_entry_points()))


@cache
def _find_entry_points() -> Mapping[str, EntryPoint]:
    """The entry points by name; built-in actions win."""
    offered: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=_is_built_in, reverse=True):
        known = offered.setdefault(entry.name, entry)
        if known.value != entry.value:
            told = (entry.name, entry.value, known.value)
            _log.warning("the action %s of %s is left out: %s has the name", *told)
    return offered


@cache
def _load_action(entry: EntryPoint) -> Action:
    try:
        found = entry.load()
    except Exception as error:
        problem = f"{entry.name} cannot be loaded from {entry.value}: {error}"
        raise InvalidInput("action", f"{problem}; mend or remove the package") from error
    if not callable(found):
        raise InvalidInput("action", f"{entry.value} is no function; name one")
    return cast(Action, found)


def _is_built_in(entry: EntryPoint) -> bool:
    return entry.value.startswith(_BUILT_IN)
