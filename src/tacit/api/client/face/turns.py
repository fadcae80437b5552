"""Turns, and the receipts that account for them."""

import logging
from collections.abc import Sequence
from typing import Any

from tacit.api.client.answers import items, nothing
from tacit.api.client.arguments import memory_path, said_by
from tacit.api.client.exchange import TURN_SECONDS, TURN_TRIES, Asked, RemoteEnding, ended, was_open
from tacit.api.client.face.face import Face
from tacit.api.client.messages import plain
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.marks import Marked
from tacit.core.messages import to_messages
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.runtime.clock import system_clock
from tacit.runtime.ids import new_id
from tacit.turn.commit import CommitResult
from tacit.turn.request import Trigger
from tacit.turn.turn import Prepared, Turn

_log = logging.getLogger("tacit.turn")

_PLACES = (
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


class Turns(Face):
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
        prepared = self._begun(Asked.of(session, text, named, settings))
        return Turn(prepared, RemoteEnding(self._at, prepared.receipt.id))

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        """What `turn` would give, with the same arguments, without any effect.

        `scopes` and `types`, if given, are the only ones of which memories are thought.
        """
        named = {name: asked.pop(name) for name in _PLACES if name in asked}
        wanted = Asked.of(session, text, named, asked)
        return self._at.look("/v1/turns/preview", wanted.body, wanted.previewed)

    def commit_turn(self, id: str, reply: Any = (), *, learn: bool = True) -> CommitResult:
        """End a turn that any process began; without `learn` nothing is learned from it.

        `Turn.commit` does the same for who holds the turn.
        """
        body = {"reply": plain(to_messages(reply, "assistant", ())), "learn": learn}
        return self._at.write(f"/v1/turns/{check_field('id', id)}/commit", body, read=ended)

    def roll_back_turn(self, id: str) -> bool:
        """Leave no trace of a turn that any process began; tells whether it was open."""
        return self._at.write(f"/v1/turns/{check_field('id', id)}/rollback", read=was_open)

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The accounts of the last turns, newest first; `after` goes on with those before it."""
        named = {"session": session, "limit": check_field("limit", limit), "after": after}
        return self._at.get("/v1/receipts", items(Receipt.from_dict), **named, whole=True)

    def receipt(self, id: str) -> Receipt:
        """The account of one turn."""
        return self._at.get(f"/v1/receipts/{check_field('id', id)}", Receipt.from_dict)

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
        body = {"memory": check_field("id", memory), **_author(by, agent, user)}
        path = f"/v1/receipts/{check_field('id', receipt)}/irrelevant"
        return self._at.write(path, body, read=_mark)

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
        body = {"text": check_field("text", text), **_author(by, agent, user)}
        return self._at.write(memory_path(memory, "irrelevant"), body, read=_mark)

    def marks(
        self, memory: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Marked]:
        """The marks on a memory that is of no use for some questions, oldest first.

        An `agent` and a `user` are told of those that count in their turns.
        """
        seer = Viewer.of(agent, user)
        return self._at.get(memory_path(memory, "marks"), items(Marked.from_dict), **_named(seer))

    def unmark(self, id: str, *, agent: str | None = None, user: str | None = None) -> None:
        """Take back that a memory is of no use; an `agent` and a `user` only what they marked."""
        path, seer = f"/v1/marks/{check_field('id', id)}", Viewer.of(agent, user)
        self._at.change("DELETE", path, nothing, **_named(seer))

    def _begun(self, asked: Asked) -> Prepared:
        """The turn that the server began, or one without memory."""
        body = {**asked.body, "receipt": "whole"}
        try:
            return self._at.write(
                "/v1/turns", body, read=asked.begun, at_most=TURN_SECONDS, tries=TURN_TRIES
            )
        except InvalidInput:
            raise
        except TacitError as error:
            self._warn(str(error))
            return asked.without_memory(new_id(), system_clock(), str(error))

    def _warn(self, problem: str) -> None:
        """Say each thing that is amiss once; every receipt says it again."""
        if problem not in self._said:
            self._said.add(problem)
            _log.warning("memory injection degraded: server: %s", problem)


def _mark(answer: Any) -> str:
    return str(answer["mark"])


def _author(by: Actor | str, agent: str | None, user: str | None) -> dict[str, str]:
    """Who marks; with an agent's or a user's key, that agent and that user."""
    named = _named(Viewer.of(agent, user))
    return said_by(by) | {name: value for name, value in named.items() if value is not None}


def _named(viewer: Viewer) -> dict[str, str | None]:
    return {"agent": viewer.agent, "user": viewer.user}
