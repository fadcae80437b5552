"""What happened in a client, in words that are the same for every client."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit.integrations.workflows.trigger import Trigger


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A moment of a session, and all that its client says about it."""

    trigger: Trigger
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
