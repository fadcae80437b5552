"""Handles one event of a coding CLI, from what the client wrote to what it should read.

An event has one or more moments. Each runs the workflows of its trigger; a prompt begins a turn,
and the reply commits it. `HookState` carries what the next event of the session needs.
"""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self
from weakref import WeakValueDictionary

from tacit.api.tacit import Tacit
from tacit.core.errors import NotFound
from tacit.core.json_value import JsonValue
from tacit.core.open_turn import NotRecorded
from tacit.integrations.hooks.client_instructions import read_instructions
from tacit.integrations.hooks.clients import CLIENTS, ClientEvent, CodingClient
from tacit.integrations.hooks.daemon_client import describe_error
from tacit.integrations.hooks.folder_workers import event_folder, remember_root, run_folder_work
from tacit.integrations.hooks.project import FolderProject, find_project
from tacit.integrations.hooks.prompt_spooler import spool_prompt
from tacit.integrations.workflows.events import WorkflowEvent, WorkflowTrigger
from tacit.integrations.workflows.library import Lifecycle, WorkflowLibrary
from tacit.integrations.workflows.runner import WorkflowOutcome, project_note, run_workflows
from tacit.language.redaction.redact import redact_start
from tacit.runtime.prompt_spool import MOST_PROMPTS, PromptSpool, SpooledPrompt
from tacit.runtime.workers import Deadline

# State kept between the events of a session


STATE_VARIABLE = "tacit.host"
"""The session variable that holds the state; workflows cannot set such a name."""

_MOST_EXCHANGES = 3
_LONGEST_TEXT = 2_000
_MOST_MARKS = 20
_MOST_RECEIVED = 2 * MOST_PROMPTS
"""Each prompt that waits may have a reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookState(JsonValue):
    """What the next event of a session needs: the open turn, the last exchanges, shown lines."""

    turn: str | None = None
    prompt: str = ""
    exchanges: tuple[tuple[str, str], ...] = ()
    """The last prompts and replies, as context for the next prompt."""
    shown: tuple[str, ...] = ()
    """Lines that were put into the history outside of any turn."""
    marks: tuple[str, ...] = ()
    """Events and notices that were handled and must not be repeated."""
    received: tuple[str, ...] = ()
    """The ids of the last prompts and replies, so that none that comes again is recorded twice."""

    @classmethod
    def from_variables(cls, variables: Mapping[str, Any]) -> Self:
        """Read the state from a session's variables; malformed parts count as absent."""
        kept = variables.get(STATE_VARIABLE)
        if not isinstance(kept, Mapping):
            return cls()
        turn = kept.get("turn")
        return cls(
            turn=turn if isinstance(turn, str) else None,
            prompt=str(kept.get("prompt") or ""),
            exchanges=tuple(
                (str(each[0]), str(each[1]))
                for each in _as_list(kept.get("exchanges"))
                if isinstance(each, list) and len(each) == 2
            ),
            shown=tuple(map(str, _as_list(kept.get("shown")))),
            marks=tuple(map(str, _as_list(kept.get("marks")))),
            received=tuple(map(str, _as_list(kept.get("received")))),
        )

    def with_prompt(self, turn: str, prompt: str) -> Self:
        """The state after a prompt began a turn."""
        return replace(self, turn=turn, prompt=redact_start(prompt, _LONGEST_TEXT).text)

    def with_received(self, id: str) -> Self:
        """The state after the event with this id was handled, or the prompt that it left behind."""
        return replace(self, received=(*self.received, id)[-_MOST_RECEIVED:])

    def with_reply(self, reply: str) -> Self:
        """The state after the reply ended the turn."""
        exchange = (self.prompt, redact_start(reply, _LONGEST_TEXT).text)
        return replace(
            self, turn=None, prompt="", exchanges=(*self.exchanges, exchange)[-_MOST_EXCHANGES:]
        )

    def without_turn(self) -> Self:
        """The state after the turn was abandoned; its prompt is dropped too."""
        return replace(self, turn=None, prompt="")

    def after_clear(self, shown: Sequence[str]) -> Self:
        """The state after the client cleared its history and shows only these lines."""
        return replace(self.without_turn(), exchanges=(), shown=tuple(shown))

    def with_shown(self, shown: Sequence[str]) -> Self:
        """The state after the history restarted with these lines."""
        return replace(self, shown=tuple(shown))

    def with_mark(self, mark: str) -> Self:
        """The state after something happened that the client may report again."""
        return replace(self, marks=(*self.marks, mark)[-_MOST_MARKS:])

    @property
    def messages(self) -> tuple[Mapping[str, str], ...]:
        """The last exchanges as messages."""
        return tuple(
            {"role": role, "content": text}
            for exchange in self.exchanges
            for role, text in zip(("user", "assistant"), exchange, strict=True)
            if text
        )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# Handling of one event


_log = logging.getLogger("tacit.hooks")

_GAP = "\n\n"
_SHARE_FOR_FILES = 0.25
"""The share of the time for the client's own files; without them memory only repeats more."""
_RECORDED_ONCE = (WorkflowTrigger.BEFORE_AGENT, WorkflowTrigger.STOP)
"""Prompts and replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSource:
    """Where an event comes from: client, session, project, folder and user."""

    client: CodingClient
    session: str
    project: FolderProject
    folder: Path
    settings_folder: Path | None = None
    """The folder of the client's settings, if it is not the usual one."""
    user: str | None = None


@dataclass(slots=True)
class EventHandler:
    """Handles the moments of one event; a prompt begins a turn, and the reply ends it."""

    tacit: Tacit
    source: EventSource
    lifecycle: Lifecycle
    deadline: Deadline
    state: HookState
    texts: list[str] = field(default_factory=list)
    notice: str = ""
    """A notice for the user, where the client shows one."""
    learns: bool = False
    _before: HookState = field(init=False)
    _instructions: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Keep the state from before the event."""
        self._before = self.state

    @property
    def text(self) -> str:
        """Everything to inject."""
        return _GAP.join(self.texts)

    def handle_once(self, id: str, events: Sequence[ClientEvent]) -> bool:
        """Handle the moments of an event and save the state; False if it was recorded before.

        That is so where its hook had given up, and the prompt that it kept was recorded first.
        """
        if id and id in self.state.received:
            return False
        for event in events:
            self.handle(event)
        if id and any(each.trigger in _RECORDED_ONCE for each in events):
            self.state = self.state.with_received(id)
        self.save_state()
        return True

    def handle(self, event: ClientEvent) -> None:
        """Handle one moment of the event."""
        if event.once is not None:
            if event.once in self._before.marks:
                return
            self.state = self.state.with_mark(event.once)
        match event.trigger:
            case WorkflowTrigger.BEFORE_AGENT:
                self._begin_turn(event.data)
            case WorkflowTrigger.STOP:
                self._run_workflows(WorkflowTrigger.STOP, event.data)
                self._end_turn(str(event.data.get("reply") or ""))
            case WorkflowTrigger.SESSION_START:
                self._start_session(event.data)
            case WorkflowTrigger.SESSION_END:
                self._end_interrupted_turn()
                self._run_workflows(WorkflowTrigger.SESSION_END, event.data)
            case trigger:
                self._run_workflows(trigger, event.data)

    def save_state(self) -> None:
        """Store the state if it changed."""
        if self.state != self._before:
            kept = {STATE_VARIABLE: self.state.to_dict()}
            self.deadline.run(lambda: self.tacit.sessions.set_variables(self.source.session, kept))
            self._before = self.state

    def record_waiting(self, spool: PromptSpool, *, is_over: bool = False) -> None:
        """Begin the turns of the session's prompts that were not taken in time, without memory.

        The reply to the last one may still come, unless it `is_over`.
        """
        for each in spool.prompts(self.tacit.workspace.name, self.source.session):
            if spool.has(each) and each.id not in self.state.received:
                self._record_late(each)
                if is_over:
                    self._end_interrupted_turn()
                self.save_state()
            spool.remove(each)

    def _record_late(self, waiting: SpooledPrompt) -> None:
        self._end_interrupted_turn()
        milliseconds = max(round(1_000 * self.deadline.seconds), 1)
        turn = self._begin_silent_turn(waiting.prompt, deadline_ms=milliseconds)
        note = f"{LATE_PROMPT}: {waiting.cause}"
        if not self.deadline.run(lambda: self.tacit.turns.note(turn, note)):
            self.tacit.turns.roll_back(turn)
            raise TimeoutError
        self.state = self.state.with_prompt(turn, waiting.prompt).with_received(waiting.id)

    def _begin_turn(self, data: Mapping[str, Any]) -> None:
        """Begin the turn of a prompt, with memory if a workflow recalls it."""
        self._end_interrupted_turn()
        outcome = self._run_workflows(WorkflowTrigger.BEFORE_AGENT, data)
        prompt = str(data.get("prompt") or "")
        turn = outcome.turn or self._begin_silent_turn(prompt)
        if outcome.project_files:
            self.tacit.turns.note(turn, project_note(outcome))
        self.state = self.state.with_prompt(turn, prompt)

    def _begin_silent_turn(self, prompt: str, **settings: Any) -> str:
        turn = self.tacit.turn(
            session=self.source.session,
            text=prompt,
            history=None,
            agent=self.source.client.name,
            user=self.source.user,
            project=self.source.project.id,
            enabled=False,
            **settings,
        )
        return turn.receipt.id

    def _end_interrupted_turn(self) -> None:
        """End the turn that still waits for its reply: the user interrupted it."""
        if self.state.turn is None:
            return
        data = {"prompt": self.state.prompt, "reply": "", "interrupted": True}
        for trigger in (WorkflowTrigger.AFTER_AGENT, WorkflowTrigger.STOP):
            self._run_workflows(trigger, {**data, "client": self.source.client.name})
        self._end_turn("")

    def _end_turn(self, reply: str) -> None:
        """Commit the turn; learn from it if a workflow asked for that."""
        if self.state.turn is None:
            return
        turn, learns, self.learns = self.state.turn, self.learns, False
        reason: NotRecorded | None = None
        try:
            reason = self.tacit.commit_turn(turn, reply, learn=learns).not_recorded
        except NotFound as error:
            _log.info("a turn had ended before its reply: %s", error)
        self.state = self.state.with_reply(reply) if reason is None else self.state.without_turn()

    def _start_session(self, data: Mapping[str, Any]) -> None:
        outcome = self._run_workflows(WorkflowTrigger.SESSION_START, data)
        self._notify_ignored_files()
        lines = [line for line in outcome.own_context.splitlines() if line.strip()]
        if data.get("source") == "clear":
            if self.state.turn is not None:
                self.tacit.turns.roll_back(self.state.turn)
            self.state = self.state.after_clear(lines)
        elif data.get("source") == "compact":
            self.state = self.state.with_shown(lines)
        elif lines:
            self.state = self.state.with_shown([*self.state.shown, *lines])

    def _notify_ignored_files(self) -> None:
        """Tell the user once per session that files of the project are ignored."""
        files = [each.file for each in self.lifecycle.ignored]
        mark = f"ignored {sha256(' '.join(files).encode()).hexdigest()[:16]}"
        if files and mark not in self._before.marks:
            self.state = self.state.with_mark(mark)
            number = "1 workflow" if len(files) == 1 else f"{len(files)} workflows"
            told = f"{number} of this project ignored until you agree"
            self.notice = f"{told}; to see what it would do: tacit trust"

    def _run_workflows(self, trigger: WorkflowTrigger, data: Mapping[str, Any]) -> WorkflowOutcome:
        outcome = run_workflows(
            self._workflow_event(trigger, data), self.lifecycle, self.tacit, deadline=self.deadline
        )
        self.learns = self.learns or outcome.learns
        if outcome.context:
            self.texts.append(outcome.context)
        return outcome

    def _workflow_event(self, trigger: WorkflowTrigger, data: Mapping[str, Any]) -> WorkflowEvent:
        source = self.source
        used = sum(len(text) + len(_GAP) for text in self.texts)
        return WorkflowEvent(
            trigger=trigger,
            session=source.session,
            agent=source.client.name,
            user=source.user,
            project=source.project.id,
            folder=source.project.root,
            data=data,
            context=self.state.messages,
            shown=(*self._client_instructions(), *self.state.shown),
            room=max(source.client.room - used, 0),
        )

    def _client_instructions(self) -> tuple[str, ...]:
        """The instructions that the client shows; none if its files take too long to read."""
        if self._instructions is None:
            source, limit = self.source, Deadline(_SHARE_FOR_FILES * self.deadline.seconds)
            try:
                self._instructions = run_folder_work(
                    limit,
                    source.project.root,
                    "instructions",
                    lambda: read_instructions(
                        source.client.name, source.folder, Path.home(), source.settings_folder
                    ),
                )
            except TimeoutError:
                _log.warning("the files that the client shows take too long to read: passed over")
                self._instructions = ()
        return self._instructions


# Entry point for the daemon and the hook process


_SHARE_OF_TIMEOUT = 0.8
"""Our share of the client's timeout; the rest is for the way there and back."""


LATE_PROMPT = "this prompt got no memory and was recorded later"
"""The start of the note in the receipt of a prompt that was not taken in time."""

_RECORDING_SECONDS = 30.0
_session_locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
_locks_guard = threading.Lock()


def handle_event(
    tacit: Tacit, client: str, body: Mapping[str, Any], spool: PromptSpool | None = None
) -> str:
    """Return what the client should print; nothing if memory has nothing relevant or fails.

    A prompt that fails is kept in the spool, and those of its session that wait there come first.
    """
    known, raw = CLIENTS.get(client), body.get("event")
    if known is None or not isinstance(raw, Mapping):
        return ""
    try:
        events = known.read_events(raw)
        return _handle_events(tacit, known, raw, events, body, spool) if events else ""
    except Exception as error:  # the prompt goes on, whatever happens to memory
        cause = f"an event of {client} was left alone: {describe_error(error)}"
        _log.warning("%s", cause)
        if spool is not None:
            spool_prompt(spool, client, body, cause)
        return ""


def record_waiting_prompts(tacit: Tacit, spool: PromptSpool, waiting: SpooledPrompt) -> None:
    """Record the waiting prompts of a session, as turns whose reply nobody knows."""
    deadline, client = Deadline(_RECORDING_SECONDS), CLIENTS[waiting.client]
    body = {"user": waiting.user, "cwd": waiting.folder}
    with _session_turn(waiting.session, deadline):
        handler = _make_handler(tacit, client, waiting.session, {}, body, deadline, spool)
        if handler is not None:
            handler.record_waiting(spool, is_over=True)


def _handle_events(
    tacit: Tacit,
    client: CodingClient,
    raw: Mapping[str, Any],
    events: tuple[ClientEvent, ...],
    body: Mapping[str, Any],
    spool: PromptSpool | None,
) -> str:
    deadline = Deadline(_SHARE_OF_TIMEOUT * _client_timeout(client, raw, body))
    session = events[0].session
    with _session_turn(session, deadline):
        handler = _make_handler(tacit, client, session, raw, body, deadline, spool)
        if handler is None:
            return ""
        if spool is not None:
            handler.record_waiting(spool)
        if not handler.handle_once(str(body.get("id") or ""), events):
            return ""
    begins = any(each.trigger is WorkflowTrigger.SESSION_START for each in events)
    notices = (handler.source.project.notice if begins else "", handler.notice)
    return client.format_output(raw, handler.text, notice="\n".join(filter(None, notices)))


@contextmanager
def _session_turn(session: str, deadline: Deadline) -> Iterator[None]:
    """Let the events of a session be handled one after the other."""
    with _locks_guard:
        lock = _session_locks.setdefault(session, threading.Lock())
    if not lock.acquire(timeout=deadline.seconds):
        raise TimeoutError
    try:
        yield
    finally:
        lock.release()


def _make_handler(
    tacit: Tacit,
    client: CodingClient,
    session: str,
    raw: Mapping[str, Any],
    body: Mapping[str, Any],
    deadline: Deadline,
    spool: PromptSpool | None,
) -> EventHandler | None:
    """The handler of a session's events; None if the session or its project is paused."""
    folder = event_folder(raw, body)
    project = run_folder_work(deadline, folder, "git", lambda: find_project(tacit, folder))
    remember_root(folder, project.root)
    source = _event_source(client, session, project, folder, body)
    is_paused = deadline.run(lambda: tacit.sessions.is_paused(session=session, project=project.id))
    if spool is not None:
        spool.mark_paused(tacit.workspace.name, session, is_paused=is_paused)
    if is_paused:
        return None
    state = HookState.from_variables(deadline.run(lambda: tacit.sessions.variables(session)))
    root = project.root
    lifecycle = run_folder_work(deadline, root, "workflows", lambda: _library().lifecycle(root))
    return EventHandler(tacit, source, lifecycle, deadline, state)


def _event_source(
    client: CodingClient,
    session: str,
    project: FolderProject,
    folder: Path,
    body: Mapping[str, Any],
) -> EventSource:
    settings_folder = body.get("settings_folder")
    user = body.get("user")
    return EventSource(
        client=client,
        session=session,
        project=project,
        folder=folder,
        settings_folder=Path(settings_folder)
        if isinstance(settings_folder, str) and settings_folder
        else None,
        user=user if isinstance(user, str) and user else None,
    )


def _client_timeout(client: CodingClient, raw: Mapping[str, Any], body: Mapping[str, Any]) -> float:
    """How many seconds the client waits, by its hook or by our description."""
    match body.get("seconds"):
        case int() | float() as seconds if seconds > 0:
            return float(seconds)
        case _:
            return client.timeout_for(str(raw.get("hook_event_name")))


@cache
def _library() -> WorkflowLibrary:
    """One library per process; it reads files again only when they have changed."""
    return WorkflowLibrary()
