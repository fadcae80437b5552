"""Sessions: what they were shown, and what becomes of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.api.face.face import Face
from tacit.core.conversation.listed import ListedSession
from tacit.core.conversation.session import Session
from tacit.core.memory.owner import Viewer, owner_of
from tacit.language.history.usage import Level
from tacit.language.summary.summarizer import Summarizer
from tacit.turn.compaction import Compaction
from tacit.turn.session_report import Reset, SessionReport


class Sessions(Face):
    """Sessions as they are reported, made shorter, branched, paused and begun anew."""

    def sessions(self, *, limit: int = 50, after: str | None = None) -> Sequence[ListedSession]:
        """The sessions that were active last, newest first.

        `after` is the `cursor` of the last one of the page before.
        """
        return self._conversations.sessions(limit, after)

    def session(
        self, id: str, *, agent: str | None = None, user: str | None = None
    ) -> SessionReport:
        """What is known of a session: its blocks, its ledger and its last receipts.

        Blocks that hold memories which the `agent` or the `user` may not see come without their
        words.
        """
        return self._conversations.session(id, Viewer.of(agent, user))

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let a session be shown everything again; says how many memories that frees."""
        return self._conversations.reset(session)

    def clear(self, session: str) -> Reset:
        """The history of a session begins anew: all may come again, open turns are abandoned.

        Whoever commits such a turn later gets its history; nothing of it is recorded.
        """
        return self._conversations.clear(session)

    def compact(
        self,
        *,
        session: str,
        history: Sequence[Any],
        agent: str | None = None,
        level: Level | str | None = None,
        summarizer: Summarizer | None = None,
        wait: bool = True,
        **settings: Any,
    ) -> Compaction:
        """Make room in a history: its oldest part is summed up, as far as it fills the window.

        From .80 of `context_window` on the oldest 30% go, from .85 half, and from .95 half at once
        and without a summary; `level` decides instead. With `wait=False` a summary that is not
        urgent is written in the background and used by a later call.
        """
        return self._conversations.compact(
            session,
            history,
            agent=agent,
            level=level,
            summarizer=summarizer,
            wait=wait,
            overrides=settings,
        )

    def variables(self, session: str) -> dict[str, Any]:
        """What workflows noted about a session, by name."""
        return self._conversations.variables(session)

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        """Note something about a session, as plain JSON; None notes it no longer."""
        self._conversations.set_variables(session, changes)

    def fork(self, session: str, into: str) -> Session:
        """Begin a branch of a session: it sees the blocks, and what it is shown is its own."""
        return self._conversations.fork(session, into)

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        """Leave a session or a project alone: nothing is read for it and nothing is written."""
        self._conversations.pause(owner_of(session, project))

    def is_paused(self, *, session: str, project: str | None = None) -> bool:
        """Whether a session, or the project it is in, is left alone."""
        return self._conversations.is_paused(session, project)

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        """Serve it again; tells whether it was paused."""
        return self._conversations.resume(owner_of(session, project))
