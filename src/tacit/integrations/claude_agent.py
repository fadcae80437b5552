"""Memory for the Claude Agent SDK: `query(prompt=text, options=memory.options(options))`.

Blocks are context that a hook adds to a prompt. Claude Code keeps them in its own transcript, so
each comes once, and again after a compaction.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tacit.api.base import BaseTacit
from tacit.api.model_calls.memory import CallMemory, ModelCall
from tacit.api.model_calls.names import CallNames

try:
    from claude_agent_sdk import ClaudeAgentOptions, HookMatcher
except ImportError as error:
    needed = "memory for the Claude Agent SDK needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[claude-agent]'") from error

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit

_MOST_EXCHANGES = 3
_MOST_CHARACTERS = 9_000
"""Claude Code replaces context of more than 10,000 characters by the name of a file."""


class TacitMemory:
    """Memory in every prompt of conversations that are given its `options`."""

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
        self, options: ClaudeAgentOptions | None = None, **names: str | None
    ) -> ClaudeAgentOptions:
        """The options of a client or a query, with the hooks of memory behind those they have.

        `names` are those of its conversations: `session`, `user`, `project`, `org` and `agent`;
        what they leave out is named by `identify` around this call, or by `TacitMemory`.
        """
        given = options or ClaudeAgentOptions()
        hooks = _Hooks(self._memory, self._memory.complete_names(**names))
        merged = dict(given.hooks or {})
        for event, hook in hooks.by_event.items():
            merged[event] = [*merged.get(event, ()), HookMatcher(hooks=[hook])]
        return replace(given, hooks=merged)


@dataclass(slots=True)
class _Conversation:
    """What a conversation has told its hooks: the open call, and the last exchanges."""

    exchanges: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=_MOST_EXCHANGES))
    prompt: str = ""
    call: ModelCall | None = None
    is_compacted: bool = False

    @property
    def messages(self) -> list[dict[str, str]]:
        return [
            {"role": role, "content": text}
            for exchange in self.exchanges
            for role, text in zip(("user", "assistant"), exchange, strict=True)
            if text
        ]

    def end(self, reply: str) -> None:
        """End the open call, if there is one; the same reply may be reported again."""
        if self.call is not None:
            self.call.end(reply)
            self.exchanges.append((self.prompt, reply))
            self.call = None


class _Hooks:
    """The hooks of one client or query; a conversation is known by the id of its session."""

    def __init__(self, memory: CallMemory, names: CallNames) -> None:
        self._memory = memory
        self._names = names
        self._conversations: dict[str, _Conversation] = {}
        self.by_event: dict[Any, Any] = {
            "UserPromptSubmit": self._on_prompt,
            "PreCompact": self._on_compaction,
            "Stop": self._on_stop,
        }

    async def _on_prompt(self, event: Mapping[str, Any], *_: object) -> dict[str, Any]:
        """Begin the turn of a prompt; what memory adds becomes context of the prompt."""
        block = await asyncio.to_thread(self._begin, event)
        if not block:
            return {}
        told = {"hookEventName": "UserPromptSubmit", "additionalContext": block}
        return {"hookSpecificOutput": told}

    async def _on_compaction(self, event: Mapping[str, Any], *_: object) -> dict[str, Any]:
        """Let memories come again: the transcript loses the blocks that it has."""
        await asyncio.to_thread(self._compact, event)
        return {}

    async def _on_stop(self, event: Mapping[str, Any], *_: object) -> dict[str, Any]:
        """Record the reply; one that is not told is left to the next prompt."""
        reply = event.get("last_assistant_message")
        if isinstance(reply, str):
            await asyncio.to_thread(self._conversation(event).end, reply)
        return {}

    def _begin(self, event: Mapping[str, Any]) -> str:
        found, prompt = self._conversation(event), str(event.get("prompt") or "")
        found.end("")  # it was interrupted, and stays in the transcript with its block
        if found.is_compacted:
            self._memory.show_again(self._session(event))
            found.is_compacted = False
        found.call = self._memory.begin_kept(
            prompt,
            context=found.messages,
            most_characters=_MOST_CHARACTERS,
            session=self._session(event),
            **self._names.whose,
        )
        found.prompt = prompt
        return "\n\n".join(block.text for block in found.call.blocks)

    def _compact(self, event: Mapping[str, Any]) -> None:
        found = self._conversation(event)
        self._memory.show_again(self._session(event))
        found.is_compacted = found.call is not None  # its end notes once more what it has shown

    def _session(self, event: Mapping[str, Any]) -> str:
        return self._names.session or str(event.get("session_id"))

    def _conversation(self, event: Mapping[str, Any]) -> _Conversation:
        return self._conversations.setdefault(str(event.get("session_id")), _Conversation())
