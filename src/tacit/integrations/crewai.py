"""Memory for crews and agents of CrewAI: `with memory.hooks(session=chat): crew.kickoff()`.

Blocks are in the messages of a call, and taken out of them when it is over.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory, ModelCall
from tacit.api.model_calls.names import CallNames

try:
    from crewai.agents.parser import AgentFinish, OutputParserError, parse
    from crewai.hooks.dispatch import InterceptionPoint, get_scoped_hooks, scoped_hooks
except ImportError as error:
    needed = "memory for CrewAI needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[crewai]'") from error

if TYPE_CHECKING:
    from crewai.hooks.llm_hooks import LLMCallHookContext

    from tacit.api.async_tacit import AsyncTacit

_ACTION = re.compile(r"^[ \t]*Action[ \t]*:", re.MULTILINE)


class TacitMemory:
    """Memory in the model calls of what runs inside its `hooks`."""

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

    @contextmanager
    def hooks(self, **names: str | None) -> Iterator[None]:
        """Give memory to what runs inside: a crew, an agent, or an LLM that is called directly.

        `names` are those of its calls: `session`, `user`, `project`, `org` and `agent`; what they
        leave out is named by `identify` around it, or by `TacitMemory`.
        """
        hooks = _Hooks(self._memory, self._memory.complete_names(**names))
        scope = {point: get_scoped_hooks(point) for point in InterceptionPoint}
        scope[InterceptionPoint.PRE_MODEL_CALL].append(hooks.before_llm_call)
        scope[InterceptionPoint.POST_MODEL_CALL].append(hooks.after_llm_call)
        with scoped_hooks(scope):
            yield


class _Hooks:
    """The hooks of one scope; they return nothing, so that every call goes on as it is."""

    def __init__(self, memory: CallMemory, names: CallNames) -> None:
        self._memory = memory
        self._names = names
        self._calls: list[tuple[list[Any], ModelCall]] = []
        self._originals: dict[int, tuple[Any, Any]] = {}
        self._begun: dict[int, tuple[Any, int]] = {}
        self._lock = Lock()

    def before_llm_call(self, context: "LLMCallHookContext") -> None:
        """Put blocks into the messages of a call."""
        messages = context.messages
        with self._lock:
            self._restore(messages)
        if _is_delegated(context):
            return
        begun = self._count_begun(context)
        seen = [_see(message, context.task, at < begun) for at, message in enumerate(messages)]
        call = self._memory.begin(
            seen, keeps_text=True, session=self._names.session, **self._names.whose
        )
        with self._lock:
            for place, own in enumerate(messages):
                if call.messages[place] is not seen[place]:
                    messages[place] = _append(own, call, place)
                    self._originals[id(messages[place])] = messages[place], own
            self._calls = [each for each in self._calls if each[0] is not messages]
            self._calls.append((messages, call))

    def after_llm_call(self, context: "LLMCallHookContext") -> None:
        """Take the blocks out again, and record the reply unless it calls a tool."""
        call = self._end(context.messages)
        reply = None if call is None else _read_answer(context.response or "")
        if call is not None and reply is not None:
            call.end(reply)

    def _count_begun(self, context: "LLMCallHookContext") -> int:
        """How many messages a run began with; what comes later in it is no person's word."""
        if context.executor is None:
            return len(context.messages)
        known = self._begun.get(id(context.executor))
        if known is None or known[0] is not context.executor or not context.iterations:
            known = context.executor, len(context.messages)
            self._begun[id(context.executor)] = known
        return known[1]

    def _end(self, messages: list[Any]) -> ModelCall | None:
        """The call that was begun with these messages, which are what they were before."""
        with self._lock:
            found = next((each for each in self._calls if each[0] is messages), None)
            found = found or next((each for each in self._calls if each[0] == messages), None)
            if found is not None:
                self._calls = [each for each in self._calls if each is not found]
                self._restore(found[0])
            self._restore(messages)
        return None if found is None else found[1]

    def _restore(self, messages: list[Any]) -> None:
        for place, message in enumerate(messages):
            if id(message) in self._originals:
                messages[place] = self._originals.pop(id(message))[1]


def _is_delegated(context: "LLMCallHookContext") -> bool:
    """Whether an agent gave the task, whose words are no person's."""
    tasks: list[Any] = getattr(context.crew, "tasks", None) or []
    return bool(tasks) and context.task is not None and all(t is not context.task for t in tasks)


def _see(message: Mapping[str, Any], task: Any, is_of_beginning: bool) -> Mapping[str, Any]:
    """A message as memory sees it: of a task's prompt only what the task says."""
    if message.get("role") != "user":
        return message
    if not is_of_beginning:
        return {**message, "role": "system"}
    content, said = message.get("content"), getattr(task, "description", None)
    is_prompt = isinstance(content, str) and said and said in content
    return {**message, "content": said} if is_prompt else message


def _append(own: Mapping[str, Any], call: ModelCall, place: int) -> dict[str, Any]:
    texts = [block.text for block in call.blocks if block.place == place]
    content = own.get("content")
    if isinstance(content, str):
        return {**own, "content": "\n\n".join((content, *texts))}
    parts = [{"type": "text", "text": text} for text in texts]
    return {**own, "content": [*(content if isinstance(content, list) else ()), *parts]}


def _read_answer(response: str) -> str | None:
    """What a response answers; None if it calls a tool by its text."""
    try:
        parsed = parse(response)
    except OutputParserError:
        return None if _ACTION.search(response) else response
    return str(parsed.output) if isinstance(parsed, AgentFinish) else None
