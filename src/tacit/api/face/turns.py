"""Turns, the receipts that account for them, and marks on memories that were of no use."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tacit.api.face.face import Face
from tacit.api.marks import mark_for, mark_in, marks_on, unmark
from tacit.api.request import PLACES, make_request
from tacit.api.turn_log import tell
from tacit.core.errors import NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.marks import MarkAuthor, Marked
from tacit.core.messages import to_messages
from tacit.core.open_turn import OpenTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Receipt
from tacit.language.redaction.text import redact
from tacit.runtime.deadline import Deadline
from tacit.settings.making import changed
from tacit.turn.commit import (
    CommitResult,
    LocalCommitter,
    commit_turn,
    load_commit_result,
    roll_back_turn,
)
from tacit.turn.open_turn import capture_reply
from tacit.turn.prepare import prepare_turn
from tacit.turn.request import Trigger, TurnRequest
from tacit.turn.state import TurnDependencies
from tacit.turn.turn import Prepared, Turn

_log = logging.getLogger("tacit.turn")

_COLD_SECONDS = 1.5


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
        not come again. `by` is whose words they are, the user's if nothing is said: what an agent
        says is learned as its word, not as a person's. `settings` are those of
        `InjectionSettings`, for this turn only.
        """
        asked = {
            "session": session,
            "text": text,
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
        return self._begin_turn(make_request(asked), settings)

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        """What `turn` would give, with the same arguments, without any effect.

        `scopes` and `types`, if given, are the only ones of which memories are thought.
        """
        named = {name: asked.pop(name) for name in PLACES if name in asked}
        request = make_request({"session": session, "text": text, **named})
        self.warm()
        config = self._current()
        settings = changed(config.injection(request.agent), asked)
        return prepare_turn(self._means, request, settings, config.search, is_preview=True).prepared

    def find_turn(self, id: str) -> OpenTurn | Receipt:
        """A turn by the id of its receipt: open, or over."""
        checked_id = check_field("id", id)
        found = self._read(
            lambda unit: unit.receipts.opening(checked_id) or unit.receipts.get(checked_id)
        )
        if found is None:
            raise no_turn(checked_id)
        return found

    def commit_turn(self, id: str, reply: Any = (), *, learn: bool = True) -> CommitResult:
        """End a turn that any process began; without `learn` nothing is learned from it.

        What was said in a grounded prompt goes into its chat log with the reply.
        """
        return self._commit_found(self.find_turn(id), reply, learn=learn)

    def note_turn(self, id: str, note: str) -> bool:
        """Add a note to the receipt of a turn that has not ended; tells whether it was open."""
        checked_id = check_field("id", id)
        with self._store.write(self._workspace) as unit:
            opening = unit.receipts.opening(checked_id)
            if opening is None or opening.abandoned is not None:
                return False
            receipt = replace(opening.receipt, notes=(*opening.receipt.notes, redact(note).text))
            unit.receipts.close(opening.session, opening.id)
            unit.receipts.open(replace(opening, receipt=receipt))
            return True

    def roll_back_turn(self, id: str) -> bool:
        """Leave no trace of a turn that any process began; tells whether it was open."""
        return roll_back_open(self._means, id)

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The accounts of the last turns, newest first; `after` goes on with those before it."""
        return list_receipts(self._means, session, limit, after)

    def receipt(self, id: str) -> Receipt:
        """The account of one turn."""
        checked_id = check_field("id", id)
        found = self._read(lambda unit: unit.receipts.get(checked_id))
        if found is None:
            raise no_receipt(checked_id)
        return found

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
        author = MarkAuthor.of(by, agent, user)
        return mark_in(self._means, self.receipt(receipt), memory, author)

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
        author = MarkAuthor.of(by, agent, user)
        return mark_for(self._means, text, memory, author)

    def marks(
        self, memory: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Marked]:
        """The marks on a memory that is of no use for some questions, oldest first.

        An `agent` and a `user` are told of those that count in their turns.
        """
        return marks_on(self._means, memory, Viewer.of(agent, user))

    def unmark(self, id: str, *, agent: str | None = None, user: str | None = None) -> None:
        """Take back that a memory is of no use; an `agent` and a `user` only what they marked."""
        unmark(self._means, id, Viewer.of(agent, user))

    def warm(self) -> None:
        """Load the model and the workspace, so that the first turn need not wait for them.

        What cannot be loaded is left to the turns.
        """
        if self._is_warm:
            return
        self._is_warm = True
        try:
            load = partial(self._searcher.load, self._workspace)
            Deadline(_COLD_SECONDS).run(load, self._pool)
        except Exception as error:  # every turn says for itself what is missing
            _log.info("not loaded before the first turn: %s %s", type(error).__name__, error)

    def _begin_turn(self, request: TurnRequest, overrides: Mapping[str, Any]) -> Turn:
        self.warm()
        config = self._current()
        settings = changed(config.injection(request.agent), overrides)
        begun = prepare_turn(self._means, request, settings, config.search)
        tell(begun.prepared.receipt)
        self._warn_degraded("memory injection", begun.prepared.receipt.degraded)
        return Turn(begun.prepared, LocalCommitter(self._means, begun.opening))

    def _commit_found(self, found: OpenTurn | Receipt, reply: Any, *, learn: bool) -> CommitResult:
        """End a turn that `find_turn` returned; a turn that is over stays as it is."""
        said = capture_reply(to_messages(reply, "assistant", ()))
        if isinstance(found, OpenTurn):
            heard = found.captured if learn else None
            return commit_turn(self._means, replace(found, captured=heard), said)
        return self._read(lambda unit: load_commit_result(unit, found))


def roll_back_open(means: TurnDependencies, id: str) -> bool:
    """Leave no trace of a turn; tells whether it was open."""
    checked_id = check_field("id", id)
    with means.store.read(means.workspace) as unit:
        opening = unit.receipts.opening(checked_id)
    if opening is None or opening.abandoned is not None:
        return False
    return roll_back_turn(means, opening.session, opening.id)


def list_receipts(
    means: TurnDependencies,
    session: str | None,
    limit: int,
    after: str | None,
    reach: Viewer = UNBOUND,
) -> list[Receipt]:
    """The last receipts of a session, or of every session within reach, newest first."""
    size = check_field("limit", limit)
    last = None if after is None else check_field("id", after)
    own = None if session is None else check_field("session", session)
    with means.store.read(means.workspace) as unit:
        if own is None and reach.is_bound:
            return unit.receipts.recent_reached(reach, size, last)
        return unit.receipts.recent(own, size, last)


def no_turn(id: str) -> NotFound:
    """The error for a turn that does not exist."""
    return NotFound(
        f"there is no turn {id}: it was rolled back, never happened, or left no"
        " trace because its session was paused"
    )


def no_receipt(id: str) -> NotFound:
    """The error for a receipt that does not exist."""
    return NotFound(f"there is no receipt {id}; receipts lists the last ones")
