"""Calls about turns, their receipts, and sessions."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tacit.core.kinds import Actor
from tacit.core.marks import Marked
from tacit.core.receipt import Receipt
from tacit.core.sessions import ListedSession, Session
from tacit.language.compaction import CompactionLevel
from tacit.turn.commit import CommitResult, Prepared, Turn
from tacit.turn.compaction import Compaction
from tacit.turn.replay import BegunCall
from tacit.turn.session_view import Reset, SessionReport
from tacit.turn.state import Trigger


class TurnsProtocol(Protocol):
    """Turns from beginning to end, and their receipts."""

    def begin(
        self,
        /,
        *,
        session: str,
        text: Any,
        history: Sequence[Any] | None = (),
        context: Sequence[Any] = (),
        shown: Sequence[str] = (),
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        trigger: Trigger | str = Trigger.USER,
        by: Actor | str | None = None,
        **settings: Any,
    ) -> Turn:
        """Begin a turn: find what the agent should know for what is said now.

        `text` is what was said: text, a message, or several that arrived together. `history` are
        the messages before it, in OpenAI's shape, Anthropic's or our own; None where the host keeps
        them. For such a host `context` are the last messages, as far as they are known, to
        understand what is said now, and `shown` statements that it shows by itself and that need
        not come again. `by` is whose words they are, the user's if nothing is said, unless the key
        of a server is an agent's that does not speak for users: what an agent says is learned as
        its word, not as a person's. `settings` are those of `InjectionSettings`, for this turn.
        """

    def begin_call(
        self,
        /,
        *,
        session: str,
        messages: Sequence[Any],
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        by: Actor | str | None = None,
        kept: bool = False,
        preview: bool = False,
    ) -> BegunCall:
        """Begin a call of a model whose `messages` come without blocks, as a framework keeps them.

        The blocks that stand in the conversation are replayed, each at the message it was made for.
        What a person said last begins a turn, once: a retry and the calls of a tool loop find it
        open, and `commit_turn` ends it with the last reply. `kept` says that the provider keeps the
        earlier messages, so that they are not among these; `preview` begins nothing.
        """

    def preview(self, /, *, session: str, text: Any, **asked: Any) -> Prepared:
        """What `turn` would return for the same arguments, without any effect.

        `scopes` and `types`, if given, limit which memories are considered.
        """

    def commit(
        self,
        id: str,
        reply: Any = (),
        *,
        learn: bool = True,
        begun: Mapping[str, Any] | None = None,
        note: str = "",
    ) -> CommitResult:
        """Commit a turn that any process began; without `learn` nothing is learned from it.

        What was said in a grounded prompt goes into its chat log with the reply. `begun` are the
        arguments that `turn` had: from them the commit stores a turn whose beginning could not
        store it in time (`is_stored`), without memories. If the turn is known, they are not read.
        `note` is added to those of the receipt.
        """

    def roll_back(self, id: str) -> bool:
        """Roll back a turn that any process began; returns whether it was open."""

    def list(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The receipts of the last turns, newest first; `after` continues from a receipt."""

    def get(self, id: str) -> Receipt:
        """The receipt of one turn."""

    def mark_irrelevant(
        self,
        receipt: str,
        memory: str,
        *,
        by: Actor | str = Actor.USER,
        agent: str | None = None,
        user: str | None = None,
    ) -> str:
        """Mark a memory as irrelevant in a turn; it counts less for similar questions.

        An agent's mark counts in its own turns, one with a `user` in that user's. Returns the id
        of the mark, for `unmark`.
        """

    def mark_irrelevant_for(
        self,
        text: str,
        memory: str,
        *,
        by: Actor | str = Actor.USER,
        agent: str | None = None,
        user: str | None = None,
    ) -> str:
        """Mark a memory as irrelevant for a question, asked or not; returns the mark's id."""

    def marks(
        self, memory: str, *, limit: int = 100, agent: str | None = None, user: str | None = None
    ) -> Sequence[Marked]:
        """The last marks that call a memory irrelevant for some questions, oldest first.

        At most `limit` of them. An `agent` and a `user` see the marks that count in their turns.
        """

    def unmark(self, id: str, *, agent: str | None = None, user: str | None = None) -> None:
        """Remove a mark; an `agent` and a `user` can remove only their own."""


class SessionsProtocol(Protocol):
    """Sessions: report, compact, fork, pause and clear them."""

    def list(self, *, limit: int = 50, after: str | None = None) -> Sequence[ListedSession]:
        """The sessions that were active last, newest first.

        `after` is the `cursor` of the last one of the page before.
        """

    def get(self, id: str, *, agent: str | None = None, user: str | None = None) -> SessionReport:
        """The report of a session: its blocks, its ledger and its last receipts.

        Blocks that hold memories which the `agent` or the `user` may not see come without their
        words.
        """

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let every memory be shown in a session again; reports how many that frees."""

    def clear(self, session: str) -> Reset:
        """Start a session's history anew: memories may be shown again, open turns are abandoned.

        Whoever commits such a turn later gets its history; nothing of it is recorded.
        """

    def compact(
        self,
        /,
        *,
        session: str,
        history: Sequence[Any],
        agent: str | None = None,
        level: CompactionLevel | str | None = None,
        wait: bool = True,
        **settings: Any,
    ) -> Compaction:
        """Compact a history: summarize its oldest part, depending on how full the window is.

        From .80 of `context_window` on the oldest 30% go, from .85 half, and from .95 half at once
        and without a summary; `level` decides instead. With `wait=False` a summary that is not
        urgent is written in the background and used by a later call. The library also takes a
        `summarizer`; a server uses its own.
        """

    def variables(self, session: str) -> dict[str, Any]:
        """The variables of a session, by name."""

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        """Set variables of a session, as plain JSON; None removes one."""

    def fork(self, session: str, into: str) -> Session:
        """Fork a session: the branch keeps the blocks in view and tracks its own from then on."""

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        """Pause a session or a project: nothing is read or written for it."""

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        """Resume it; returns whether it was paused."""

    def end(self, session: str) -> int:
        """End a session, so that the model reads the rest of it.

        Tells how many turns wait for that; without a model none does.
        """
