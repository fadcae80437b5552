"""Memory for OpenAI's Agents SDK: `Runner.run(agent, text, **memory.options(session=chat))`.

Blocks are in the input of the model and not in what a run returns or a session of the SDK keeps.
"""

import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory, KeptConversation, ModelCall

try:
    from agents import RunConfig, RunHooks
    from agents.run_config import CallModelData, ModelInputData
except ImportError as error:
    needed = "memory for OpenAI Agents needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[openai-agents]'") from error

if TYPE_CHECKING:
    from agents import Agent, ModelResponse
    from agents.memory import Session

    from tacit.api.async_tacit import AsyncTacit


class TacitMemory:
    """Memory in every model call of runs that are given its `options`."""

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
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )

    def options(
        self,
        *,
        session: "Session | str | None" = None,
        run_config: RunConfig | None = None,
        hooks: "RunHooks[Any] | None" = None,
        conversation_id: str | None = None,
        previous_response_id: str | None = None,
        auto_previous_response_id: bool = False,
        **names: str | None,
    ) -> dict[str, Any]:
        """The arguments of one run: its configuration and hooks, yours among them.

        A session of the SDK is passed on, and its id names the session in memory; a text only
        names it. `names` are those of this run: `user`, `project`, `org` and `agent`. The ids of a
        conversation that the provider keeps are given here and passed on.
        """
        is_id = session is None or isinstance(session, str)
        name = session if is_id else session.session_id  # type: ignore[union-attr]
        config = run_config or RunConfig()
        kept = {
            "conversation_id": conversation_id,
            "previous_response_id": previous_response_id,
            "auto_previous_response_id": auto_previous_response_id,
        }
        told: dict[str, Any] = {name: value for name, value in kept.items() if value}
        continued = conversation_id or previous_response_id
        run = _MemoryOfRun(
            self._memory,
            {**names, "session": name},
            config,
            hooks or RunHooks(),
            KeptConversation(continued) if told else None,
            follows_responses=conversation_id is None,
        )
        if not is_id:
            told["session"] = session
        filtered = dataclasses.replace(config, call_model_input_filter=run.place)
        return {**told, "run_config": filtered, "hooks": run}


_PASSED_ON = ("on_llm_start", "on_handoff", "on_tool_start", "on_tool_end")


class _MemoryOfRun(RunHooks[Any]):
    """The filter and the hooks of one run, with those of the program.

    Agents that are run by tools inherit the configuration but not the hooks: nobody speaks with
    them, so memory stays out of their calls.
    """

    def __init__(
        self,
        memory: CallMemory,
        names: dict[str, Any],
        config: RunConfig,
        own: "RunHooks[Any]",
        kept: KeptConversation | None,
        *,
        follows_responses: bool,
    ) -> None:
        self._memory = memory
        self._kept = kept
        self._follows_responses = follows_responses
        self._names = names
        self._filter = config.call_model_input_filter
        self._own = own
        self._agents: list[object] = []
        self._call: ModelCall | None = None
        self._calls_tools = False
        for name in _PASSED_ON:
            setattr(self, name, getattr(own, name))

    async def place(self, data: "CallModelData[Any]") -> ModelInputData:
        """Put blocks into the input of a model call, behind what the program's filter left."""
        asked = data.model_data
        if self._filter is not None:
            filtered = self._filter(data)
            asked = await filtered if inspect.isawaitable(filtered) else filtered
        if not any(each is data.agent for each in self._agents):
            return asked
        self._call = await self._memory.abegin(
            asked.input, items=True, kept=self._kept, **self._names
        )
        return dataclasses.replace(asked, input=self._call.messages)

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        """Note an agent that is part of this run."""
        self._agents.append(agent)
        await self._own.on_agent_start(context, agent)

    async def on_llm_end(
        self, context: Any, agent: "Agent[Any]", response: "ModelResponse"
    ) -> None:
        """Record a reply; one that calls tools leaves the turn open."""
        if self._call is not None:
            self._calls_tools = any(each.type == "function_call" for each in response.output)
            await self._call.aend(response)
        if self._kept is not None and self._follows_responses and response.response_id:
            self._kept = KeptConversation(response.response_id)
        await self._own.on_llm_end(context, agent, response)

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        """Record what a tool said, if that is what the run ends with."""
        if self._call is not None and self._calls_tools:
            await self._call.aend(str(output))
        await self._own.on_agent_end(context, agent, output)
