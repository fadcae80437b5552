"""The course of one event of a client: its moments, what workflows do then, and the turn."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import NotFound
from tacit.core.open_turn import NotRecorded
from tacit.integrations.hooks.clients.client import Client, Reading
from tacit.integrations.hooks.folder_work import folder_work
from tacit.integrations.hooks.memo import NAME, Memo
from tacit.integrations.hooks.project import Project
from tacit.integrations.hooks.shown import shown_by
from tacit.integrations.workflows.event import Event
from tacit.integrations.workflows.library import Lifecycle
from tacit.integrations.workflows.outcome import Outcome, project_note
from tacit.integrations.workflows.runner import run
from tacit.integrations.workflows.trigger import Trigger
from tacit.runtime.deadline import Deadline

_log = logging.getLogger("tacit.hooks")

_GAP = "\n\n"
_SHARE_FOR_FILES = 0.25
"""So much of the time is for the client's own files, without which memory only repeats more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Who speaks with which client, and where."""

    client: Client
    session: str
    project: Project
    folder: Path
    own: Path | None = None
    """Where the client's settings are, if not in their usual folder."""

    user: str | None = None


@dataclass(slots=True)
class Course:
    """One event on its way; every prompt is a turn, which ends with the reply."""

    tacit: Tacit
    place: Place
    lifecycle: Lifecycle
    deadline: Deadline
    memo: Memo
    texts: list[str] = field(default_factory=list)
    notice: str = ""
    """What the user is to be told, where the client shows that."""
    learns: bool = False
    _before: Memo = field(init=False)
    _shown: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Remember what was known before."""
        self._before = self.memo

    @property
    def text(self) -> str:
        """All that the model is to be told."""
        return _GAP.join(self.texts)

    def take(self, reading: Reading) -> None:
        """One moment of the event."""
        if reading.once is not None:
            if reading.once in self._before.marks:
                return
            self.memo = self.memo.marked(reading.once)
        match reading.trigger:
            case Trigger.BEFORE_AGENT:
                self._ask(reading.data)
            case Trigger.STOP:
                self._run(Trigger.STOP, reading.data)
                self._end(str(reading.data.get("reply") or ""))
            case Trigger.SESSION_START:
                self._start(reading.data)
            case Trigger.SESSION_END:
                self._settle()
                self._run(Trigger.SESSION_END, reading.data)
            case trigger:
                self._run(trigger, reading.data)

    def keep(self) -> None:
        """Write down what the next event has to know."""
        if self.memo != self._before:
            kept = {NAME: self.memo.to_dict()}
            self.deadline.run(lambda: self.tacit.set_variables(self.place.session, kept))

    def _ask(self, data: Mapping[str, Any]) -> None:
        """A prompt begins a turn, with memory if a workflow wants that."""
        self._settle()
        outcome = self._run(Trigger.BEFORE_AGENT, data)
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
        for trigger in (Trigger.AFTER_AGENT, Trigger.STOP):
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
        outcome = self._run(Trigger.SESSION_START, data)
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

    def _run(self, trigger: Trigger, data: Mapping[str, Any]) -> Outcome:
        outcome = run(
            self._event(trigger, data), self.lifecycle, self.tacit, deadline=self.deadline
        )
        self.learns = self.learns or outcome.learns
        if outcome.context:
            self.texts.append(outcome.context)
        return outcome

    def _event(self, trigger: Trigger, data: Mapping[str, Any]) -> Event:
        place = self.place
        used = sum(len(text) + len(_GAP) for text in self.texts)
        return Event(
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
                self._shown = folder_work(
                    limit,
                    place.project.root,
                    "instructions",
                    lambda: shown_by(place.client.name, place.folder, Path.home(), place.own),
                )
            except TimeoutError:
                _log.warning("the files that the client shows take too long to read: passed over")
                self._shown = ()
        return self._shown
