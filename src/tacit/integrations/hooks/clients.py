"""The supported coding CLIs: the events each one sends, and the output it accepts.

Transcripts belong to the clients and change without notice, so unexpected content is skipped.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.integrations.workflows.events import WorkflowTrigger
from tacit.runtime.files import open_regular_file

# The description of a client


RawEvent = Mapping[str, Any]
"""An event as the client writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientEvent:
    """One moment of a session, parsed from what a client wrote."""

    trigger: WorkflowTrigger
    data: Mapping[str, Any] = field(default_factory=dict)
    session: str = ""
    once: str | None = None
    """An identifier where the same event may be read again: it counts once per session."""


EventReader = Callable[[RawEvent], tuple[ClientEvent, ...]]
"""Reads one kind of event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodingClient:
    """A coding CLI: its events, how they are read, its timeouts and limits."""

    name: str
    events: tuple[str, ...]
    """The events that the installer registers."""
    readers: Mapping[str, EventReader]
    """The reader of each supported event."""
    takes_context: frozenset[str]
    """The events whose output reaches the model."""
    timeouts: Mapping[str, float] = field(default_factory=lambda: {"SessionEnd": 1.0})
    """Timeouts shorter than usual, since the client gives up earlier."""
    room: int = 9_000
    """How many characters the client passes on without cutting them."""
    confirms_compaction: bool = True
    """Whether the client reports a compaction afterwards."""

    @property
    def tool_events(self) -> tuple[str, ...]:
        """The events around tools, which the installer registers on request only."""
        return tuple(event for event in self.readers if event not in self.events)

    def read_events(self, raw: RawEvent) -> tuple[ClientEvent, ...]:
        """Parse an event; nothing if it is a subagent's, unknown or malformed."""
        reader = self.readers.get(text_field(raw, "hook_event_name"))
        session = text_field(raw, "session_id")
        if reader is None or not session or raw.get("agent_id"):
            return ()
        known = {"client": self.name, "confirms_compaction": self.confirms_compaction}
        return tuple(
            ClientEvent(
                trigger=each.trigger, session=session, data={**known, **each.data}, once=each.once
            )
            for each in reader(raw)
        )

    def format_output(self, raw: RawEvent, text: str, *, notice: str = "") -> str:
        """Format the output that gives the model a text, and the user a notice."""
        event = text_field(raw, "hook_event_name")
        if event not in self.takes_context:
            return ""
        answer: dict[str, Any] = {"systemMessage": f"Tacit: {notice}"} if notice else {}
        if text:
            answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
        return json.dumps(answer, ensure_ascii=False) if answer else ""

    def timeout_for(self, event: str) -> float:
        """How many seconds an event may take."""
        return self.timeouts.get(event, USUAL_TIMEOUT)


USUAL_TIMEOUT = 5.0


def text_field(raw: RawEvent, name: str) -> str:
    """A text field of an event; empty if it is missing or no text."""
    value = raw.get(name)
    return value if isinstance(value, str) else ""


# Transcripts of clients: files that tools touched, and compactions


_TAIL = 256 * 1024
_LONG_TAIL = 4 * 1024 * 1024
_MOST_FILES = 20
_ARGUMENTS = ("input", "args", "arguments")
_PATHS = ("file_path", "path", "notebook_path", "absolute_path")
_FILE_CONTENTS = frozenset(
    ("content", "contents", "new_string", "old_string", "new_source", "edits")
)
"""What stands in a file is not what a tool was asked to work on."""
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_REPLACED_HISTORY = b'{"$set":{"messages":'
_SUMMARY_START = "<state_snapshot>"
_SUMMARY_REPLY = "Got it. Thanks for the additional context!"


def find_touched_files(transcript: Path, folder: Path) -> tuple[str, ...]:
    """The files that tools touched last, the latest first."""
    found: dict[str, None] = {}
    for record in reversed(list(_read_records(transcript, _TAIL))):
        for path in reversed(list(_find_paths(record))):
            found.setdefault(_relative_path(path, folder))
    return tuple(found)[:_MOST_FILES]


def find_compaction(transcript: Path) -> str | None:
    """A digest of the last compaction in a Gemini CLI transcript, or None."""
    for line in reversed(_read_last_lines(transcript, _LONG_TAIL)):
        if line.startswith(_REPLACED_HISTORY):
            summary = _find_summary(_parse_json(line))
            return sha256(summary.encode()).hexdigest()[:16] if summary else None
    return None


def _find_summary(record: Any) -> str:
    """The summary that a compaction left."""
    try:
        messages = [
            (each["type"], _message_text(each["content"])) for each in record["$set"]["messages"]
        ]
    except (KeyError, TypeError):
        return ""
    following = [*messages[1:], ("", "")]
    for (kind, text), (_, next_text) in zip(messages, following, strict=True):
        if kind == "user" and (text.startswith(_SUMMARY_START) or next_text == _SUMMARY_REPLY):
            return text
    return ""


def _message_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content if isinstance(part, dict))


def _find_paths(value: Any, *, given: bool = False) -> Iterator[str]:
    """The paths in the arguments of tools, at any depth."""
    if isinstance(value, list):
        for each in value:
            yield from _find_paths(each, given=given)
    elif isinstance(value, str) and given:
        yield from _paths_in_text(value)
    elif isinstance(value, dict):
        for name, each in value.items():
            if given and name in _PATHS and isinstance(each, str):
                yield each
            elif not (given and name in _FILE_CONTENTS):
                yield from _find_paths(each, given=given or name in _ARGUMENTS)


def _paths_in_text(text: str) -> Iterator[str]:
    """The paths in an argument that is JSON text or a patch."""
    yield from _PATCHED.findall(text)
    if text.startswith("{"):
        yield from _find_paths(_parse_json(text), given=True)


def _relative_path(path: str, folder: Path) -> str:
    try:
        return str(Path(path).relative_to(folder))
    except ValueError:
        return path


def _read_records(path: Path, size: int) -> Iterator[Any]:
    for line in _read_last_lines(path, size):
        record = _parse_json(line) if line.lstrip()[:1] in (b"{", b"[") else None
        if record is not None:
            yield record


def _parse_json(line: bytes | str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _read_last_lines(path: Path, size: int) -> list[bytes]:
    """The last complete lines of a file."""
    try:
        with open_regular_file(path) as file:
            start = max(file.seek(0, 2) - size, 0)
            file.seek(start)
            lines = file.read(size).splitlines()
    except (OSError, ValueError):
        return []
    return lines[1:] if start else lines


# Readers of events that most clients write alike


def read_session_start(raw: RawEvent) -> tuple[ClientEvent, ...]:
    """Read the start of a session, or its restart with another history."""
    return (
        ClientEvent(
            trigger=WorkflowTrigger.SESSION_START, data={"source": text_field(raw, "source")}
        ),
    )


def read_session_end(raw: RawEvent) -> tuple[ClientEvent, ...]:
    """Read the end of a session."""
    return (
        ClientEvent(
            trigger=WorkflowTrigger.SESSION_END, data={"reason": text_field(raw, "reason")}
        ),
    )


def prompt_events(prompt: str, turn: str = "") -> tuple[ClientEvent, ...]:
    """The event of a prompt; none if it is empty."""
    if not prompt.strip():
        return ()
    return (
        ClientEvent(trigger=WorkflowTrigger.BEFORE_AGENT, data={"prompt": prompt, "turn": turn}),
    )


def reply_events(reply: str, prompt: str = "", turn: str = "") -> tuple[ClientEvent, ...]:
    """The events of a finished reply."""
    data = {"reply": reply, "prompt": prompt, "turn": turn, "interrupted": False}
    return (
        ClientEvent(trigger=WorkflowTrigger.AFTER_AGENT, data=data),
        ClientEvent(trigger=WorkflowTrigger.STOP, data=data),
    )


def read_pre_compact(raw: RawEvent) -> tuple[ClientEvent, ...]:
    """Read that a history is about to be compacted."""
    path, folder = text_field(raw, "transcript_path"), text_field(raw, "cwd")
    files = find_touched_files(Path(path), Path(folder)) if path else ()
    data = {"trigger": text_field(raw, "trigger"), "files": list(files)}
    return (ClientEvent(trigger=WorkflowTrigger.PRE_COMPACT, data=data),)


def tool_reader(trigger: WorkflowTrigger) -> EventReader:
    """A reader of the events before or after a tool runs."""

    def read(raw: RawEvent) -> tuple[ClientEvent, ...]:
        return (ClientEvent(trigger=trigger, data={"tool": text_field(raw, "tool_name")}),)

    return read


# Claude Code


_TASK_NOTIFICATION = "<task-notification>"
"""Start of a prompt that no person wrote: a background task has ended."""


def _read_claude_prompt(raw: RawEvent) -> tuple[ClientEvent, ...]:
    prompt = text_field(raw, "prompt")
    if prompt.lstrip().startswith(_TASK_NOTIFICATION):
        return ()
    return prompt_events(prompt, text_field(raw, "prompt_id"))


def _read_claude_stop(raw: RawEvent) -> tuple[ClientEvent, ...]:
    reply = text_field(raw, "last_assistant_message")
    return reply_events(reply, turn=text_field(raw, "prompt_id"))


CLAUDE_CODE = CodingClient(
    name="claude-code",
    events=("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"),
    readers={
        "SessionStart": read_session_start,
        "UserPromptSubmit": _read_claude_prompt,
        "Stop": _read_claude_stop,
        "PreToolUse": tool_reader(WorkflowTrigger.BEFORE_TOOL),
        "PostToolUse": tool_reader(WorkflowTrigger.AFTER_TOOL),
        "PreCompact": read_pre_compact,
        "SessionEnd": read_session_end,
    },
    takes_context=frozenset({"SessionStart", "UserPromptSubmit"}),
)


# Codex


def _read_codex_prompt(raw: RawEvent) -> tuple[ClientEvent, ...]:
    return prompt_events(text_field(raw, "prompt"), text_field(raw, "turn_id"))


def _read_codex_stop(raw: RawEvent) -> tuple[ClientEvent, ...]:
    return reply_events(text_field(raw, "last_assistant_message"), turn=text_field(raw, "turn_id"))


CODEX = CodingClient(
    name="codex",
    events=("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"),
    readers={
        "SessionStart": read_session_start,
        "UserPromptSubmit": _read_codex_prompt,
        "Stop": _read_codex_stop,
        "PreToolUse": tool_reader(WorkflowTrigger.BEFORE_TOOL),
        "PostToolUse": tool_reader(WorkflowTrigger.AFTER_TOOL),
        "PreCompact": read_pre_compact,
        "SessionEnd": read_session_end,
    },
    takes_context=frozenset({"SessionStart", "UserPromptSubmit"}),
)


# Gemini CLI: it announces that it may compact, and never confirms it; its transcript shows it


_HOOK_CONTEXT = re.compile(r"\A(?:\s*<hook_context>.*?</hook_context>)+\s*", re.DOTALL)
"""Context that hooks gave at the start of a session; it precedes the first prompt."""


def _read_gemini_prompt(raw: RawEvent) -> tuple[ClientEvent, ...]:
    prompt = prompt_events(_user_text(raw))
    path = text_field(raw, "transcript_path")
    mark = find_compaction(Path(path)) if prompt and path else None
    return prompt if mark is None else (*_compaction_events(raw, mark), *prompt)


def _compaction_events(raw: RawEvent, mark: str) -> tuple[ClientEvent, ...]:
    """The events of a compaction that the transcript shows."""
    before = read_pre_compact({**raw, "trigger": "auto"})
    after = read_session_start({"source": "compact"})
    return tuple(replace(each, once=mark) for each in (*before, *after))


def _read_gemini_stop(raw: RawEvent) -> tuple[ClientEvent, ...]:
    return reply_events(text_field(raw, "prompt_response"), prompt=_user_text(raw))


def _user_text(raw: RawEvent) -> str:
    return _HOOK_CONTEXT.sub("", text_field(raw, "prompt"))


GEMINI = CodingClient(
    name="gemini",
    events=("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"),
    readers={
        "SessionStart": read_session_start,
        "BeforeAgent": _read_gemini_prompt,
        "AfterAgent": _read_gemini_stop,
        "BeforeTool": tool_reader(WorkflowTrigger.BEFORE_TOOL),
        "AfterTool": tool_reader(WorkflowTrigger.AFTER_TOOL),
        "SessionEnd": read_session_end,
    },
    takes_context=frozenset({"SessionStart", "BeforeAgent"}),
)


CLIENTS: Mapping[str, CodingClient] = {each.name: each for each in (CLAUDE_CODE, CODEX, GEMINI)}
"""Every client by its name."""
