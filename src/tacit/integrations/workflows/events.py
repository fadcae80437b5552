"""Events of a session that workflows react to, the same for every client."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidInput


class WorkflowTrigger(StrEnum):
    """A moment in the life of a session, as a lifecycle file names it."""

    SESSION_START = "on_session_start"
    BEFORE_AGENT = "on_before_agent"
    AFTER_AGENT = "on_after_agent"
    STOP = "on_stop"
    BEFORE_TOOL = "on_before_tool"
    AFTER_TOOL = "on_after_tool"
    PRE_COMPACT = "on_pre_compact"
    SESSION_END = "on_session_end"

    @classmethod
    def from_name(cls, name: str) -> "WorkflowTrigger":
        """The trigger of this name, or of one that means the same."""
        known = TRIGGER_ALIASES.get(name) or next((each for each in cls if each == name), None)
        if known is None:
            names = ", ".join([*cls, *TRIGGER_ALIASES])
            raise InvalidInput("trigger", f"there is none called {name!r}; known: {names}")
        return known


TRIGGER_ALIASES = {"on_prompt_submit": WorkflowTrigger.BEFORE_AGENT}
"""Other names that triggers have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowEvent:
    """A moment of a session, and all that its client says about it."""

    trigger: WorkflowTrigger
    session: str
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    folder: Path | None = None
    """The root of the project, where its own files are."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What expressions see as `event`: prompt, reply, source, reason, tool and the like."""
    context: tuple[Mapping[str, str], ...] = ()
    """The last exchanges as messages; they help to understand the prompt, nothing else."""
    shown: tuple[str, ...] = ()
    """Statements that the client shows by itself."""
    room: int | None = None
    """How many characters the client takes; None where it sets no limit."""
