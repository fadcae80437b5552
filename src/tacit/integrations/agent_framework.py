"""Memory for agents of Microsoft's Agent Framework: `context_providers=[TacitProvider(tacit)]`.

Blocks are in the request to the model and not in the history of a session.
"""

from collections.abc import Awaitable, Callable, Iterable
from copy import copy
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory, ModelCall
from tacit.api.model_calls.names import current_names

try:
    from agent_framework import (
        ChatContext,
        ChatMiddleware,
        ChatResponse,
        Content,
        ContextProvider,
        Message,
    )
except ImportError as error:
    needed = "memory for Microsoft's Agent Framework needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[agent-framework]'") from error

if TYPE_CHECKING:
    from agent_framework import AgentSession, SessionContext

    from tacit.api.async_tacit import AsyncTacit


class TacitProvider(ContextProvider):
    """Memory in every call of an agent's model; the reply that calls no tool is recorded.

    A run belongs to the session that is named here or by `identify`, or else to the
    session of the framework. It has no memory where the service keeps the conversation.
    """

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> None:
        super().__init__("tacit")
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        self._session = session

    async def before_run(
        self, *, agent: Any, session: "AgentSession", context: "SessionContext", state: Any
    ) -> None:
        """Let the model calls of this run have memory."""
        del agent, state
        if context.service_session_id is not None:
            return
        is_named = bool(self._session or current_names().session)
        name = None if is_named else session.session_id
        context.extend_middleware(self.source_id, _MemoryOfRun(self._memory, name))


class _MemoryOfRun(ChatMiddleware):
    """Puts blocks into each request of a run, and records the replies."""

    def __init__(self, memory: CallMemory, session: str | None) -> None:
        self._memory = memory
        self._session = session

    async def process(self, context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """Call the model with memory."""
        seen = [_to_dict(each) for each in context.messages]
        call = await self._memory.abegin(seen, session=self._session)
        context.messages = _place(context, call)

        async def record(response: ChatResponse) -> ChatResponse:
            contents = (part for message in response.messages for part in message.contents)
            await call.aend(_to_dict(Message("assistant", list(contents))))
            return response

        if context.stream:
            context.stream_result_hooks = [*context.stream_result_hooks, record]
        await call_next()
        if isinstance(context.result, ChatResponse):
            await record(context.result)


def _place(context: ChatContext, call: ModelCall) -> list[Message]:
    """The messages with blocks; the framework is told which of them stand for others."""
    placed = list(context.messages)
    for block in call.blocks:
        own = placed[block.place]
        twin = copy(own)
        twin.contents = [*own.contents, Content.from_text(block.text)]
        placed[block.place] = context.record_message_replacement(twin, own)
    return placed


def _to_dict(message: Message) -> dict[str, Any]:
    """A message in the usual shape."""
    found: dict[str, Any] = {
        "role": str(message.role),
        "content": [_to_part(each) for each in message.contents],
    }
    calls = _calls_in(message.contents)
    if calls:
        found["tool_calls"] = calls
    answers = [each.call_id for each in message.contents if each.type == "function_result"]
    if answers:
        found.update(role="tool", tool_call_id=answers[0])
    return found


def _to_part(content: Content) -> dict[str, Any]:
    if content.type == "text":
        return {"type": "text", "text": content.text}
    if content.type == "function_result":
        return {"type": "text", "text": str(content.result)}
    return {"type": content.type}


def _calls_in(contents: Iterable[Content]) -> list[dict[str, Any]]:
    return [
        {
            "id": each.call_id,
            "type": "function",
            "function": {"name": each.name, "arguments": each.arguments},
        }
        for each in contents
        if each.type == "function_call"
    ]
