"""What workflows need of a memory."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Unpack

from tacit.core.kinds import Actor
from tacit.core.memory import Memory as Kept
from tacit.core.receipt import Receipt
from tacit.turn.session_report import Reset, SessionReport
from tacit.writing.draft import Fields
from tacit.writing.outcome import Written


class Begun(Protocol):
    """A turn that was begun."""

    @property
    def block(self) -> str | None:
        """What it wants to show, if anything."""

    @property
    def receipt(self) -> Receipt:
        """What it thought of, and what became of that."""

    @property
    def is_open(self) -> bool:
        """Whether there is something to commit; not so in a session that is paused."""

    def roll_back(self) -> None:
        """It did not happen."""


class Memory(Protocol):
    """The calls that actions make; `Tacit` has them all."""

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
    ) -> Begun:
        """Begin a turn: find what the agent should know for what is said now."""

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let a session be shown everything again."""

    def session(self, id: str) -> SessionReport:
        """What is known of a session, its ledger above all."""

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[Fields]
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

    def variables(self, session: str) -> dict[str, Any]:
        """What a session keeps from one event to the next."""

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        """Keep these values; None removes one."""
