"""Memory for agents of LangChain: `create_agent(…, middleware=[TacitMiddleware(tacit)])`.

Blocks are in the request to the model and not in the state of the agent, so no checkpoint has them.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory
from tacit.api.model_calls.names import current_names

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
except ImportError as error:
    needed = "memory for LangChain needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[langchain]'") from error

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit

_NAMES = ("user", "project", "org", "agent", "session")
_USER_ID = "user_id"
"""What the user is called in the contexts of many programs."""


class TacitMiddleware(AgentMiddleware[Any, Any, Any]):
    """Memory in every call of an agent's model; the reply that ends a run is recorded.

    What the runtime context names (`user` or `user_id`, `project`, `org`, `agent`, `session`)
    counts before `identify`, and that before what is named here. The thread is the
    session where none is named. With `keeps_text` a message that is a text stays one, for models
    that take no list of parts.
    """

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        user: str | None = None,
        session: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
        keeps_text: bool = False,
    ) -> None:
        super().__init__()
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        self._has_session = session is not None
        self._keeps_text = keeps_text

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Call the model with memory."""
        call = self._memory.begin(
            request.messages, keeps_text=self._keeps_text, **self._names(request)
        )
        response = handler(request.override(messages=call.messages))
        call.end(_reply_of(response))
        return response

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Call the model with memory, in an async program."""
        call = await self._memory.abegin(
            request.messages, keeps_text=self._keeps_text, **self._names(request)
        )
        response = await handler(request.override(messages=call.messages))
        await call.aend(_reply_of(response))
        return response

    def _names(self, request: ModelRequest[Any]) -> dict[str, Any]:
        """Whose a call is, by the context of the run and its thread."""
        runtime = request.runtime
        named = _read_context(getattr(runtime, "context", None))
        if self._has_session or current_names().session is not None:
            return named
        execution = getattr(runtime, "execution_info", None)
        thread = getattr(execution, "thread_id", None)
        return {"session": None if thread is None else str(thread), **named}


def _read_context(context: object) -> dict[str, Any]:
    """The names in the context of a run, which is an object or a mapping."""

    values = context if isinstance(context, Mapping) else getattr(context, "__dict__", {})

    def field(name: str) -> str | None:
        value = values.get(name)
        return value if isinstance(value, str) else None

    found = {name: field(name) for name in _NAMES}
    found["user"] = found["user"] or field(_USER_ID)
    return {name: value for name, value in found.items() if value is not None}


def _reply_of(response: ModelResponse[Any]) -> object:
    """What the model replied; a structured answer is no call of a tool that goes on."""
    if response.structured_response is None:
        return response.result
    return response.result[-1].text
