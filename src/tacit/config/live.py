"""The configuration of a running program, which sees changes of its file without a restart."""

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread, current_thread
from typing import Any, Self, TypeAlias

from tacit.config.config import Config
from tacit.config.document import Document
from tacit.config.loading import interpret
from tacit.config.sighting import Sighting
from tacit.errors import ConfigError
from tacit.memory import check, rfc3339
from tacit.runtime.clock import Clock, system_clock

_log = logging.getLogger("tacit.config")

_WATCH_SECONDS = 0.25
_JOIN_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why the file as it is now is not used, and since when."""

    message: str
    since: datetime

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"message": self.message, "since": rfc3339(self.since)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(message=values["message"], since=check("at", values["since"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The settings in force, and what is wrong with the file, if anything is."""

    config: Config
    problem: Problem | None = None


Listener: TypeAlias = Callable[[State], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """What came of looking at the file; without a document, it could not be used."""

    sighting: Sighting
    document: Document | None
    state: State


class LiveConfig:
    """Holds one snapshot, and replaces it as a whole when the file has changed and is valid.

    It looks at the file whenever it is asked: that takes microseconds, is certain on every file
    system and needs no thread. Only where someone listens, a thread looks four times a second.
    """

    def __init__(
        self,
        find: Callable[[], Path | None],
        environment: Mapping[str, str],
        clock: Clock,
        home: Path | None,
        first: _Reading,
    ) -> None:
        self._find = find
        self._home = home
        self._environment = environment
        self._clock = clock
        self._last = first
        self._listeners: tuple[Listener, ...] = ()
        self._start()

    @classmethod
    def open(
        cls,
        find: Callable[[], Path | None],
        environment: Mapping[str, str],
        clock: Clock = system_clock,
        home: Path | None = None,
    ) -> "LiveConfig":
        """Read the file that is found, and the environment, for the first time.

        What is invalid now is an error. The environment stays as it is now. `home` is the file to
        make where none is found and settings are written.
        """
        path, kept = find(), dict(environment)
        sighting, document = Sighting.of(path, path), Document.read(path)
        state = State(config=interpret(document, kept))
        first = _Reading(sighting=sighting, document=document, state=state)
        return cls(find, kept, clock, home, first)

    def current(self) -> Config:
        """The settings of now; ask once and use what you got to the end."""
        return self.state().config

    def state(self) -> State:
        """The settings of now, and what is wrong with the file."""
        if self._process != os.getpid():
            self._start()
        if not self._last.sighting.is_like(self._sighted()):
            with self._lock:
                self._last = self._read(self._sighted())
        return self._last.state

    def adopted(self, text: str) -> State:
        """The settings of now, after a writer who is done with the file has left it this text."""
        with self._lock:
            self._last = self._read(self._sighted(), whole=text)
        return self._last.state

    def writable_path(self) -> Path:
        """The file to write settings to: the one in use, else the one to make."""
        path = self._find() or self._home
        if path is None:
            raise ConfigError("there is no file to write settings to; name one in TACIT_CONFIG")
        return path

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell of every change within a second, in a thread of its own; returns how to end it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
            if len(self._listeners) == 1:
                self._watch()
        return partial(self._leave, listener)

    def close(self) -> None:
        """Tell nobody any more."""
        with self._lock:
            self._listeners = ()
            thread = self._end_watching()
        _join(thread)

    def _start(self) -> None:
        """Begin in this process; in a forked child the threads of its parent are gone."""
        self._process = os.getpid()
        self._lock = Lock()
        self._stopped = Event()
        self._thread: Thread | None = None
        if self._listeners:
            self._watch()

    def _leave(self, listener: Listener) -> None:
        with self._lock:
            self._listeners = tuple(each for each in self._listeners if each is not listener)
            thread = None if self._listeners else self._end_watching()
        _join(thread)

    def _watch(self) -> None:
        self._stopped = Event()
        work = partial(self._tell, self._stopped, self._last.state)
        self._thread = Thread(target=work, name="tacit-config", daemon=True)
        self._thread.start()

    def _end_watching(self) -> Thread | None:
        self._stopped.set()
        thread, self._thread = self._thread, None
        return thread

    def _tell(self, stopped: Event, told: State) -> None:
        while not stopped.wait(_WATCH_SECONDS):
            state = self.state()
            if state is told:
                continue
            told = state
            for listener in self._listeners:
                try:
                    listener(state)
                except Exception:
                    _log.exception("a listener failed; the others are told")

    def _sighted(self) -> Sighting:
        """The file as it can be seen; where that fails, it is taken to be as it was."""
        before = self._last.sighting
        try:
            return Sighting.of(self._find(), before.path)
        except OSError:
            return before

    def _read(self, sighting: Sighting, whole: str | None = None) -> _Reading:
        """Take the file as it is, unless someone is in the middle of writing it.

        A text that is known to be whole is not taken for half of one.
        """
        last = self._last
        try:
            document = Document.read(sighting.path)
            is_known = document == last.document
            config = last.state.config if is_known else interpret(document, self._environment)
        except ConfigError as error:
            if sighting.is_fresh:
                return last
            return _Reading(sighting=sighting, document=None, state=self._refused(str(error)))
        if sighting.is_partial and sighting.is_fresh and document.text != whole:
            return last
        return _Reading(sighting=sighting, document=document, state=self._adopted(config))

    def _refused(self, message: str) -> State:
        """The old settings, with a problem that is said once."""
        state = self._last.state
        if state.problem is not None and state.problem.message == message:
            return state
        _log.warning("the settings stay as they were: %s", message)
        return State(config=state.config, problem=Problem(message=message, since=self._clock()))

    def _adopted(self, config: Config) -> State:
        state = State(config=config)
        if state == self._last.state:
            return self._last.state
        _log.info("settings changed: %s", config.path or "no file, built-in values")
        return state


def _join(thread: Thread | None) -> None:
    """Wait a moment for a thread that ends, unless it is this one."""
    if thread is not None and thread is not current_thread():
        thread.join(_JOIN_SECONDS)
