"""Sessions: what they were shown, and what becomes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tacit.api.client.answers import items, nothing
from tacit.api.client.arguments import owner_path, session_path
from tacit.api.client.exchange import kept_part
from tacit.api.client.face.face import Face
from tacit.api.client.messages import plain
from tacit.core.fields import check_field
from tacit.core.kinds import check_choice
from tacit.core.messages import check_history
from tacit.core.permissions import Viewer, check_pause_target
from tacit.core.sessions import ListedSession, Session
from tacit.language.history.usage import Level
from tacit.turn.compaction import Compaction
from tacit.turn.session_report import Reset, SessionReport


class Sessions(Face):
    """Sessions as they are reported, made shorter, branched, paused and begun anew."""

    def sessions(self, *, limit: int = 50, after: str | None = None) -> Sequence[ListedSession]:
        """The sessions that were active last, newest first.

        `after` is the `cursor` of the last one of the page before.
        """
        size = check_field("limit", limit)
        read = items(ListedSession.from_dict)
        return self._at.get("/v1/sessions", read, limit=size, after=after)

    def session(
        self, id: str, *, agent: str | None = None, user: str | None = None
    ) -> SessionReport:
        """What is known of a session: its blocks, its ledger and its last receipts.

        Blocks that hold memories which the `agent` or the `user` may not see come without their
        words.
        """
        return self._at.get(
            session_path(id), SessionReport.from_dict, **asdict(Viewer.of(agent, user))
        )

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let a session be shown everything again; says how many memories that frees."""
        return self._at.write(session_path(session, "reset"), read=Reset.from_dict)

    def clear(self, session: str) -> Reset:
        """The history of a session begins anew: all may come again, open turns are abandoned.

        Whoever commits such a turn later gets its history; nothing of it is recorded.
        """
        return self._at.write(session_path(session, "clear"), read=Reset.from_dict)

    def compact(
        self,
        *,
        session: str,
        history: Sequence[Any],
        agent: str | None = None,
        level: Level | str | None = None,
        wait: bool = True,
        **settings: Any,
    ) -> Compaction:
        """Make room in a history: its oldest part is summed up, as far as it fills the window.

        From .80 of `context_window` on the oldest 30% go, from .85 half, and from .95 half at once
        and without a summary; `level` decides instead. With `wait=False` a summary that is not
        urgent is written in the background and used by a later call.
        """
        own = check_history(history)
        asked = {
            "history": own,
            "agent": agent,
            "level": None if level is None else check_choice("level", Level, level),
            "wait": wait,
            "settings": settings,
        }

        def read(answer: Any) -> Compaction:
            return Compaction.from_dict(answer, kept_part(own, answer))

        return self._at.write(session_path(session, "compact"), plain(asked), read=read)

    def variables(self, session: str) -> dict[str, Any]:
        """What workflows noted about a session, by name."""
        return self._at.get(session_path(session, "variables"), _values)

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        """Note something about a session, as plain JSON; None notes it no longer."""
        body = {"changes": dict(changes)}
        self._at.write(session_path(session, "variables"), body, read=nothing)

    def fork(self, session: str, into: str) -> Session:
        """Begin a branch of a session: it sees the blocks, and what it is shown is its own."""
        path = session_path(session, "fork")
        return self._at.write(path, {"into": check_field("into", into)}, read=Session.from_dict)

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        """Leave a session or a project alone: nothing is read for it and nothing is written."""
        self._at.write(owner_path(check_pause_target(session, project), "pause"), read=nothing)

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        """Serve it again; tells whether it was paused."""
        return self._at.write(
            owner_path(check_pause_target(session, project), "resume"), read=_was_paused
        )


def _values(answer: Any) -> dict[str, Any]:
    return dict(answer["variables"])


def _was_paused(answer: Any) -> bool:
    return bool(answer["was_paused"])
