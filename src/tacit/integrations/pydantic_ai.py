"""Memory for agents of Pydantic-AI: `Agent(model, capabilities=[TacitMemory(tacit, user="ann")])`.

Blocks are in the request to the model and not in the messages of the run.
"""

from copy import copy
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory, ModelCall
from tacit.api.model_calls.names import current_names

try:
    from pydantic_ai import DeferredToolRequests
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelResponse, ToolCallPart
    from pydantic_core import to_json
except ImportError as error:
    needed = "memory for Pydantic-AI needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[pydantic-ai]'") from error

if TYPE_CHECKING:
    from pydantic_ai import AgentRunResult, RunContext
    from pydantic_ai.models import ModelRequestContext

    from tacit.api.async_tacit import AsyncTacit


class TacitMemory(AbstractCapability[Any]):
    """Memory in every call of an agent's model; the reply that ends a run is recorded.

    A run belongs to the session that is named here or by `identify`, or else to the
    conversation that Pydantic-AI names (`conversation_id`).
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
        super().__init__()
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        self._session = session
        self._call: ModelCall | None = None

    async def for_run(self, ctx: "RunContext[Any]") -> "TacitMemory":
        """A copy for each run, which knows the call that is under way."""
        del ctx
        return copy(self)

    async def before_model_request(
        self, ctx: "RunContext[Any]", request_context: "ModelRequestContext"
    ) -> "ModelRequestContext":
        """Put blocks into the messages of this request only."""
        is_named = bool(self._session or current_names().session)
        self._call = await self._memory.abegin(
            request_context.messages, session=None if is_named else ctx.conversation_id
        )
        request_context.messages = self._call.messages
        return request_context

    async def after_run(
        self, ctx: "RunContext[Any]", *, result: "AgentRunResult[Any]"
    ) -> "AgentRunResult[Any]":
        """Record the reply: the text of the last response, or the output that a tool call gave.

        Only now it is known which response the run has accepted.
        """
        del ctx
        if self._call is not None and not isinstance(result.output, DeferredToolRequests):
            await self._call.aend(_reply_of(result))
        return result


def _reply_of(result: "AgentRunResult[Any]") -> object:
    response = next(
        (each for each in reversed(result.all_messages()) if isinstance(each, ModelResponse)), None
    )
    if response is not None and not any(isinstance(each, ToolCallPart) for each in response.parts):
        return response
    if isinstance(result.output, str):
        return result.output
    try:
        return to_json(result.output, fallback=repr).decode()
    except ValueError:  # it refers to itself
        return repr(result.output)
