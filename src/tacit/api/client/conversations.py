"""`RemoteTacit`'s calls about turns, receipts and sessions."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tacit.api.client.connection import (
    Connection,
    RemotePart,
    owner_path,
    read_nothing,
    session_path,
)
from tacit.api.client.endpoints import endpoint
from tacit.api.client.messages import restore_messages, to_plain
from tacit.api.protocols.conversations import SessionsProtocol, TurnsProtocol
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.fields import check_field
from tacit.core.foreign_messages import (
    join_instructions,
    restore_foreign_messages,
    set_instructions_apart,
)
from tacit.core.kinds import Actor, check_choice
from tacit.core.messages import check_history, to_messages
from tacit.core.permissions import check_pause_target
from tacit.core.receipt import Receipt
from tacit.language.compaction import CompactionLevel
from tacit.runtime.clock import new_id, system_clock
from tacit.turn.commit import CommitResult, Prepared, Turn
from tacit.turn.compaction import Compaction
from tacit.turn.replay import BegunCall
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
            "context": to_plain(tuple(check_history(named.get("context") or (), "context"))),
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

    @classmethod
    def of_arguments(cls, begun: Mapping[str, Any]) -> "RemoteTurnRequest":
        """Build the request from the arguments of `turn`."""
        if missing := [name for name in ("session", "text") if name not in begun]:
            raise InvalidInput("begun", f"has no {missing[0]}; give what the turn was begun with")
        named = {name: value for name, value in begun.items() if name in _TURN_ARGUMENTS}
        settings = {
            name: value
            for name, value in begun.items()
            if name not in ("session", "text", *_TURN_ARGUMENTS)
        }
        return cls.of(begun["session"], begun["text"], named, settings)

    @property
    def messages(self) -> tuple[Any, ...]:
        """The caller's messages, in their order."""
        return (*self.history, *self.incoming)

    def to_prepared(self, answer: Mapping[str, Any]) -> Prepared:
        """The begun turn, from a response."""
        return self._read_prepared(answer, leaves_trace=bool(answer["is_open"]))

    def to_preview(self, answer: Mapping[str, Any]) -> Prepared:
        """The previewed turn, from a response."""
        prepared = self._read_prepared(answer, leaves_trace=False)
        return replace(prepared, messages=tuple(restore_foreign_messages(prepared.messages)))

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
        return Prepared(
            history=self.history,
            messages=restore_messages(answer["messages"], self.messages),
            receipt=Receipt.from_dict(answer["receipt"]),
            blocks={block["id"]: block["text"] for block in answer["blocks"]},
            leaves_trace=leaves_trace,
            is_stored=bool(answer.get("is_stored", True)),
        )


@dataclass(frozen=True, slots=True)
class RemoteCommitter:
    """Commits or rolls back a turn that is open at a server.

    `begun` is sent along if the server could not store the turn when it began.
    """

    connection: Connection
    id: str
    begun: Mapping[str, Any] | None = None

    def commit(self, reply: str) -> CommitResult:
        """Commit the turn with the reply."""
        path, body = f"/v1/turns/{self.id}/commit", {"reply": reply, "begun": self.begun}
        return self.connection.write(
            path, body, read=CommitResult.from_dict, at_most=TURN_SECONDS, tries=TURN_TRIES
        )

    def roll_back(self) -> bool:
        """Roll the turn back; returns whether it was open."""
        path = f"/v1/turns/{self.id}/rollback"
        return self.connection.write(
            path, read=read_was_open, at_most=TURN_SECONDS, tries=TURN_TRIES
        )


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


class RemoteTurns(RemotePart, TurnsProtocol):
    """Turns from beginning to end, and their receipts."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._warned: set[str] = set()

    roll_back = endpoint(TurnsProtocol.roll_back, "POST /v1/turns/{id}/rollback", key="rolled_back")
    list = endpoint(TurnsProtocol.list, "GET /v1/receipts?whole=true", fields={"after": "id"})
    get = endpoint(TurnsProtocol.get, "GET /v1/receipts/{id}")
    mark_irrelevant = endpoint(
        TurnsProtocol.mark_irrelevant, "POST /v1/receipts/{receipt}/irrelevant", key="mark"
    )
    mark_irrelevant_for = endpoint(
        TurnsProtocol.mark_irrelevant_for, "POST /v1/memories/{memory}/irrelevant", key="mark"
    )
    marks = endpoint(TurnsProtocol.marks, "GET /v1/memories/{memory}/marks")
    unmark = endpoint(TurnsProtocol.unmark, "DELETE /v1/marks/{id}")

    def begin(
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
        asked = RemoteTurnRequest.of(session, text, named, settings)
        prepared = self._begin(asked)
        begun = None if prepared.is_stored else asked.body
        return Turn(prepared, RemoteCommitter(self._connection, prepared.receipt.id, begun))

    def begin_call(
        self,
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
        whose = {"agent": agent, "user": user, "project": project, "org": org}
        body = {
            "session": check_field("session", session),
            "messages": to_plain(check_history(messages, "messages")),
            **{name: check_field(name, value) for name, value in whose.items() if value},
            **({} if by is None else {"by": str(check_field("by", by))}),
            "kept": kept,
            "preview": preview,
        }
        return self._connection.write(
            "/v1/model-calls",
            body,
            read=BegunCall.from_dict,
            at_most=TURN_SECONDS,
            tries=TURN_TRIES,
        )

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        named = {name: asked.pop(name) for name in _TURN_ARGUMENTS if name in asked}
        wanted = RemoteTurnRequest.of(session, text, named, asked)
        return self._connection.read_with_body("/v1/turns/preview", wanted.body, wanted.to_preview)

    def commit(
        self,
        id: str,
        reply: Any = (),
        *,
        learn: bool = True,
        begun: Mapping[str, Any] | None = None,
        note: str = "",
    ) -> CommitResult:
        body = {
            **({"note": note} if note else {}),
            "reply": to_plain(to_messages(reply, "assistant", ())),
            "learn": learn,
            "begun": None if begun is None else RemoteTurnRequest.of_arguments(begun).body,
        }
        return self._connection.write(
            f"/v1/turns/{check_field('id', id)}/commit", body, read=CommitResult.from_dict
        )

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
            _log.warning("memory skipped: server: %s", problem)


# Sessions


class RemoteSessions(RemotePart, SessionsProtocol):
    """Sessions: report, compact, fork, pause and clear them."""

    list = endpoint(SessionsProtocol.list, "GET /v1/sessions")
    get = endpoint(SessionsProtocol.get, "GET /v1/sessions/{id}", fields={"id": "session"})
    reset_memory_injection_tracking = endpoint(
        SessionsProtocol.reset_memory_injection_tracking, "POST /v1/sessions/{session}/reset"
    )
    clear = endpoint(SessionsProtocol.clear, "POST /v1/sessions/{session}/clear")
    variables = endpoint(
        SessionsProtocol.variables, "GET /v1/sessions/{session}/variables", key="variables"
    )
    fork = endpoint(SessionsProtocol.fork, "POST /v1/sessions/{session}/fork")
    end = endpoint(SessionsProtocol.end, "POST /v1/sessions/{session}/end", key="waiting")

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
        came = check_history(history)
        own = set_instructions_apart(came)
        asked = {
            "history": own,
            "agent": agent,
            "level": None if level is None else check_choice("level", CompactionLevel, level),
            "wait": wait,
            "settings": settings,
        }

        def read(answer: Any) -> Compaction:
            kept = restore_foreign_messages(
                join_instructions(read_kept_messages(own, answer), came)
            )
            return Compaction.from_dict({**answer, "messages": tuple(kept)})

        return self._connection.write(session_path(session, "compact"), to_plain(asked), read=read)

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        body = {"changes": dict(changes)}
        self._connection.write(session_path(session, "variables"), body, read=read_nothing)

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        self._connection.write(
            owner_path(check_pause_target(session, project), "pause"), read=read_nothing
        )

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        return self._connection.write(
            owner_path(check_pause_target(session, project), "resume"), read=_read_was_paused
        )


def _read_was_paused(answer: Any) -> bool:
    return bool(answer["was_paused"])
