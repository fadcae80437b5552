"""Claude Code."""

from tacit.integrations.hooks.clients import reading
from tacit.integrations.hooks.clients.client import Client, Raw, Reading, text_of
from tacit.integrations.workflows.trigger import Trigger

_OF_THE_MACHINE = "<task-notification>"
"""How a prompt begins that nobody wrote: a task in the background has ended."""


def _prompt(raw: Raw) -> tuple[Reading, ...]:
    prompt = text_of(raw, "prompt")
    if prompt.lstrip().startswith(_OF_THE_MACHINE):
        return ()
    return reading.asked(prompt, text_of(raw, "prompt_id"))


def _stop(raw: Raw) -> tuple[Reading, ...]:
    reply = text_of(raw, "last_assistant_message")
    return reading.replied(reply, turn=text_of(raw, "prompt_id"))


CLAUDE_CODE = Client(
    name="claude-code",
    events=("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"),
    readers={
        "SessionStart": reading.started,
        "UserPromptSubmit": _prompt,
        "Stop": _stop,
        "PreToolUse": reading.tool(Trigger.BEFORE_TOOL),
        "PostToolUse": reading.tool(Trigger.AFTER_TOOL),
        "PreCompact": reading.compacting,
        "SessionEnd": reading.ended,
    },
    takes_context=frozenset({"SessionStart", "UserPromptSubmit"}),
)
