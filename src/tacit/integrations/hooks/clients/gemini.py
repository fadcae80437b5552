"""Gemini CLI.

It tells before every request that it may compact, and never that it has. Its own transcript does:
a compaction leaves a summary there, so it is noticed with the next prompt.
"""

import re
from dataclasses import replace
from pathlib import Path

from tacit.integrations.hooks.clients import reading
from tacit.integrations.hooks.clients.client import Client, Raw, Reading, text_of
from tacit.integrations.hooks.transcript import compaction
from tacit.integrations.workflows.trigger import Trigger

_CONTEXT = re.compile(r"\A(?:\s*<hook_context>.*?</hook_context>)+\s*", re.DOTALL)
"""What hooks gave at the start of the session; it stands before the first prompt."""


def _prompt(raw: Raw) -> tuple[Reading, ...]:
    prompt = reading.asked(_own_words(raw))
    path = text_of(raw, "transcript_path")
    mark = compaction(Path(path)) if prompt and path else None
    return prompt if mark is None else (*_compacted(raw, mark), *prompt)


def _compacted(raw: Raw, mark: str) -> tuple[Reading, ...]:
    """The history was cut since the last prompt, or some time before."""
    before = reading.compacting({**raw, "trigger": "auto"})
    after = reading.started({"source": "compact"})
    return tuple(replace(each, once=mark) for each in (*before, *after))


def _stop(raw: Raw) -> tuple[Reading, ...]:
    return reading.replied(text_of(raw, "prompt_response"), prompt=_own_words(raw))


def _own_words(raw: Raw) -> str:
    return _CONTEXT.sub("", text_of(raw, "prompt"))


GEMINI = Client(
    name="gemini",
    events=("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"),
    readers={
        "SessionStart": reading.started,
        "BeforeAgent": _prompt,
        "AfterAgent": _stop,
        "BeforeTool": reading.tool(Trigger.BEFORE_TOOL),
        "AfterTool": reading.tool(Trigger.AFTER_TOOL),
        "SessionEnd": reading.ended,
    },
    takes_context=frozenset({"SessionStart", "BeforeAgent"}),
)
