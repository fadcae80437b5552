"""Grounding: one system and one user message for a response, and the chat log that feeds them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tacit.choice import choice
from tacit.engine.face.documents import DocumentsFace
from tacit.engine.face.turns import Turns
from tacit.errors import InvalidInput
from tacit.grounding.entry import Kind
from tacit.grounding.handle import Grounding
from tacit.grounding.places import Place
from tacit.grounding.policy import Policy, PromptRole, composed, layers_of
from tacit.memory import check
from tacit.summary import LLMSummarizer, Summarizer
from tacit.turn import Ended, Turn

if TYPE_CHECKING:
    from tacit.grounding.grounder import Grounder

_log = logging.getLogger("tacit.grounding")

_EPHEMERAL = {"max_injected_blocks_in_history": 0}
"""Every prompt stands by itself, so what an earlier one showed is not in view."""


class Groundings(Turns, DocumentsFace):
    """Prompts that are grounded in memory, conversation and documents."""

    def ground(
        self,
        text: str,
        *,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
        role: PromptRole | str = PromptRole.PUBLIC,
        hint: str = "",
        session: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        **settings: Any,
    ) -> Grounding:
        """Put together what a response to a message is grounded in, under its budgets.

        The conversation is named by its `context`, or else by the `connector` it comes through and
        its `external_id` there. `role` says whose policy binds, `hint` how to respond. `settings`
        are those of `InjectionSettings`, for the memories of this turn.
        """
        asked = {"context": context, "connector": connector, "external_id": external_id}
        who = {"agent": agent, "user": user, "project": project, "org": org}
        return self._grounding(text, asked, role, hint, session, {**who, **settings})

    def prompt(self, text: str, **asked: Any) -> Grounding:
        """The same as `ground`, for callers that send `text`: one string in sections.

        Current facts stand in the frame of that string, not in one of their own.
        """
        return self.ground(text, **{"memory_read_only_marker": False, **asked})

    def policy(
        self,
        *,
        role: PromptRole | str = PromptRole.PUBLIC,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
    ) -> Policy:
        """The system side of a prompt, with the layer and the file that each line is from."""
        asked = {"context": context, "connector": connector, "external_id": external_id}
        place = self._place(asked)
        layers = layers_of(self._workspaces, place, choice("role", PromptRole, role))
        return composed(layers, self._current().grounding.policy_max_tokens)

    def log_chat(
        self,
        kind: Kind | str,
        text: str,
        *,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
    ) -> None:
        """Write something into the chat log of a conversation.

        `ground` does so by itself with what was said and replied once it is committed.
        """
        asked = {"context": context, "connector": connector, "external_id": external_id}
        place = self._place(asked)
        what = choice("kind", Kind, kind)
        self._grounder().log(place, [(what, check("text", text))])

    def end_grounding(
        self, turn: str, said: str, reply: str, *, learn: bool = True, **asked: Any
    ) -> Ended:
        """End a grounded prompt that any process began: what was said goes into its chat log.

        Said again, it changes nothing.
        """
        place = self._place(asked)
        ended = self.commit_turn(turn, reply, learn=learn)
        if not ended.was_open:
            return ended
        try:
            self._written_down(self._grounder(), place, _exchange(said, reply))
        except OSError as error:  # the turn is over; only the chat log misses it
            _log.warning("the exchange is not in the chat log: %s", error)
        return ended

    def _grounding(
        self,
        text: str,
        asked: Mapping[str, Any],
        role: PromptRole | str,
        hint: str,
        session: str | None,
        turning: Mapping[str, Any],
    ) -> Grounding:
        if not str(text).strip():
            raise InvalidInput("text", "is empty; give what was said")
        place, whose = self._place(asked), choice("role", PromptRole, role)
        grounder = self._grounder()
        turn = self.turn(
            session=session or place.key,
            text=text,
            history=grounder.recent(place),
            **{**_EPHEMERAL, **turning},
        )
        from tacit.grounding.grounder import Message

        message = Message(text=text, place=place, role=whose, hint=hint, block=turn.block or "")
        grounded = grounder.ground(message)
        ending = _Ending(turn, partial(self._written_down, grounder, place), text)
        return Grounding(grounded, turn.receipt, ending, leaves_trace=turn.is_open)

    def _written_down(
        self, grounder: "Grounder", place: Place, said: Sequence[tuple[Kind, str]]
    ) -> None:
        """Log what was said, and bring the summary up to date; a model does so in its own time."""
        grounder.log(place, said)
        if grounder.writer is None:
            grounder.refresh(place)
        else:
            self._worker.submit(lambda: grounder.refresh(place))

    def _place(self, asked: Mapping[str, Any]) -> Place:
        for name in ("context", "connector", "external_id"):
            if not isinstance(asked.get(name) or "", str):
                raise InvalidInput(name, "must be text")
        return Place(
            workspace=self.workspace,
            context=asked.get("context"),
            connector=asked.get("connector") or "local",
            external_id=asked.get("external_id") or "",
        )

    def _grounder(self) -> "Grounder":
        from tacit.grounding.grounder import Grounder

        return Grounder(
            workspaces=self._workspaces,
            library=self.documents,
            settings=self._current().grounding,
            clock=self._clock,
            writer=self._writer(),
        )

    def _writer(self) -> Summarizer | None:
        """The language model, if there is one."""
        settings = self._current().writing
        if not settings.llm_model:
            return None
        return LLMSummarizer(settings.llm_model, base_url=settings.llm_base_url or None)


class _Ending:
    """The end of a grounded prompt in this process."""

    def __init__(
        self, turn: Turn, write: Callable[[Sequence[tuple[Kind, str]]], None], said: str
    ) -> None:
        self._turn = turn
        self._write = write
        self._said = said

    def commit(self, reply: str) -> None:
        """Write what was said and replied, and end the turn."""
        self._turn.commit(reply)
        self._write(_exchange(self._said, reply))

    def roll_back(self) -> None:
        """Leave no trace of it."""
        self._turn.roll_back()


def _exchange(said: str, reply: str) -> list[tuple[Kind, str]]:
    return [(Kind.INBOUND, said), (Kind.OUTBOUND, reply)]
