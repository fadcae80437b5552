"""Memory for Google's Agent Development Kit: `App(…, plugins=[TacitPlugin(tacit)])`.

Blocks are in the request to the model and not in the events of a session. `TacitMemoryService`
is what the kit's own tools for memory (`load_memory`) search.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.backend import find_backend
from tacit.api.model_calls.memory import CallMemory, ModelCall
from tacit.api.model_calls.names import current_names

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.plugins.base_plugin import BasePlugin
    from google.genai.types import Content, Part
except ImportError as error:
    needed = "memory for Google ADK needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[google-adk]'") from error

if TYPE_CHECKING:
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.events.event import Event
    from google.adk.models.llm_request import LlmRequest
    from google.adk.sessions.session import Session
    from google.adk.tools.base_tool import BaseTool

    from tacit.api.async_tacit import AsyncTacit

_asking_tool: ContextVar[str | None] = ContextVar("tacit_adk_invocation", default=None)
"""The invocation whose tool is at work: agents that it runs are asked by nobody in person."""

_RUNNING_AT_MOST = 1_000
_FOUND_AT_MOST = 10


class TacitPlugin(BasePlugin):
    """Memory in the model calls of every agent of an application.

    A call belongs to the user and the session of the kit, unless others are named here or by
    `identify`.
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
        super().__init__(name="tacit")
        self._memory = CallMemory(
            tacit, session=session, user=user, project=project, org=org, agent=agent
        )
        self._session = session
        self._user = user
        self._calls: dict[str, ModelCall] = {}

    async def before_model_callback(
        self, *, callback_context: "CallbackContext", llm_request: "LlmRequest"
    ) -> None:
        """Put blocks into the contents of this request."""
        invocation = callback_context.invocation_id
        if _asking_tool.get() not in (None, invocation):
            return
        asked = llm_request.contents
        seen = [_to_note(each) if _is_of_an_agent(each) else each for each in asked]
        call = await self._memory.abegin(seen, **self._names(callback_context))
        llm_request.contents = [
            own if placed is note else placed
            for own, note, placed in zip(asked, seen, call.messages, strict=True)
        ]
        while len(self._calls) >= _RUNNING_AT_MOST:  # runs that nobody followed to their end
            self._calls.pop(next(iter(self._calls)), None)
        self._calls[invocation] = call

    async def on_event_callback(
        self, *, invocation_context: "InvocationContext", event: "Event"
    ) -> None:
        """Record the final response of a run."""
        if event.content is None or not event.is_final_response():
            return
        call = self._calls.pop(invocation_context.invocation_id, None)
        if call is not None:
            await call.aend(event.content)

    async def after_run_callback(self, *, invocation_context: "InvocationContext") -> None:
        """Forget a run that is over."""
        self._calls.pop(invocation_context.invocation_id, None)

    async def before_tool_callback(
        self, *, tool: "BaseTool", tool_args: dict[str, Any], tool_context: "CallbackContext"
    ) -> None:
        """Note that what follows is the work of a tool."""
        del tool, tool_args
        if _asking_tool.get() is None:
            _asking_tool.set(tool_context.invocation_id)

    async def after_tool_callback(self, *, tool_context: "CallbackContext", **told: Any) -> None:
        """Note that the tool is done."""
        del told
        if _asking_tool.get() == tool_context.invocation_id:
            _asking_tool.set(None)

    async def on_tool_error_callback(self, *, tool_context: "CallbackContext", **told: Any) -> None:
        """Note that the tool is done."""
        await self.after_tool_callback(tool_context=tool_context, **told)

    def _names(self, context: "CallbackContext") -> dict[str, Any]:
        """The user and the session of the kit, where nothing else is named."""
        named = current_names()
        return {
            "session": None if self._session or named.session else context.session.id,
            "user": None if self._user or named.user else context.user_id,
        }


_OF_AN_AGENT = "For context:"


def _is_of_an_agent(content: Content) -> bool:
    """Whether it is what the kit tells an agent of another, in the role of the user."""
    parts = content.parts or [Part()]
    return content.role == "user" and (parts[0].text or "").startswith(_OF_AN_AGENT)


def _to_note(content: Content) -> dict[str, str]:
    """What stands for such a content: it is nobody's word."""
    return {"role": "system", "content": _text_of(content)}


def _text_of(content: Content | None) -> str:
    parts = (content.parts or ()) if content is not None else ()
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _to_entry(id: str, text: str, at: datetime) -> MemoryEntry:
    content = Content(role="user", parts=[Part(text=text)])
    return MemoryEntry(id=id, content=content, timestamp=at.isoformat())


class TacitMemoryService(BaseMemoryService):
    """The memory service of an application: `Runner(…, memory_service=TacitMemoryService(tacit))`.

    Users are those of the kit. Sessions may be added as often as one likes, and what the plugin
    has recorded is not recorded again.
    """

    def __init__(self, tacit: "BaseTacit | AsyncTacit") -> None:
        self._tacit: BaseTacit = find_backend(tacit)
        self._memory = CallMemory(tacit)

    async def add_session_to_memory(self, session: "Session") -> None:
        """Record the turns of a session that are not recorded yet."""
        await asyncio.to_thread(self._record, session.user_id, session.id, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: "Sequence[Event]",
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Record the turns in some events."""
        del app_name, custom_metadata
        await asyncio.to_thread(self._record, user_id, session_id, events)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remember texts for a user."""
        del app_name, custom_metadata
        for each in memories:
            await asyncio.to_thread(self._tacit.remember, _text_of(each.content), scope_id=user_id)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """What is known to a user about a query: memories, and what was said."""
        del app_name
        found = await asyncio.to_thread(
            self._tacit.search, query, user=user_id, episodes=True, max_results=_FOUND_AT_MOST
        )
        hits, told = found.hits, found.episodes
        known = [
            _to_entry(hit.memory.id, hit.memory.content, hit.memory.created_at) for hit in hits
        ]
        said = [_to_entry(hit.episode.id, hit.episode.text, hit.episode.at) for hit in told]
        return SearchMemoryResponse(memories=[*known, *said][:_FOUND_AT_MOST])

    def _record(self, user: str, session: str | None, events: "Sequence[Event]") -> None:
        """Record what a person said and was replied, but for the turns that the session has."""
        last = self._tacit.turns.list(session=session, limit=1) if session is not None else ()
        known = last[0].turn if last else 0
        history: list[Content] = []
        is_asked = False
        for event in events:
            if event.content is None or not event.content.parts or event.partial:
                continue
            if event.author == "user":
                is_asked = is_asked or bool(_text_of(event.content))
            elif is_asked and event.is_final_response():
                is_asked = False
                known -= 1
                if known < 0:
                    self._memory.begin(history, user=user, session=session).end(event.content)
            history.append(event.content)
