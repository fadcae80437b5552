"""Turns, and the receipts that account for them."""

from collections.abc import Sequence
from typing import Any

from tacit.api.face.face import Face
from tacit.api.request import PLACES, make_request
from tacit.core.conversation.mark import MarkAuthor, Marked
from tacit.core.conversation.opening import OpenTurn
from tacit.core.memory.kinds import Actor
from tacit.core.memory.owner import Viewer
from tacit.core.receipt.receipt import Receipt
from tacit.turn.commit import CommitResult
from tacit.turn.request import Trigger
from tacit.turn.turn import Prepared, Turn


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
        return self._conversations.turn(make_request(asked), settings)

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        """What `turn` would give, with the same arguments, without any effect.

        `scopes` and `types`, if given, are the only ones of which memories are thought.
        """
        named = {name: asked.pop(name) for name in PLACES if name in asked}
        request = make_request({"session": session, "text": text, **named})
        return self._conversations.preview(request, asked)

    def find_turn(self, id: str) -> OpenTurn | Receipt:
        """A turn by the id of its receipt: open, or over."""
        return self._conversations.find_turn(id)

    def commit_turn(self, id: str, reply: Any = (), *, learn: bool = True) -> CommitResult:
        """End a turn that any process began; without `learn` nothing is learned from it.

        `Turn.commit` does the same for who holds the turn.
        """
        return self._conversations.commit(id, reply, learn=learn)

    def note_turn(self, id: str, note: str) -> bool:
        """Add a note to the receipt of a turn that has not ended; tells whether it was open."""
        return self._conversations.note_turn(id, note)

    def roll_back_turn(self, id: str) -> bool:
        """Leave no trace of a turn that any process began; tells whether it was open."""
        return self._conversations.roll_back(id)

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The accounts of the last turns, newest first; `after` goes on with those before it."""
        return self._conversations.receipts(session, limit, after)

    def receipt(self, id: str) -> Receipt:
        """The account of one turn."""
        return self._conversations.receipt(id)

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
        return self._conversations.mark_irrelevant(receipt, memory, author)

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
        return self._conversations.mark_irrelevant_for(text, memory, author)

    def marks(
        self, memory: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Marked]:
        """The marks on a memory that is of no use for some questions, oldest first.

        An `agent` and a `user` are told of those that count in their turns.
        """
        return self._conversations.marks(memory, Viewer.of(agent, user))

    def unmark(self, id: str, *, agent: str | None = None, user: str | None = None) -> None:
        """Take back that a memory is of no use; an `agent` and a `user` only what they marked."""
        self._conversations.unmark(id, Viewer.of(agent, user))
