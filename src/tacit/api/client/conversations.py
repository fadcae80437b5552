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
from tacit.runtime.clock import system_clock
from tacit.runtime.ids import new_id
from tacit.turn.commit import CommitResult
from tacit.turn.compaction import Compaction
from tacit.turn.request import Trigger
from tacit.turn.session_report import Reset, SessionReport
from tacit.turn.turn import Prepared, Turn

TURN_SECONDS = 5.0
TURN_TRIES = 3
"""A turn waits no longer for memory: what it knows is not worth more."""

_WHO = ("agent", "user", "project", "org")
_CHECKED = ("by", "scopes", "types")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteTurnRequest:
    """A turn to begin: what the server is told, and the caller's own messages."""

    body: Mapping[str, Any]
    history: tuple[Any, ...]
    incoming: tuple[Any, ...]

    @classmethod
    def of(
        cls, session: str, text: Any, named: Mapping[str, Any], settings: Any
    ) -> "RemoteTurnRequest":
        """What a caller asks; the server checks what is not looked at here."""
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
        """The turn that began."""
        return self._prepared(answer, leaves_trace=bool(answer["is_open"]))

    def to_preview(self, answer: Mapping[str, Any]) -> Prepared:
        """The turn that would be."""
        return self._prepared(answer, leaves_trace=False)

    def without_memory(self, id: str, now: datetime, why: str) -> Prepared:
        """The turn as it goes on where there is no memory to ask."""
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

    def _prepared(self, answer: Mapping[str, Any], *, leaves_trace: bool) -> Prepared:
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
    """The end of a turn that is open at a server."""

    connection: Connection
    id: str

    def commit(self, reply: str) -> CommitResult:
        """Write what the turn showed and decided, and what was said in it."""
        path, body = f"/v1/turns/{self.id}/commit", {"reply": reply}
        return self.connection.write(
            path, body, read=read_commit_result, at_most=TURN_SECONDS, tries=TURN_TRIES
        )

    def roll_back(self) -> bool:
        """Leave no trace of it; tells whether there was one."""
        path = f"/v1/turns/{self.id}/rollback"
        return self.connection.write(
            path, read=read_was_open, at_most=TURN_SECONDS, tries=TURN_TRIES
        )


def read_commit_result(answer: Mapping[str, Any]) -> CommitResult:
    """How a turn ended."""
    told = {name: answer[name] for name in ("session", "turn", "block_stays", "was_open")}
    reason = answer["not_recorded"]
    return CommitResult(**told, not_recorded=None if reason is None else NotRecorded(reason))


def read_was_open(answer: Mapping[str, Any]) -> bool:
    """Whether there was a turn to roll back."""
    return bool(answer["rolled_back"])


def read_kept_messages(history: Sequence[Any], answer: Mapping[str, Any]) -> tuple[Any, ...]:
    """The messages of a history that was made shorter."""
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
    """Turns from their beginning to their end, and what is told of them."""

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
        """What `turn` would give, with the same arguments, without any effect.

        `scopes` and `types`, if given, are the only ones of which memories are thought.
        """
        named = {name: asked.pop(name) for name in _TURN_ARGUMENTS if name in asked}
        wanted = RemoteTurnRequest.of(session, text, named, asked)
        return self._connection.read_with_body("/v1/turns/preview", wanted.body, wanted.to_preview)

    def commit_turn(self, id: str, reply: Any = (), *, learn: bool = True) -> CommitResult:
        """End a turn that any process began; without `learn` nothing is learned from it.

        `Turn.commit` does the same for who holds the turn.
        """
        body = {"reply": to_plain(to_messages(reply, "assistant", ())), "learn": learn}
        return self._connection.write(
            f"/v1/turns/{check_field('id', id)}/commit", body, read=read_commit_result
        )

    def roll_back_turn(self, id: str) -> bool:
        """Leave no trace of a turn that any process began; tells whether it was open."""
        return self._connection.write(
            f"/v1/turns/{check_field('id', id)}/rollback", read=read_was_open
        )

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The accounts of the last turns, newest first; `after` goes on with those before it."""
        named = {"session": session, "limit": check_field("limit", limit), "after": after}
        return self._connection.get(
            "/v1/receipts", read_items(Receipt.from_dict), **named, whole=True
        )

    def receipt(self, id: str) -> Receipt:
        """The account of one turn."""
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
        """Say that a memory was of no use in a turn; for similar questions it counts less.

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
        """Say that a memory is of no use for a question, asked or not; returns the mark's id."""
        body = {"text": check_field("text", text), **_author_arguments(by, agent, user)}
        return self._connection.write(memory_path(memory, "irrelevant"), body, read=_read_mark)

    def marks(
        self, memory: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Marked]:
        """The marks on a memory that is of no use for some questions, oldest first.

        An `agent` and a `user` are told of those that count in their turns.
        """
        seer = Viewer.of(agent, user)
        return self._connection.get(
            memory_path(memory, "marks"), read_items(Marked.from_dict), **_viewer_params(seer)
        )

    def unmark(self, id: str, *, agent: str | None = None, user: str | None = None) -> None:
        """Take back that a memory is of no use; an `agent` and a `user` only what they marked."""
        path, seer = f"/v1/marks/{check_field('id', id)}", Viewer.of(agent, user)
        self._connection.change("DELETE", path, read_nothing, **_viewer_params(seer))

    def _begin(self, asked: RemoteTurnRequest) -> Prepared:
        """The turn that the server began, or one without memory."""
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
        """Say each thing that is amiss once; every receipt says it again."""
        if problem not in self._warned:
            self._warned.add(problem)
            _log.warning("memory injection degraded: server: %s", problem)


def _read_mark(answer: Any) -> str:
    return str(answer["mark"])


def _author_arguments(by: Actor | str, agent: str | None, user: str | None) -> dict[str, str]:
    """Who marks; with an agent's or a user's key, that agent and that user."""
    named = _viewer_params(Viewer.of(agent, user))
    return actor_argument(by) | {name: value for name, value in named.items() if value is not None}


def _viewer_params(viewer: Viewer) -> dict[str, str | None]:
    return {"agent": viewer.agent, "user": viewer.user}


# Sessions


class RemoteSessionCalls(RemoteWorkspaceApi):
    """Sessions as they are reported, made shorter, branched, paused and begun anew."""

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
        """What is known of a session: its blocks, its ledger and its last receipts.

        Blocks that hold memories which the `agent` or the `user` may not see come without their
        words.
        """
        return self._connection.get(
            session_path(id), SessionReport.from_dict, **asdict(Viewer.of(agent, user))
        )

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let a session be shown everything again; says how many memories that frees."""
        return self._connection.write(session_path(session, "reset"), read=Reset.from_dict)

    def clear(self, session: str) -> Reset:
        """The history of a session begins anew: all may come again, open turns are abandoned.

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
        """Make room in a history: its oldest part is summed up, as far as it fills the window.

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
        """What workflows noted about a session, by name."""
        return self._connection.get(session_path(session, "variables"), _read_variables)

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        """Note something about a session, as plain JSON; None notes it no longer."""
        body = {"changes": dict(changes)}
        self._connection.write(session_path(session, "variables"), body, read=read_nothing)

    def fork(self, session: str, into: str) -> Session:
        """Begin a branch of a session: it sees the blocks, and what it is shown is its own."""
        path = session_path(session, "fork")
        return self._connection.write(
            path, {"into": check_field("into", into)}, read=Session.from_dict
        )

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        """Leave a session or a project alone: nothing is read for it and nothing is written."""
        self._connection.write(
            owner_path(check_pause_target(session, project), "pause"), read=read_nothing
        )

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        """Serve it again; tells whether it was paused."""
        return self._connection.write(
            owner_path(check_pause_target(session, project), "resume"), read=_read_was_paused
        )


def _read_variables(answer: Any) -> dict[str, Any]:
    return dict(answer["variables"])


def _read_was_paused(answer: Any) -> bool:
    return bool(answer["was_paused"])
