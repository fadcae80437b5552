"""Calls that ground a prompt in policy, memory, conversation and documents."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tacit.api.calls.turns import Turns, find_turn, to_turn_request
from tacit.api.protocols.grounding import GroundingProtocol
from tacit.api.workspace import Part, WorkspaceContext
from tacit.core.errors import ChatLogUnavailable, InvalidInput, TacitError
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, check_choice
from tacit.core.messages import said_by_user, text_of_reply
from tacit.core.open_turn import ChatMessage, NotRecorded, OpenTurn
from tacit.embedding.llm import LLMSummarizer
from tacit.embedding.registry import known_model
from tacit.grounding.chat_log import EntryKind
from tacit.grounding.documents.library import DocumentDependencies, Documents
from tacit.grounding.file_layout import ConversationAddress
from tacit.grounding.grounded import Grounding
from tacit.grounding.policy import Policy, PromptRole, compose_policy
from tacit.grounding.policy_files import load_layers
from tacit.language.injection_blocks import block_ids_in
from tacit.language.redaction.redact import redact
from tacit.settings.config import override_settings
from tacit.turn.commit import CommitResult, Turn
from tacit.turn.session_view import find_present_blocks, load_foreign_blocks
from tacit.turn.state import TurnRequest
from tacit.turn.summarizer import Summarizer

if TYPE_CHECKING:
    from tacit.grounding.grounder import Grounder


def open_documents(context: WorkspaceContext) -> Documents:
    """The documents of a workspace: folders of files that are indexed and searched."""
    return Documents(
        DocumentDependencies(
            store=context.store,
            workspace=context.name,
            searcher=context.searcher,
            watcher=context.shared.watcher,
            clock=context.clock,
            new_id=context.new_id,
            workspaces=lambda: context.workspaces,
            model=lambda: known_model(context.shared.embedders.configured),
            search=lambda: context.current_config().search,
            grounding=lambda: context.current_config().grounding,
            encode=context.document_encoding.schedule,
        )
    )


# Grounding


_log = logging.getLogger("tacit.grounding")

_EPHEMERAL = {"max_injected_blocks_in_history": 0}
"""Every prompt stands by itself, so what an earlier one showed is not in view."""


_TURN_ARGUMENTS = ("agent", "user", "project", "org", "by", "trigger", "shown")
"""What a turn takes beside its settings."""

_GROUNDED = ("text", "context", "connector", "external_id", "role", "hint", "session")
"""What a grounded prompt takes besides."""


class GroundedPrompts(Part, GroundingProtocol):
    """Prompts that are grounded in memory, conversation and documents."""

    def __init__(self, context: WorkspaceContext, turns: Turns) -> None:
        super().__init__(context)
        self._turns = turns
        turns.log_exchange = self._log_committed

    def ground(
        self,
        text: Any,
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
        by: Actor | str | None = None,
        **settings: Any,
    ) -> Grounding:
        asked = {"context": context, "connector": connector, "external_id": external_id}
        who = {"agent": agent, "user": user, "project": project, "org": org, "by": by}
        return self._ground(said_by_user(text), asked, role, hint, session, {**who, **settings})

    def prompt(self, text: Any, **asked: Any) -> Grounding:
        return self.ground(text, **asked)

    def policy(
        self,
        *,
        role: PromptRole | str = PromptRole.PUBLIC,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
    ) -> Policy:
        asked = {"context": context, "connector": connector, "external_id": external_id}
        place = self._to_place(asked)
        layers = load_layers(
            self._context.workspaces, place, check_choice("role", PromptRole, role)
        )
        return compose_policy(layers, self._context.current_config().grounding.policy_max_tokens)

    def log_chat(
        self,
        kind: EntryKind | str,
        text: str,
        *,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
    ) -> None:
        asked = {"context": context, "connector": connector, "external_id": external_id}
        place = self._to_place(asked)
        what = check_choice("kind", EntryKind, kind)
        said = [(what, check_field("text", text))]
        self._grounder().log(place, said, self._find_blocks_in(said))

    def end(
        self,
        turn: str,
        reply: Any = "",
        *,
        learn: bool = True,
        begun: Mapping[str, Any] | None = None,
    ) -> CommitResult:
        id = check_field("id", turn, "turn")
        said = text_of_reply(reply)
        if begun is not None and find_turn(self._context.turn_dependencies, id) is None:
            return self._turns.commit_found(self._rebuild_grounding(id, begun), said, learn=learn)
        found = self._turns.find(id)
        if isinstance(found, OpenTurn) and found.chat is None and found.abandoned is None:
            problem = f"turn {found.id} has no chat log: it was not grounded; commit it as a turn"
            raise InvalidInput("turn", problem)
        return self._turns.commit_found(found, said, learn=learn)

    def _log_committed(self, turn: str, chat: ChatMessage, reply: Any) -> tuple[str, ...]:
        """Log the exchange of a committed turn; returns what could not be written."""
        said = _to_log_entries(chat.text, text_of_reply(reply))
        return self._try_log(self._grounder(), _place_of(self._context.name, chat), said, turn)

    def _ground(
        self,
        text: str,
        asked: Mapping[str, Any],
        role: PromptRole | str,
        hint: str,
        session: str | None,
        turning: Mapping[str, Any],
    ) -> Grounding:
        place, whose = self._to_place(asked), check_choice("role", PromptRole, role)
        given = {name: it for name, it in turning.items() if name not in _TURN_ARGUMENTS}
        shared = self._context.current_config().injection(turning.get("agent"))
        self._turns.await_warm_up(override_settings(shared, given))
        grounder = self._grounder()
        from tacit.grounding.grounder import GroundingRequest

        draft = grounder.draft(GroundingRequest(text=text, place=place, role=whose, hint=hint))
        request, settings = _to_turn(text, place, grounder.recent(place), session, turning)
        request = replace(request, visible=draft.conversation)
        turn = self._turns.begin_turn(request, settings, degraded=grounder.degraded)
        grounded = grounder.ground(draft, turn.block or "")
        log = partial(self._try_log, grounder, place, turn=turn.receipt.id)
        ending = _GroundingCommitter(turn, log, text)
        return Grounding(
            grounded, turn.receipt, ending, leaves_trace=turn.is_open, is_stored=turn.is_stored
        )

    def _rebuild_grounding(self, id: str, begun: Mapping[str, Any]) -> OpenTurn:
        """The open turn that these arguments grounded, when nothing of it could be stored."""
        if not begun.get("text"):
            raise InvalidInput("begun", "has no text; give what the prompt was grounded with")
        text, place = said_by_user(begun["text"]), self._to_place(begun)
        turning = {name: value for name, value in begun.items() if name not in _GROUNDED}
        said = self._grounder().recent(place)
        return self._turns.rebuild(id, *_to_turn(text, place, said, begun.get("session"), turning))

    def _try_log(
        self,
        grounder: "Grounder",
        place: ConversationAddress,
        said: Sequence[tuple[EntryKind, str]],
        turn: str,
    ) -> tuple[str, ...]:
        """Log the exchange of a turn that is over; returns what could not be written.

        The receipt of the turn says so too.
        """
        try:
            self._log_exchange(grounder, place, said)
        except Exception as error:  # the turn is recorded; only the chat log misses it
            _log.warning("the exchange is not in the chat log: %s", error)
            cause = error.__cause__ if isinstance(error, ChatLogUnavailable) else error
            reason = getattr(cause, "strerror", None) or type(cause).__name__
            problem = f"chat log: failed ({reason})"
            with suppress(TacitError):
                self._add_problem(turn, problem)
            return (problem,)
        return ()

    def _add_problem(self, turn: str, problem: str) -> None:
        """Add to the receipt of a turn that is over what could not be written."""
        with self._context.store.write(self._context.name) as unit:
            receipt = unit.receipts.get(turn)
            if receipt is not None:
                unit.receipts.put(replace(receipt, degraded=(*receipt.degraded, problem)))

    def _log_exchange(
        self,
        grounder: "Grounder",
        place: ConversationAddress,
        said: Sequence[tuple[EntryKind, str]],
    ) -> None:
        """Log the exchange and refresh the summary; with a language model, in the background."""
        grounder.log(place, said, self._find_blocks_in(said))
        if grounder.writer is None:
            grounder.refresh(place)
        else:
            self._context.shared.worker.submit(lambda: grounder.refresh(place))

    def _find_blocks_in(self, said: Sequence[tuple[EntryKind, str]]) -> dict[str, str]:
        """The texts, by id, of injected blocks that the messages repeat, from any session."""
        messages = [{"role": "user", "content": text} for _, text in said]
        ids = block_ids_in(messages)
        blocks = self._context.read(lambda unit: load_foreign_blocks(unit, ids)) if ids else ()
        return {each.id: each.placement.text for each in find_present_blocks(messages, blocks)}

    def _to_place(self, asked: Mapping[str, Any]) -> ConversationAddress:
        return ConversationAddress.of(self._context.name, asked)

    def _grounder(self) -> "Grounder":
        from tacit.grounding.grounder import Grounder

        return Grounder(
            workspaces=self._context.workspaces,
            library=open_documents(self._context),
            settings=self._context.current_config().grounding,
            clock=self._context.clock,
            writer=self._summary_model(),
        )

    def _summary_model(self) -> Summarizer | None:
        """The language model, if there is one."""
        settings = self._context.current_config().writing
        if not settings.llm_model:
            return None
        return LLMSummarizer(
            settings.llm_model,
            base_url=settings.llm_base_url or None,
            key_env=settings.llm_key_env,
        )


class _GroundingCommitter:
    """Commits or rolls back a grounded prompt in this process."""

    def __init__(
        self,
        turn: Turn,
        log: Callable[[Sequence[tuple[EntryKind, str]]], tuple[str, ...]],
        said: str,
    ) -> None:
        self._turn = turn
        self._log = log
        self._said = said

    def commit(self, reply: str) -> CommitResult:
        """End the turn and log the exchange, unless the turn was abandoned."""
        ended = self._turn.commit(reply)
        if ended.not_recorded not in (None, NotRecorded.FAILED):
            return ended
        return replace(ended, degraded=self._log(_to_log_entries(self._said, reply)))

    def roll_back(self) -> None:
        """Roll the turn back."""
        self._turn.roll_back()


def _to_turn(
    text: str,
    place: ConversationAddress,
    said: Sequence[Any],
    session: str | None,
    turning: Mapping[str, Any],
) -> tuple[TurnRequest, dict[str, Any]]:
    """The turn of a grounded prompt, and the settings of its memories."""
    named = {name: turning[name] for name in _TURN_ARGUMENTS if name in turning}
    asked = {"session": session or place.key, "text": text, "history": said, **named}
    request = replace(to_turn_request(asked), chat=_to_chat_message(place, text), is_personal=False)
    overrides = {name: value for name, value in turning.items() if name not in named}
    return request, {**_EPHEMERAL, **overrides}


def _to_chat_message(place: ConversationAddress, text: str) -> ChatMessage:
    """The message for the chat log, as the store keeps it until the reply is there."""
    sound = text.encode("utf-8", "replace").decode()
    return ChatMessage(
        text=redact(sound).text,
        context=place.context,
        connector=place.connector,
        external_id=place.external_id,
        key=place.key,
    )


def _place_of(workspace: str, chat: ChatMessage) -> ConversationAddress:
    return ConversationAddress(workspace, chat.context, chat.connector, chat.external_id)


def _to_log_entries(said: str, reply: str) -> list[tuple[EntryKind, str]]:
    return [(EntryKind.INBOUND, said), (EntryKind.OUTBOUND, reply)]
