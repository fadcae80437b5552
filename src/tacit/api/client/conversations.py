"""`RemoteTacit`'s calls about turns, receipts and sessions."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from tacit.api.client.connection import (
    Connection,
    RemoteWorkspaceApi,
    actor_argument,
    memory_path,
    owner_path,
    read_items,
    read_nothing,
    session_path,
)
from tacit.api.client.messages import restore_messages, to_plain
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, check_choice
from tacit.core.marks import Marked
from tacit.core.messages import check_history, to_messages
from tacit.core.open_turn import NotRecorded
from tacit.core.permissions import Viewer, check_pause_target
from tacit.core.receipt import Receipt
from tacit.core.sessions import ListedSession, Session
from tacit.language.compaction import CompactionLevel
from tacit.runtime.clock import new_id, system_clock
from tacit.turn.commit import CommitResult, Prepared, Turn
from tacit.turn.compaction import Compaction
from tacit.turn.session_view import Reset, SessionReport
from tacit.turn.state import Trigger

TURN_SECONDS = 5.0
TURN_TRIES = 3
"""A turn waits no longer for memory: what it knows is not worth more."""

_WHO = ("agent", "user", "project", "org")
_CHECKED = ("by", "scopes", "types")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteTurnRequest:
    """A turn to begin: the request body, and the caller's own message objects."""

    body: Mapping[str, Any]
    history: tuple[Any, ...]
    incoming: tuple[Any, ...]

    @classmethod
    def of(
        cls, session: str, text: Any, named: Mapping[str, Any], settings: Any
    ) -> "RemoteTurnRequest":
        """Build the request; the server checks the rest."""
        history = named.get("history", ())
        known = None if history is None else tuple(check_history(history))
        incoming = tuple(to_messages(text, "user", known or ()))
        trigger = check_choice("trigger", Trigger, named.get("trigger", Trigger.USER))
        body = {
            "session": session,
            "text": to_plain(incoming),
            "history": to_plain(known),
            "context": to_plain(tuple(check_history(named.get("context") or ()))),
            "shown": list(named.get("shown") or ()),
            "trigger": str(trigger),
            "settings": to_plain(settings),
        }
        who = {name: named[name] for name in _WHO if named.get(name) is not None}
        more = {
            name: to_plain(check_field(name, named[name]))
            for name in _CHECKED
            if named.get(name) is not None
        }
        return cls(body={**body, **who, **more}, history=known or (), incoming=incoming)

    @property
    def messages(self) -> tuple[Any, ...]:
        """The caller's messages, in their order."""
        return (*self.history, *self.incoming)

    def to_prepared(self, answer: Mapping[str, Any]) -> Prepared:
        """The begun turn, from a response."""
        return self._read_prepared(answer, leaves_trace=bool(answer["is_open"]))

    def to_preview(self, answer: Mapping[str, Any]) -> Prepared:
        """The previewed turn, from a response."""
        return self._read_prepared(answer, leaves_trace=False)

    def without_memory(self, id: str, now: datetime, why: str) -> Prepared:
        """The turn without memory, when the server cannot be reached."""
        who: dict[str, Any] = {name: self.body.get(name) for name in _WHO}
        receipt = Receipt(
            id=id,
            session=self.body["session"],
            turn=0,
            at=now,
            degraded=(f"server: failed ({why})",),
            **who,
        )
        return Prepared(
            history=self.history, messages=self.messages, receipt=receipt, leaves_trace=False
        )

    def _read_prepared(self, answer: Mapping[str, Any], *, leaves_trace: bool) -> Prepared:
        block = answer["block"]
        return Prepared(
            history=self.history,
            messages=restore_messages(answer["messages"], self.messages),
            receipt=Receipt.from_dict(answer["receipt"]),
            block=None if block is None else block["text"],
            leaves_trace=leaves_trace,
        )


@dataclass(frozen=True, slots=True)
class RemoteCommitter:
    """Commits or rolls back a turn that is open at a server."""

    connection: Connection
    id: str

    def commit(self, reply: str) -> CommitResult:
        """Commit the turn with the reply."""
        path, body = f"/v1/turns/{self.id}/commit", {"reply": reply}
        return self.connection.write(
            path, body, read=read_commit_result, at_most=TURN_SECONDS, tries=TURN_TRIES
        )

    def roll_back(self) -> bool:
        """Roll the turn back; returns whether it was open."""
        path = f"/v1/turns/{self.id}/rollback"
        return self.connection.write(
            path, read=read_was_open, at_most=TURN_SECONDS, tries=TURN_TRIES
        )


def read_commit_result(answer: Mapping[str, Any]) -> CommitResult:
    """The result of a commit, from a response."""
    values = {name: answer[name] for name in ("session", "turn", "block_stays", "was_open")}
    reason = answer["not_recorded"]
    return CommitResult(**values, not_recorded=None if reason is None else NotRecorded(reason))


def read_was_open(answer: Mapping[str, Any]) -> bool:
    """Whether a turn was rolled back, from a response."""
    return bool(answer["rolled_back"])


def read_kept_messages(history: Sequence[Any], answer: Mapping[str, Any]) -> tuple[Any, ...]:
    """The messages of a compacted history, from a response."""
    return restore_messages(answer["messages"], history)


# Turns


_log = logging.getLogger("tacit.turn")

_TURN_ARGUMENTS = (
    "history",
    "context",
    "shown",
    "agent",
    "user",
    "project",
    "org",
    "trigger",
    "by",
    "scopes",
    "types",
)


class RemoteTurnCalls(RemoteWorkspaceApi):
    """Turns from beginning to end, and their receipts."""

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
        not come again. `by` is whose words they are; if nothing is said, a person's, unless the
        key is an agent's that does not speak for users. `settings` are those of
        `InjectionSettings`, for this turn only.
        """
        named = {
            "history": history,
            "context": context,
            "shown": shown,
            "agent": agent,
            "user": user,
            "project": project,
            "org": org,
            "trigger": trigger,
            "by": by,
        }
        prepared = self._begin(RemoteTurnRequest.of(session, text, named, settings))
        return Turn(prepared, RemoteCommitter(self._connection, prepared.receipt.id))

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        """What `turn` would return for the same arguments, without any effect.

        `scopes` and `types`, if given, limit which memories are considered.
        """
        named = {name: asked.pop(name) for name in _TURN_ARGUMENTS if name in asked}
        wanted = RemoteTurnRequest.of(session, text, named, asked)
        return self._connection.read_with_body("/v1/turns/preview", wanted.body, wanted.to_preview)

    def commit_turn(self, id: str, reply: Any = (), *, learn: bool = True) -> CommitResult:
        """Commit a turn that any process began; without `learn` nothing is learned from it.

        `Turn.commit` does the same for who holds the turn.
        """
        body = {"reply": to_plain(to_messages(reply, "assistant", ())), "learn": learn}
        return self._connection.write(
            f"/v1/turns/{check_field('id', id)}/commit", body, read=read_commit_result
        )

    def roll_back_turn(self, id: str) -> bool:
        """Roll back a turn that any process began; returns whether it was open."""
        return self._connection.write(
            f"/v1/turns/{check_field('id', id)}/rollback", read=read_was_open
        )

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The receipts of the last turns, newest first; `after` continues from a receipt."""
        named = {"session": session, "limit": check_field("limit", limit), "after": after}
        return self._connection.get(
            "/v1/receipts", read_items(Receipt.from_dict), **named, whole=True
        )

    def receipt(self, id: str) -> Receipt:
        """The receipt of one turn."""
        return self._connection.get(f"/v1/receipts/{check_field('id', id)}", Receipt.from_dict)

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
        body = {"memory": check_field("id", memory), **_author_arguments(by, agent, user)}
        path = f"/v1/receipts/{check_field('id', receipt)}/irrelevant"
        return self._connection.write(path, body, read=_read_mark)

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
        body = {"text": check_field("text", text), **_author_arguments(by, agent, user)}
        return self._connection.write(memory_path(memory, "irrelevant"), body, read=_read_mark)

    def marks(
        self, memory: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Marked]:
        """The marks that call a memory irrelevant for some questions, oldest first.

        An `agent` and a `user` see the marks that count in their turns.
        """
        seer = Viewer.of(agent, user)
        return self._connection.get(
            memory_path(memory, "marks"), read_items(Marked.from_dict), **_viewer_params(seer)
        )

    def unmark(self, id: str, *, agent: str | None = None, user: str | None = None) -> None:
        """Remove a mark; an `agent` and a `user` can remove only their own."""
        path, seer = f"/v1/marks/{check_field('id', id)}", Viewer.of(agent, user)
        self._connection.change("DELETE", path, read_nothing, **_viewer_params(seer))

    def _begin(self, asked: RemoteTurnRequest) -> Prepared:
        """Begin the turn at the server, or go on without memory."""
        body = {**asked.body, "receipt": "whole"}
        try:
            return self._connection.write(
                "/v1/turns", body, read=asked.to_prepared, at_most=TURN_SECONDS, tries=TURN_TRIES
            )
        except InvalidInput:
            raise
        except TacitError as error:
            self._warn(str(error))
            return asked.without_memory(new_id(), system_clock(), str(error))

    def _warn(self, problem: str) -> None:
        """Log each problem once; every receipt names it again."""
        if problem not in self._warned:
            self._warned.add(problem)
            _log.warning("memory injection degraded: server: %s", problem)


def _read_mark(answer: Any) -> str:
    return str(answer["mark"])


def _author_arguments(by: Actor | str, agent: str | None, user: str | None) -> dict[str, str]:
    """The author of a mark; a bound key marks as its agent and its user."""
    named = _viewer_params(Viewer.of(agent, user))
    return actor_argument(by) | {name: value for name, value in named.items() if value is not None}


def _viewer_params(viewer: Viewer) -> dict[str, str | None]:
    return {"agent": viewer.agent, "user": viewer.user}


# Sessions


class RemoteSessionCalls(RemoteWorkspaceApi):
    """Sessions: report, compact, fork, pause and clear them."""

    def sessions(self, *, limit: int = 50, after: str | None = None) -> Sequence[ListedSession]:
        """The sessions that were active last, newest first.

        `after` is the `cursor` of the last one of the page before.
        """
        size = check_field("limit", limit)
        read = read_items(ListedSession.from_dict)
        return self._connection.get("/v1/sessions", read, limit=size, after=after)

    def session(
        self, id: str, *, agent: str | None = None, user: str | None = None
    ) -> SessionReport:
        """The report of a session: its blocks, its ledger and its last receipts.

        Blocks that hold memories which the `agent` or the `user` may not see come without their
        words.
        """
        return self._connection.get(
            session_path(id), SessionReport.from_dict, **asdict(Viewer.of(agent, user))
        )

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let every memory be shown in a session again; reports how many that frees."""
        return self._connection.write(session_path(session, "reset"), read=Reset.from_dict)

    def clear(self, session: str) -> Reset:
        """Start a session's history anew: memories may be shown again, open turns are abandoned.

        Whoever commits such a turn later gets its history; nothing of it is recorded.
        """
        return self._connection.write(session_path(session, "clear"), read=Reset.from_dict)

    def compact(
        self,
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
        urgent is written in the background and used by a later call.
        """
        own = check_history(history)
        asked = {
            "history": own,
            "agent": agent,
            "level": None if level is None else check_choice("level", CompactionLevel, level),
            "wait": wait,
            "settings": settings,
        }

        def read(answer: Any) -> Compaction:
            return Compaction.from_dict(answer, read_kept_messages(own, answer))

        return self._connection.write(session_path(session, "compact"), to_plain(asked), read=read)

    def variables(self, session: str) -> dict[str, Any]:
        """The variables of a session, by name."""
        return self._connection.get(session_path(session, "variables"), _read_variables)

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        """Set variables of a session, as plain JSON; None removes one."""
        body = {"changes": dict(changes)}
        self._connection.write(session_path(session, "variables"), body, read=read_nothing)

    def fork(self, session: str, into: str) -> Session:
        """Fork a session: the branch keeps the blocks in view and tracks its own from then on."""
        path = session_path(session, "fork")
        return self._connection.write(
            path, {"into": check_field("into", into)}, read=Session.from_dict
        )

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        """Pause a session or a project: nothing is read or written for it."""
        self._connection.write(
            owner_path(check_pause_target(session, project), "pause"), read=read_nothing
        )

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        """Resume it; returns whether it was paused."""
        return self._connection.write(
            owner_path(check_pause_target(session, project), "resume"), read=_read_was_paused
        )


def _read_variables(answer: Any) -> dict[str, Any]:
    return dict(answer["variables"])


def _read_was_paused(answer: Any) -> bool:
    return bool(answer["was_paused"])
