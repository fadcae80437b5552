"""Handles one event of a coding CLI, from what the client wrote to what it should read.

An event has one or more moments. Each runs the workflows of its trigger; a prompt begins a turn,
and the reply commits it. `HookState` carries what the next event of the session needs.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from tacit.api.tacit import Tacit
from tacit.core.errors import NotFound
from tacit.core.open_turn import NotRecorded
from tacit.integrations.hooks.client_instructions import read_instructions
from tacit.integrations.hooks.clients import CLIENTS, ClientEvent, CodingClient
from tacit.integrations.hooks.daemon_client import describe_error
from tacit.integrations.hooks.folder_workers import event_folder, remember_root, run_folder_work
from tacit.integrations.hooks.project import FolderProject, find_project
from tacit.integrations.workflows.events import WorkflowEvent, WorkflowTrigger
from tacit.integrations.workflows.library import Lifecycle, WorkflowLibrary
from tacit.integrations.workflows.runner import WorkflowOutcome, project_note, run_workflows
from tacit.language.redaction.redact import redact_start
from tacit.runtime.workers import Deadline

# What is kept about a client's session from one event to the next.


STATE_VARIABLE = "tacit.host"
"""The session's variable that holds it; workflows cannot set one with such a name."""

_MOST_EXCHANGES = 3
_LONGEST_TEXT = 2_000
_MOST_MARKS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HookState:
    """The turn that waits for its end, what was said last, and what else the client shows."""

    turn: str | None = None
    prompt: str = ""
    exchanges: tuple[tuple[str, str], ...] = ()
    """The last prompts and replies, as far as they help to understand the next prompt."""
    shown: tuple[str, ...] = ()
    """Lines that were put into the history outside of any turn."""
    marks: tuple[str, ...] = ()
    """What happened and need not be told again."""

    @classmethod
    def of(cls, variables: Mapping[str, Any]) -> Self:
        """What a session's variables hold; what is not as expected counts as nothing."""
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
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)

    def asked(self, turn: str, prompt: str) -> Self:
        """Once a prompt has begun a turn."""
        return replace(self, turn=turn, prompt=redact_start(prompt, _LONGEST_TEXT).text)

    def replied(self, reply: str) -> Self:
        """Once the turn is over."""
        exchange = (self.prompt, redact_start(reply, _LONGEST_TEXT).text)
        return replace(
            self, turn=None, prompt="", exchanges=(*self.exchanges, exchange)[-_MOST_EXCHANGES:]
        )

    def abandoned(self) -> Self:
        """Once the turn was abandoned: what was asked in it is not kept either."""
        return replace(self, turn=None, prompt="")

    def cleared(self, shown: Sequence[str]) -> Self:
        """Once the client cleared its history and shows only these lines."""
        return replace(self.abandoned(), exchanges=(), shown=tuple(shown))

    def begun_anew(self, shown: Sequence[str]) -> Self:
        """Once the history began anew with these lines."""
        return replace(self, shown=tuple(shown))

    def marked(self, mark: str) -> Self:
        """Once something happened that may be told again."""
        return replace(self, marks=(*self.marks, mark)[-_MOST_MARKS:])

    @property
    def messages(self) -> tuple[Mapping[str, str], ...]:
        """What was said last, as messages."""
        return tuple(
            {"role": role, "content": text}
            for exchange in self.exchanges
            for role, text in zip(("user", "assistant"), exchange, strict=True)
            if text
        )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# The course of one event of a client: its moments, what workflows do then, and the turn.


_log = logging.getLogger("tacit.hooks")

_GAP = "\n\n"
_SHARE_FOR_FILES = 0.25
"""So much of the time is for the client's own files, without which memory only repeats more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSource:
    """Who speaks with which client, and where."""

    client: CodingClient
    session: str
    project: FolderProject
    folder: Path
    own: Path | None = None
    """Where the client's settings are, if not in their usual folder."""

    user: str | None = None


@dataclass(slots=True)
class EventHandler:
    """One event on its way; every prompt is a turn, which ends with the reply."""

    tacit: Tacit
    place: EventSource
    lifecycle: Lifecycle
    deadline: Deadline
    memo: HookState
    texts: list[str] = field(default_factory=list)
    notice: str = ""
    """What the user is to be told, where the client shows that."""
    learns: bool = False
    _before: HookState = field(init=False)
    _shown: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Remember what was known before."""
        self._before = self.memo

    @property
    def text(self) -> str:
        """All that the model is to be told."""
        return _GAP.join(self.texts)

    def take(self, reading: ClientEvent) -> None:
        """One moment of the event."""
        if reading.once is not None:
            if reading.once in self._before.marks:
                return
            self.memo = self.memo.marked(reading.once)
        match reading.trigger:
            case WorkflowTrigger.BEFORE_AGENT:
                self._ask(reading.data)
            case WorkflowTrigger.STOP:
                self._run(WorkflowTrigger.STOP, reading.data)
                self._end(str(reading.data.get("reply") or ""))
            case WorkflowTrigger.SESSION_START:
                self._start(reading.data)
            case WorkflowTrigger.SESSION_END:
                self._settle()
                self._run(WorkflowTrigger.SESSION_END, reading.data)
            case trigger:
                self._run(trigger, reading.data)

    def keep(self) -> None:
        """Write down what the next event has to know."""
        if self.memo != self._before:
            kept = {STATE_VARIABLE: self.memo.to_dict()}
            self.deadline.run(lambda: self.tacit.set_variables(self.place.session, kept))

    def _ask(self, data: Mapping[str, Any]) -> None:
        """A prompt begins a turn, with memory if a workflow wants that."""
        self._settle()
        outcome = self._run(WorkflowTrigger.BEFORE_AGENT, data)
        prompt = str(data.get("prompt") or "")
        turn = outcome.turn or self._silent_turn(prompt)
        if outcome.project_files:
            self.tacit.note_turn(turn, project_note(outcome))
        self.memo = self.memo.asked(turn, prompt)

    def _silent_turn(self, prompt: str) -> str:
        turn = self.tacit.turn(
            session=self.place.session,
            text=prompt,
            history=None,
            agent=self.place.client.name,
            user=self.place.user,
            project=self.place.project.id,
            enabled=False,
        )
        return turn.receipt.id

    def _settle(self) -> None:
        """A turn that waits for a reply gets none any more: somebody interrupted it."""
        if self.memo.turn is None:
            return
        data = {"prompt": self.memo.prompt, "reply": "", "interrupted": True}
        for trigger in (WorkflowTrigger.AFTER_AGENT, WorkflowTrigger.STOP):
            self._run(trigger, {**data, "client": self.place.client.name})
        self._end("")

    def _end(self, reply: str) -> None:
        """The turn is over; it is learned from if a workflow said so."""
        if self.memo.turn is None:
            return
        turn, learns, self.learns = self.memo.turn, self.learns, False
        reason: NotRecorded | None = None
        try:
            reason = self.tacit.commit_turn(turn, reply, learn=learns).not_recorded
        except NotFound as error:
            _log.info("a turn had ended before its reply: %s", error)
        self.memo = self.memo.replied(reply) if reason is None else self.memo.abandoned()

    def _start(self, data: Mapping[str, Any]) -> None:
        outcome = self._run(WorkflowTrigger.SESSION_START, data)
        self._name_ignored()
        lines = [line for line in outcome.own_context.splitlines() if line.strip()]
        if data.get("source") == "clear":
            if self.memo.turn is not None:
                self.tacit.roll_back_turn(self.memo.turn)
            self.memo = self.memo.cleared(lines)
        elif data.get("source") == "compact":
            self.memo = self.memo.begun_anew(lines)
        elif lines:
            self.memo = self.memo.begun_anew([*self.memo.shown, *lines])

    def _name_ignored(self) -> None:
        """Tell the user once in a session which files of the project do nothing yet."""
        files = [each.file for each in self.lifecycle.ignored]
        mark = f"ignored {sha256(' '.join(files).encode()).hexdigest()[:16]}"
        if files and mark not in self._before.marks:
            self.memo = self.memo.marked(mark)
            number = "1 workflow" if len(files) == 1 else f"{len(files)} workflows"
            told = f"{number} of this project ignored until you agree"
            self.notice = f"{told}; to see what it would do: tacit trust"

    def _run(self, trigger: WorkflowTrigger, data: Mapping[str, Any]) -> WorkflowOutcome:
        outcome = run_workflows(
            self._event(trigger, data), self.lifecycle, self.tacit, deadline=self.deadline
        )
        self.learns = self.learns or outcome.learns
        if outcome.context:
            self.texts.append(outcome.context)
        return outcome

    def _event(self, trigger: WorkflowTrigger, data: Mapping[str, Any]) -> WorkflowEvent:
        place = self.place
        used = sum(len(text) + len(_GAP) for text in self.texts)
        return WorkflowEvent(
            trigger=trigger,
            session=place.session,
            agent=place.client.name,
            user=place.user,
            project=place.project.id,
            folder=place.project.root,
            data=data,
            context=self.memo.messages,
            shown=(*self._shown_by_client(), *self.memo.shown),
            room=max(place.client.room - used, 0),
        )

    def _shown_by_client(self) -> tuple[str, ...]:
        """What the client shows without us; nothing where its files take too long to read."""
        if self._shown is None:
            place, limit = self.place, Deadline(_SHARE_FOR_FILES * self.deadline.seconds)
            try:
                self._shown = run_folder_work(
                    limit,
                    place.project.root,
                    "instructions",
                    lambda: read_instructions(
                        place.client.name, place.folder, Path.home(), place.own
                    ),
                )
            except TimeoutError:
                _log.warning("the files that the client shows take too long to read: passed over")
                self._shown = ()
        return self._shown


# An event of a coding CLI, from what the client wrote to what it should read.


_SHARE_OF_TIMEOUT = 0.8
"""So much of a client's patience is ours; the rest is for the way there and back."""


def handle_event(tacit: Tacit, client: str, body: Mapping[str, Any]) -> str:
    """What a client should print for an event, nothing where memory has nothing to say or fails."""
    known, raw = CLIENTS.get(client), body.get("event")
    if known is None or not isinstance(raw, Mapping):
        return ""
    try:
        readings = known.read(raw)
        return _handle_events(tacit, known, raw, readings, body) if readings else ""
    except Exception as error:  # the prompt goes on, whatever happens to memory
        _log.warning("an event of %s was left alone: %s", client, describe_error(error))
        return ""


def _handle_events(
    tacit: Tacit,
    client: CodingClient,
    raw: Mapping[str, Any],
    readings: tuple[ClientEvent, ...],
    body: Mapping[str, Any],
) -> str:
    deadline = Deadline(_SHARE_OF_TIMEOUT * _client_timeout(client, raw, body))
    folder = event_folder(raw, body)
    project = run_folder_work(deadline, folder, "git", lambda: find_project(tacit, folder))
    remember_root(folder, project.root)
    place = _event_source(client, readings[0].session, project, folder, body)
    if deadline.run(lambda: tacit.is_paused(session=place.session, project=place.project.id)):
        return ""
    memo = HookState.of(deadline.run(lambda: tacit.variables(place.session)))
    root = project.root
    lifecycle = run_folder_work(deadline, root, "workflows", lambda: _library().lifecycle(root))
    course = EventHandler(tacit, place, lifecycle, deadline, memo)
    for reading in readings:
        course.take(reading)
    course.keep()
    begins = any(each.trigger is WorkflowTrigger.SESSION_START for each in readings)
    notices = (project.notice if begins else "", course.notice)
    return client.answer(raw, course.text, notice="\n".join(filter(None, notices)))


def _event_source(
    client: CodingClient,
    session: str,
    project: FolderProject,
    folder: Path,
    body: Mapping[str, Any],
) -> EventSource:
    own = body.get("settings_folder")
    user = body.get("user")
    return EventSource(
        client=client,
        session=session,
        project=project,
        folder=folder,
        own=Path(own) if isinstance(own, str) and own else None,
        user=user if isinstance(user, str) and user else None,
    )


def _client_timeout(client: CodingClient, raw: Mapping[str, Any], body: Mapping[str, Any]) -> float:
    """How many seconds the client waits, as its hook says, else as we know it."""
    match body.get("seconds"):
        case int() | float() as seconds if seconds > 0:
            return float(seconds)
        case _:
            return client.time_for(str(raw.get("hook_event_name")))


@cache
def _library() -> WorkflowLibrary:
    """One for the process: it reads files again only when they have changed."""
    return WorkflowLibrary()
