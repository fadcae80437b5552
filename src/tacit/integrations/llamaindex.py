"""Memory for agents and chat engines of LlamaIndex: `memory=TacitMemory.of(tacit, user="ann")`.

It stands before a chat memory of LlamaIndex, which keeps the messages without blocks.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory, ModelCall

try:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.bridge.pydantic import Field, PrivateAttr, SerializeAsAny
    from llama_index.core.memory import BaseMemory, ChatMemoryBuffer
except ImportError as error:
    needed = "memory for LlamaIndex needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[llamaindex]'") from error

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit


class TacitMemory(BaseMemory):
    """The memory of one conversation: its messages, with blocks where they are read for a model."""

    messages: SerializeAsAny[BaseMemory] = Field(description="Keeps the messages, without blocks.")
    _memory: CallMemory = PrivateAttr()
    _call: ModelCall | None = PrivateAttr(default=None)

    @classmethod
    def class_name(cls) -> str:
        """The name of the class in what LlamaIndex writes down."""
        return "TacitMemory"

    @classmethod
    def from_defaults(cls, **kwargs: Any) -> "TacitMemory":
        """A memory of the given arguments: those of `of`."""
        return cls.of(**kwargs)

    @classmethod
    def of(
        cls,
        tacit: "BaseTacit | AsyncTacit",
        *,
        messages: BaseMemory | None = None,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> "TacitMemory":
        """A memory that keeps its messages in another, which is a `ChatMemoryBuffer` by default."""
        memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        found = cls(messages=messages or ChatMemoryBuffer.from_defaults())
        found._memory = memory
        return found

    def get(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:  # noqa: A002
        """The messages for a model, with blocks."""
        kept = self.messages.get(input=input, **kwargs)
        self._call = self._memory.begin(kept)
        return self._call.messages

    async def aget(
        self,
        input: str | None = None,  # noqa: A002
        **kwargs: Any,
    ) -> list[ChatMessage]:
        """`get` for async programs."""
        kept = await self.messages.aget(input=input, **kwargs)
        self._call = await self._memory.abegin(kept)
        return self._call.messages

    def get_all(self) -> list[ChatMessage]:
        """All messages, without blocks."""
        kept: list[ChatMessage] = self.messages.get_all()
        return kept

    async def aget_all(self) -> list[ChatMessage]:
        """`get_all` for async programs."""
        kept: list[ChatMessage] = await self.messages.aget_all()
        return kept

    def put(self, message: ChatMessage) -> None:
        """Keep a message; a reply that calls no tool ends the turn."""
        self.messages.put(message)
        self._record(message)

    async def aput(self, message: ChatMessage) -> None:
        """`put` for async programs."""
        await self.messages.aput(message)
        await asyncio.to_thread(self._record, message)

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        """Keep messages in their order."""
        for each in messages:
            await self.aput(each)

    def set(self, messages: list[ChatMessage]) -> None:
        """Keep these messages instead of those before."""
        self.messages.set(messages)

    async def aset(self, messages: list[ChatMessage]) -> None:
        """`set` for async programs."""
        await self.messages.aset(messages)

    def reset(self) -> None:
        """Forget the messages of this conversation; what was learned stays."""
        self._call = None
        self.messages.reset()

    async def areset(self) -> None:
        """`reset` for async programs."""
        self._call = None
        await self.messages.areset()

    def _record(self, message: ChatMessage) -> None:
        if self._call is not None and message.role == MessageRole.ASSISTANT:
            self._call.end(_read_answer(message))


def _read_answer(message: ChatMessage) -> object:
    """What a message answers: of what a ReAct agent keeps only its answer, not how it got there."""
    text = message.content or ""
    if not text.startswith("Thought:"):
        return message
    last_step = text.rpartition("\nThought:")[2]
    return last_step.partition("\nAnswer:")[2].strip() or message
