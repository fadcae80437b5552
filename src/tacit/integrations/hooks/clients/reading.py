"""How events are read that most clients write alike."""

from pathlib import Path

from tacit.integrations.hooks.clients.client import Raw, Reader, Reading, text_of
from tacit.integrations.hooks.transcript import files_touched
from tacit.integrations.workflows.trigger import Trigger


def started(raw: Raw) -> tuple[Reading, ...]:
    """A session begins, or goes on with another history."""
    return (Reading(trigger=Trigger.SESSION_START, data={"source": text_of(raw, "source")}),)


def ended(raw: Raw) -> tuple[Reading, ...]:
    """A session is over."""
    return (Reading(trigger=Trigger.SESSION_END, data={"reason": text_of(raw, "reason")}),)


def asked(prompt: str, turn: str = "") -> tuple[Reading, ...]:
    """A person has written a prompt."""
    if not prompt.strip():
        return ()
    return (Reading(trigger=Trigger.BEFORE_AGENT, data={"prompt": prompt, "turn": turn}),)


def replied(reply: str, prompt: str = "", turn: str = "") -> tuple[Reading, ...]:
    """The agent has done its turn."""
    data = {"reply": reply, "prompt": prompt, "turn": turn, "interrupted": False}
    return (
        Reading(trigger=Trigger.AFTER_AGENT, data=data),
        Reading(trigger=Trigger.STOP, data=data),
    )


def compacting(raw: Raw) -> tuple[Reading, ...]:
    """A history is about to be cut."""
    path, folder = text_of(raw, "transcript_path"), text_of(raw, "cwd")
    files = files_touched(Path(path), Path(folder)) if path else ()
    data = {"trigger": text_of(raw, "trigger"), "files": list(files)}
    return (Reading(trigger=Trigger.PRE_COMPACT, data=data),)


def tool(trigger: Trigger) -> Reader:
    """Before or after a tool is used."""

    def read(raw: Raw) -> tuple[Reading, ...]:
        return (Reading(trigger=trigger, data={"tool": text_of(raw, "tool_name")}),)

    return read
