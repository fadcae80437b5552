"""Memory for the calls of a model: before each call blocks go in, after it the reply is recorded.

    memory = CallMemory(tacit, user="ann")
    call = memory.begin(messages, session="s1")
    reply = model(call.messages)
    call.end(reply)

Whatever happens in memory, the call of the model goes on: its messages are then as they came.
"""

import asyncio
import logging
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tacit.api.model_calls.backend import CallBackend, CallSource, find_backend
from tacit.api.model_calls.formats.format import ModelReply, ModelRequest, PlacedBlock
from tacit.api.model_calls.names import CallNames, current_names
from tacit.api.model_calls.placing import (
    find_new_places,
    insert_into_items,
    insert_into_messages,
    locate_blocks,
    see_messages,
)
from tacit.api.model_calls.replies import read_messages
from tacit.api.model_calls.sessions import FoundSession, SessionFinder
from tacit.core.receipt import Receipt
from tacit.core.reply_chunks import ReplyChunks
from tacit.turn.commit import Turn
from tacit.turn.replay import BegunCall

_log = logging.getLogger("tacit.calls")

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


class CallMemory:
    """Memory for the calls that a framework or a wrapped client makes; thread-safe.

    The names are those of calls that neither say their own nor are made in a context that does
    (`with identify(user="ann"):`). A call without a session belongs to the conversation
    that began as it does.
    """

    def __init__(
        self,
        tacit: CallSource[CallBackend],
        *,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> None:
        self.tacit = find_backend(tacit)
        self._names = CallNames.of(
            session=session, user=user, project=project, org=org, agent=agent
        )
        self._finder = SessionFinder(self.tacit)
        self._warned: set[str] = set()

    def complete_names(self, **names: str | None) -> CallNames:
        """These names, then those of the context, then those of this memory."""
        return CallNames.of(**names).or_else(current_names()).or_else(self._names)

    def begin(
        self,
        messages: Sequence[Any],
        *,
        items: bool = False,
        keeps_text: bool = False,
        kept: "KeptConversation | None" = None,
        **names: str | None,
    ) -> "ModelCall":
        """Begin a call with messages of a framework, of an SDK or in dicts, without blocks.

        `items` says that they are items of OpenAI's Responses API. With `keeps_text` a message
        that is a text stays one, for models that take no list of parts. `kept` says that the
        provider keeps the conversation, so that these are its newest messages alone.
        """

        def place(call: RecalledCall) -> list[Any]:
            if items:
                return insert_into_items(messages, call.blocks)
            return insert_into_messages(messages, call.blocks, keeps_text=keeps_text)

        call = self._attempt(lambda: self._recall_messages(messages, names, kept), _NOTHING)
        placed = self._attempt(lambda: place(call), None) if call.blocks else None
        return ModelCall(self, list(messages) if placed is None else placed, call)

    async def abegin(
        self,
        messages: Sequence[Any],
        *,
        items: bool = False,
        keeps_text: bool = False,
        kept: "KeptConversation | None" = None,
        **names: str | None,
    ) -> "ModelCall":
        """`begin` for async programs, in a thread."""
        return await asyncio.to_thread(
            self.begin, messages, items=items, keeps_text=keeps_text, kept=kept, **names
        )

    def begin_kept(
        self,
        text: str,
        *,
        context: Sequence[Any] = (),
        most_characters: int | None = None,
        **names: str | None,
    ) -> "ModelCall":
        """Begin a call of a host that keeps the conversation, and the blocks in it, itself.

        `text` is what was said, `context` the messages before it as far as they are known. `names`
        or those of the context name the session. A block that is longer than `most_characters` is
        made again within them.
        """
        asked = ModelRequest(
            messages=({"role": "user", "content": text},), is_kept_by_provider=True
        )

        def begin() -> RecalledCall:
            return self._begin_kept(asked, context, most_characters, names)

        return ModelCall(self, [text], self._attempt(begin, _NOTHING))

    async def abegin_kept(
        self,
        text: str,
        *,
        context: Sequence[Any] = (),
        most_characters: int | None = None,
        **names: str | None,
    ) -> "ModelCall":
        """`begin_kept` for async programs, in a thread."""
        return await asyncio.to_thread(
            self.begin_kept, text, context=context, most_characters=most_characters, **names
        )

    def show_again(self, session: str) -> None:
        """Let memories be shown again in a session whose host has lost its blocks."""
        self._attempt(lambda: self.tacit.sessions.reset_memory_injection_tracking(session), None)

    def recall(self, asked: ModelRequest, **names: str | None) -> "RecalledCall":
        """What belongs into a request that was read by a format."""
        return self._attempt(lambda: self._recall(asked, names), _NOTHING)

    def record(self, call: "RecalledCall", reply: ModelReply, *, note: str = "") -> None:
        """Record a reply; one that calls tools, or is not complete, leaves the turn open.

        The receipt gets the note of the call that ended the turn.
        """
        if call.found is not None and reply.is_complete:
            self._attempt(lambda: self._record(call, reply, note), None)

    def give_up(self, call: "RecalledCall") -> None:
        """Take back the turn of a call that failed, if nobody could find its session again."""
        found, id = call.found, call.begun.turn
        if found is not None and found.is_new and id is not None:
            self._attempt(lambda: self.tacit.turns.roll_back(id), False)

    def warn(self, kind: str, why: object) -> None:
        """Log why memory was left out of a call, once of a kind."""
        if kind not in self._warned:
            self._warned.add(kind)
            _log.warning("memory was left out of a model call: %s: %s", kind, why)

    def _recall_messages(
        self,
        messages: Sequence[Any],
        names: dict[str, str | None],
        kept: "KeptConversation | None",
    ) -> "RecalledCall":
        asked = ModelRequest(
            messages=tuple(see_messages(messages)),
            continues=None if kept is None else kept.continues,
            is_kept_by_provider=kept is not None,
        )
        return replace(self._recall(asked, names), is_continued_by_id=kept is not None)

    def _recall(self, asked: ModelRequest, names: dict[str, str | None]) -> "RecalledCall":
        said = self.complete_names(**names)
        if asked.is_prewarm:
            return _NOTHING
        found = self._finder.find(said, asked)
        arguments = {"messages": asked.messages, "session": found.name, **said.whose}
        begun = self.tacit.turns.begin_call(
            **arguments, kept=asked.is_kept_by_provider, preview=asked.is_count
        )
        blocks = tuple(locate_blocks(see_messages(asked.messages), begun.placements))
        return RecalledCall(blocks=blocks, begun=begun, found=found, names=said, asked=asked)

    def _begin_kept(
        self,
        asked: ModelRequest,
        context: Sequence[Any],
        most: int | None,
        names: dict[str, str | None],
    ) -> "RecalledCall":
        said = self.complete_names(**names)
        found = self._finder.find(said, asked)

        def begin(**settings: Any) -> Turn:
            return self.tacit.turns.begin(
                session=found.name,
                text=asked.messages,
                history=None,
                context=context,
                **said.whose,
                **settings,
            )

        turn = begin()
        if most is not None and len(turn.block or "") > most:
            turn.roll_back()
            turn = begin(memory_context_max_chars=most)
        return RecalledCall(
            blocks=(PlacedBlock(0, turn.block),) if turn.block else (),
            begun=BegunCall(
                turn=turn.receipt.id if turn.is_open else None,
                receipt=turn.receipt,
                is_stored=turn.is_stored,
            ),
            found=found,
            names=said,
            asked=asked,
        )

    def _record(self, call: "RecalledCall", reply: ModelReply, note: str) -> None:
        if call.found is None or call.asked.is_count:
            return
        self._finder.note_reply(call.found, call.names, call.asked, reply)
        is_unnamed = call.names.session is None
        if is_unnamed and reply.id is not None and call.is_continued_by_id:
            self._finder.note_response(reply.id, call.found.name)
        if call.begun.turn is not None and reply.is_final:
            begun = call.to_begun()
            self.tacit.turns.commit(call.begun.turn, reply.text or (), begun=begun, note=note)

    def _attempt(self, work: Callable[[], Result], otherwise: Result) -> Result:
        """The result of work; what goes wrong in it stops nobody, and is logged once of a kind."""
        try:
            return work()
        except Exception as error:
            self.warn(type(error).__name__, error)
            return otherwise


@dataclass(frozen=True, slots=True)
class KeptConversation:
    """A conversation whose messages the provider keeps: its id, or that of its last response.

    A new one continues nothing.
    """

    continues: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledCall:
    """What memory adds to a call of a model, and where its reply belongs."""

    blocks: tuple[PlacedBlock, ...] = ()
    begun: BegunCall = field(default_factory=BegunCall)
    found: FoundSession | None = None
    names: CallNames = field(default_factory=CallNames)
    asked: ModelRequest = field(default_factory=lambda: ModelRequest(messages=()))
    is_continued_by_id: bool = False

    def to_begun(self) -> dict[str, Any] | None:
        """What the turn was begun with, if its beginning could not be stored."""
        if self.begun.is_stored or self.found is None:
            return None
        messages = self.asked.messages
        places = find_new_places(messages, 0)
        history = None if self.asked.is_kept_by_provider else messages[: places[0]]
        text = [messages[each] for each in places]
        return {"session": self.found.name, "text": text, "history": history, **self.names.whose}


_NOTHING = RecalledCall()


class ModelCall:
    """One call of a model: send its `messages`, then `end` it with the reply.

    A call that is not ended leaves its turn open: a retry finds it, and so does the next call of a
    tool loop. What a person says next settles it.
    """

    def __init__(self, memory: CallMemory, messages: list[Any], call: RecalledCall) -> None:
        self.messages = messages
        """The messages to send, with blocks; those without stay the same objects."""
        self._memory = memory
        self._call = call

    @property
    def blocks(self) -> Sequence[PlacedBlock]:
        """The blocks, each with the place of the message that it follows."""
        return self._call.blocks

    @property
    def session(self) -> str | None:
        """The session of the call; None if memory was left out."""
        return None if self._call.found is None else self._call.found.name

    @property
    def receipt(self) -> Receipt | None:
        """What the turn that this call began did; None in the calls after it."""
        return self._call.begun.receipt

    def end(self, reply: Any) -> None:
        """Record the reply: a message, a response, or a text; one that calls tools is no end."""
        self._memory.record(self._call, self._memory._attempt(lambda: read_messages(reply), _LOST))  # noqa: SLF001

    async def aend(self, reply: Any) -> None:
        """`end` for async programs, in a thread."""
        await asyncio.to_thread(self.end, reply)

    def fail(self) -> None:
        """Say that the call failed and will not be tried again."""
        self._memory.give_up(self._call)

    async def afail(self) -> None:
        """`fail` for async programs, in a thread."""
        await asyncio.to_thread(self.fail)

    def stream(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Pass on the chunks of a reply, and record it at their end."""
        seen = ReplyChunks()
        for chunk in chunks:
            seen.add(chunk)
            yield chunk
        self.end(seen.to_message())

    async def astream(self, chunks: AsyncIterable[Chunk]) -> AsyncIterator[Chunk]:
        """`stream` for async programs."""
        seen = ReplyChunks()
        async for chunk in chunks:
            seen.add(chunk)
            yield chunk
        await self.aend(seen.to_message())


_LOST = ModelReply()
