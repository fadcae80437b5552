"""Codex."""

from tacit.integrations.hooks.clients import reading
from tacit.integrations.hooks.clients.client import Client, Raw, Reading, text_of
from tacit.integrations.workflows.trigger import Trigger


def _prompt(raw: Raw) -> tuple[Reading, ...]:
    return reading.asked(text_of(raw, "prompt"), text_of(raw, "turn_id"))


def _stop(raw: Raw) -> tuple[Reading, ...]:
    return reading.replied(text_of(raw, "last_assistant_message"), turn=text_of(raw, "turn_id"))


CODEX = Client(
    name="codex",
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
