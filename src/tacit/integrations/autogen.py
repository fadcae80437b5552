"""Memory for agents of AutoGen: `AssistantAgent(…, model_context=TacitContext(tacit, user="ann"))`.

The context keeps messages without blocks, and gives them to the model with blocks. `TacitMemory`
does what AutoGen's protocol of memories allows.
"""

import asyncio
from collections.abc import Mapping
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.backend import find_backend
from tacit.api.model_calls.fingerprint import name_new_conversation
from tacit.api.model_calls.memory import CallMemory, ModelCall
from tacit.core.errors import InvalidInput
from tacit.core.messages import to_compact_text

try:
    from autogen_core import Image
    from autogen_core.memory import (
        Memory,
        MemoryContent,
        MemoryMimeType,
        MemoryQueryResult,
        UpdateContextResult,
    )
    from autogen_core.model_context import ChatCompletionContext, UnboundedChatCompletionContext
    from autogen_core.models import (
        AssistantMessage,
        FunctionExecutionResultMessage,
        LLMMessage,
        UserMessage,
    )
    from pydantic import BaseModel
except ImportError as error:
    needed = "memory for AutoGen needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[autogen]'") from error

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit

_SOURCE = "memory"
_MOST_FOUND = 10


class TacitContext(ChatCompletionContext):
    """The model context of one agent and conversation: its messages, with blocks for the model.

    The messages are kept by another context, with its limits. What a person says comes from
    `person`; what other agents of a team say is nobody's word.
    """

    component_config_schema = BaseModel

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        messages: ChatCompletionContext | None = None,
        person: str = "user",
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> None:
        super().__init__()
        self.messages = messages or UnboundedChatCompletionContext()
        """Keeps the messages, without blocks."""
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        self._person = person
        self._call: ModelCall | None = None

    async def get_messages(self) -> list[LLMMessage]:
        """The messages for the model, with blocks."""
        kept = await self.messages.get_messages()
        self._call = await self._memory.abegin([_see(each, self._person) for each in kept])
        return [_append(each, self._call, place) for place, each in enumerate(kept)]

    async def add_message(self, message: LLMMessage) -> None:
        """Keep a message; a reply that calls no tool ends the turn."""
        await self.messages.add_message(message)
        if self._call is not None and isinstance(message, AssistantMessage):
            await self._call.aend(_see(message, self._person))

    async def clear(self) -> None:
        """Forget the messages of this conversation; what was learned stays."""
        self._call = None
        await self.messages.clear()

    async def save_state(self) -> Mapping[str, Any]:
        """The messages, without blocks."""
        state: Mapping[str, Any] = await self.messages.save_state()
        return state

    async def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on with messages that were saved."""
        self._call = None
        await self.messages.load_state(state)


def _see(message: LLMMessage, person: str) -> dict[str, Any]:
    """A message in the usual shape."""
    if isinstance(message, FunctionExecutionResultMessage):
        ids = [each.call_id for each in message.content]
        text = "\n".join(each.content for each in message.content)
        return {"role": "tool", "tool_call_id": ids[0] if ids else "", "content": text}
    if isinstance(message, AssistantMessage) and not isinstance(message.content, str):
        calls = [
            {"id": each.id, "function": {"name": each.name, "arguments": each.arguments}}
            for each in message.content
        ]
        return {"role": "assistant", "content": message.thought or "", "tool_calls": calls}
    if isinstance(message, UserMessage):
        role = "user" if message.source == person else "system"
        parts = [message.content] if isinstance(message.content, str) else message.content
        return {"role": role, "content": [_see_part(each) for each in parts]}
    role = "assistant" if isinstance(message, AssistantMessage) else "system"
    return {"role": role, "content": message.content}


def _see_part(part: object) -> dict[str, Any]:
    return {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"}


def _append(message: LLMMessage, call: ModelCall, place: int) -> LLMMessage:
    """A copy of a message with the blocks that belong to it."""
    texts = [block.text for block in call.blocks if block.place == place]
    if not texts:
        return message
    twin = copy(message)
    twin.content = (
        "\n\n".join((twin.content, *texts))
        if isinstance(twin.content, str)
        else [*twin.content, *texts]
    )
    return twin


class TacitMemory(Memory):
    """The memory of one conversation in AutoGen's protocol: `memory=[TacitMemory(tacit)]`.

    AutoGen keeps what a memory adds to a context, so each block comes once and stays; it tells a
    memory no reply, so the reply is recorded when the conversation goes on or the memory is closed.
    """

    component_config_schema = BaseModel

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        person: str = "user",
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> None:
        self._tacit: BaseTacit = find_backend(tacit)
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        self._person = person
        self._unnamed = name_new_conversation()
        self._call: ModelCall | None = None
        self._context: ChatCompletionContext | None = None
        self._blocks: list[str] = []

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Add a block for what a person said last, once; a `TacitContext` does so by itself."""
        if isinstance(model_context, TacitContext):
            return UpdateContextResult(memories=MemoryQueryResult(results=[]))
        await self._record()
        kept = await model_context.get_messages()
        said = _find_said(kept, self._person)
        if said:
            self._context = model_context
            self._call = await self._begin(kept, said)
        added = [] if self._call is None else [block.text for block in self._call.blocks]
        for text in added:
            await model_context.add_message(UserMessage(content=text, source=_SOURCE))
        self._blocks += added
        found = [MemoryContent(content=text, mime_type=MemoryMimeType.TEXT) for text in added]
        return UpdateContextResult(memories=MemoryQueryResult(results=found))

    async def query(
        self,
        query: str | MemoryContent = "",
        cancellation_token: Any = None,
        **kwargs: Any,
    ) -> MemoryQueryResult:
        """The memories that answer a query, the best first."""
        del cancellation_token, kwargs
        text, names = _text_of(query), self._memory.complete_names().whose
        search = partial(self._tacit.search, text, max_results=_MOST_FOUND, **names)
        found = await asyncio.to_thread(search)
        return MemoryQueryResult(
            results=[
                MemoryContent(
                    content=hit.memory.content,
                    mime_type=MemoryMimeType.TEXT,
                    metadata={"id": hit.memory.id, "score": hit.score},
                )
                for hit in found.hits
            ]
        )

    async def add(self, content: MemoryContent, cancellation_token: Any = None) -> None:
        """Remember a text: for the user, if one is named."""
        del cancellation_token
        user = self._memory.complete_names().user
        remember = partial(self._tacit.remember, _text_of(content), user=user)
        await asyncio.to_thread(remember)

    async def clear(self) -> None:
        """Forget this conversation; what was learned stays, and is erased by `tacit.erase`."""
        self._call, self._context, self._blocks = None, None, []
        self._unnamed = name_new_conversation()

    async def close(self) -> None:
        """Record the last reply."""
        await self._record()

    async def _begin(self, kept: list[LLMMessage], said: list[str]) -> ModelCall:
        names = self._memory.complete_names()
        session = names.session or self._unnamed
        texts = {each.content for each in kept if isinstance(each.content, str)}
        if not texts.issuperset(self._blocks):  # the context has dropped some
            self._blocks = [text for text in self._blocks if text in texts]
            await asyncio.to_thread(self._memory.show_again, session)
        seen = [_see(each, self._person) for each in kept]
        return await self._memory.abegin_kept(
            "\n".join(said),
            context=seen[: -len(said)],
            session=session,
            **names.whose,
        )

    async def _record(self) -> None:
        """Record the reply that the context has meanwhile, if it has one."""
        call, context, self._call = self._call, self._context, None
        if call is None or context is None:
            return
        kept = await context.get_messages()
        last = next((each for each in reversed(kept) if isinstance(each, AssistantMessage)), None)
        reply = last.content if last is not None and isinstance(last.content, str) else ""
        await call.aend(reply)


def _find_said(kept: list[LLMMessage], person: str) -> list[str]:
    """What a person said last, behind every reply."""
    said: list[str] = []
    for message in reversed(kept):
        if not isinstance(message, UserMessage) or message.source != person:
            break
        parts = [message.content] if isinstance(message.content, str) else message.content
        said.append("\n".join(part for part in parts if isinstance(part, str)))
    return said[::-1]


def _text_of(content: str | MemoryContent) -> str:
    held = content if isinstance(content, str) else content.content
    if isinstance(held, bytes | Image):
        raise InvalidInput("content", "is no text; a memory is a text or a dict")
    return to_compact_text(held)
