"""Actions: what steps do, and what they work with."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.integrations.workflows.event import Event
from tacit.integrations.workflows.memory import Memory
from tacit.integrations.workflows.origin import Origin
from tacit.runtime.deadline import Deadline

Action = Callable[..., Mapping[str, Any] | None]
"""Takes an `ActionContext` and a step's arguments; `inject_context` of its result is shown."""

LEDGER = "injected_memory_ids"
"""The variable that tells what the session was shown; nobody sets it."""

_LONGEST = 20_000
_LONGEST_NAME = 100


@dataclass(slots=True, kw_only=True)
class ActionContext:
    """What an action works with, and where it leaves what is to last."""

    event: Event
    memory: Memory
    variables: Mapping[str, Any]
    """What the session keeps, `injected_memory_ids` included; `set` changes it."""
    origin: Origin
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
    """Refuse what no variable can be called, and what none can keep."""
    if name == LEDGER:
        problem = "only tells what was shown; reset_memory_injection_tracking lets it come again"
        raise InvalidInput(LEDGER, problem)
    if not (name.isascii() and name.isidentifier() and len(name) <= _LONGEST_NAME):
        raise InvalidInput("variable", f"{name!r} is not a name; use letters, digits and _")
    try:
        size = len(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(name, "cannot be kept; give text, numbers, lists, mappings") from None
    if size > _LONGEST:
        raise InvalidInput(name, f"is longer than {_LONGEST:,} characters of JSON; keep less")
