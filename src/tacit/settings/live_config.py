"""The configuration of a running program, which picks up changes of its files without a restart."""

import logging
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from os import stat_result
from pathlib import Path
from threading import Event, Lock, Thread, current_thread
from typing import TypeAlias

from tacit.core.errors import ConfigError
from tacit.core.json_value import JsonValue
from tacit.runtime.clock import Clock, system_clock
from tacit.runtime.trust import TrustRecord, warn_once
from tacit.settings.config import Config, ConfigPaths, ProjectLayer
from tacit.settings.loader import (
    ConfigDocument,
    build_config,
    order_documents,
    read_project_layer,
)

_GRAIN_SECONDS = 2.0
"""Two changes this close may have the same time stamp on a file system."""

_WRITING_SECONDS = 0.1
"""How long an editor may take to write a file that it has emptied or moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFileStamp:
    """The state of a file, or that there is none, at some time, seen without reading it."""

    path: Path | None
    stamp: tuple[int, ...] | None
    """Inode, size and times, which differ after any change; None if there is no file."""
    is_partial: bool
    """Whether the file is empty or has moved away."""
    age: float
    """How many seconds ago it changed last."""

    @classmethod
    def of(cls, path: Path | None, before: Path | None) -> "ConfigFileStamp":
        """Take the stamp of a file, and of where it was before."""
        found = _stat(path)
        now = time.time()
        return cls(
            path=path,
            stamp=found and (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns),
            is_partial=not (found and found.st_size) or (before is not None and path != before),
            age=min(now - _changed_at(each) for each in {path, before}),
        )

    def is_like(self, later: "ConfigFileStamp") -> bool:
        """Whether the content read at this stamp is certainly the same at a later one."""
        is_certain = abs(self.age) >= _GRAIN_SECONDS
        return is_certain and (self.path, self.stamp) == (later.path, later.stamp)

    @property
    def is_fresh(self) -> bool:
        """Whether someone may be in the middle of writing it."""
        return 0 <= self.age < _WRITING_SECONDS


def _changed_at(path: Path | None) -> float:
    """When a file changed last; if it is missing, when its folder did."""
    if path is None:
        return 0.0
    found = _stat(path) or _stat(path.parent)
    return found.st_mtime if found else 0.0


def _stat(path: Path | None) -> stat_result | None:
    try:
        return path.stat() if path else None
    except OSError:
        return None


_log = logging.getLogger("tacit.config")

_WATCH_SECONDS = 0.25
_JOIN_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigProblem(JsonValue):
    """Why the current file is not used, and since when."""

    message: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigState:
    """The current settings, and the problem with the file, if there is one."""

    config: Config
    problem: ConfigProblem | None = None


ConfigListener: TypeAlias = Callable[[ConfigState], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileStamps:
    """The stamps of the user's, the database's and the project's file, and of the consent."""

    own: ConfigFileStamp
    database: ConfigFileStamp
    project: ConfigFileStamp
    consent: ConfigFileStamp

    @classmethod
    def of(
        cls, paths: ConfigPaths, trust: TrustRecord, before: ConfigPaths | None = None
    ) -> "_FileStamps":
        """Take the stamps, with where the files were before.

        Without a project's file consent does not matter.
        """
        last = before or paths
        consent = None if paths.project is None else trust.path
        return cls(
            own=ConfigFileStamp.of(paths.own, last.own),
            database=ConfigFileStamp.of(paths.database, last.database),
            project=ConfigFileStamp.of(paths.project, paths.project),
            consent=ConfigFileStamp.of(consent, consent),
        )

    def is_like(self, later: "_FileStamps") -> bool:
        """Whether the files are certainly unchanged."""
        return (
            self.own.is_like(later.own)
            and self.database.is_like(later.database)
            and self.project.is_like(later.project)
            and self.consent.is_like(later.consent)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _LoadedConfig:
    """The result of reading the files; `documents` are the last valid ones of the user.

    The first of them is written to, the other is beneath it.
    """

    stamps: _FileStamps
    documents: tuple[ConfigDocument, ConfigDocument]
    state: ConfigState


class LiveConfig:
    """Holds one snapshot, and replaces it as a whole when the file has changed and is valid.

    It looks at the file whenever it is asked: that takes microseconds, is certain on every file
    system and needs no thread. Only where someone listens, a thread looks four times a second.
    """

    def __init__(
        self,
        find: Callable[[], ConfigPaths],
        environment: Mapping[str, str],
        clock: Clock,
        trust: TrustRecord,
        first: _LoadedConfig,
    ) -> None:
        self._find = find
        self._trust = trust
        self._environment = environment
        self._clock = clock
        self._last = first
        self._listeners: tuple[ConfigListener, ...] = ()
        self._start()

    @classmethod
    def open(
        cls,
        find: Callable[[], ConfigPaths],
        environment: Mapping[str, str],
        clock: Clock = system_clock,
        trust: TrustRecord | None = None,
    ) -> "LiveConfig":
        """Read the files that are found, and the environment, for the first time.

        What is invalid now is an error. The environment stays as it is now. `trust` knows to which
        files of projects the user has agreed.
        """
        paths, kept, record = find(), dict(environment), trust or TrustRecord()
        stamps = _FileStamps.of(paths, record)
        documents = order_documents(*map(ConfigDocument.read, (paths.own, paths.database)))
        layer = read_project_layer(paths.project, record)
        config = build_config(documents[0], kept, layer, documents[1])
        warn_once(config.ignored)
        first = _LoadedConfig(stamps=stamps, documents=documents, state=ConfigState(config=config))
        return cls(find, kept, clock, record, first)

    def current(self) -> Config:
        """The current settings; ask once and use the same snapshot to the end."""
        return self.state().config

    def state(self) -> ConfigState:
        """The current settings, and the problem with the file, if there is one."""
        if self._process != os.getpid():
            self._start()
        if not self._last.stamps.is_like(self._look_at_files()):
            with self._lock:
                self._last = self._read(self._look_at_files())
        return self._last.state

    def adopt_text(self, text: str) -> ConfigState:
        """Use the text that a writer has just finished writing to the file."""
        with self._lock:
            self._last = self._read(self._look_at_files(), whole=text)
        return self._last.state

    def writable_path(self) -> Path:
        """The file to write settings to: the database's, else the user's or the named one."""
        found = self._find()
        path = found.home or found.own
        if path is None:
            raise ConfigError("there is no file to write settings to; name one in TACIT_CONFIG")
        return path

    def listen(self, listener: ConfigListener) -> Callable[[], None]:
        """Call the listener after every change, within a second; returns how to stop it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
            if len(self._listeners) == 1:
                self._watch()
        return partial(self._leave, listener)

    def close(self) -> None:
        """Stop all listeners."""
        with self._lock:
            self._listeners = ()
            thread = self._end_watching()
        _join(thread)

    def _start(self) -> None:
        """Start in this process; a forked child has none of its parent's threads."""
        self._process = os.getpid()
        self._lock = Lock()
        self._stopped = Event()
        self._thread: Thread | None = None
        if self._listeners:
            self._watch()

    def _leave(self, listener: ConfigListener) -> None:
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

    def _tell(self, stopped: Event, told: ConfigState) -> None:
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

    def _look_at_files(self) -> _FileStamps:
        """The current stamps; if they cannot be taken, the last ones."""
        before = self._last.stamps
        try:
            last = ConfigPaths(own=before.own.path, database=before.database.path)
            return _FileStamps.of(self._find(), self._trust, last)
        except OSError:
            return before

    def _read(self, stamps: _FileStamps, whole: str | None = None) -> _LoadedConfig:
        """Take the files as they are, unless someone is in the middle of writing the user's.

        A text that is known to be whole is not taken for half of one. What a project's file says is
        taken from now on only, also where the user's own file cannot be used.
        """
        last, files = self._last, (stamps.own, stamps.database)
        layer = read_project_layer(stamps.project.path, self._trust)
        documents, problem = last.documents, None
        try:
            found = [ConfigDocument.read(file.path) for file in files]
            is_whole = all(
                not (file.is_partial and file.is_fresh) or document.text == whole
                for file, document in zip(files, found, strict=True)
            )
            read = order_documents(*found) if is_whole else documents
            config = self._interpreted(read, layer)
            documents = read
        except ConfigError as error:
            is_whole, problem = not any(file.is_fresh for file in files), str(error)
            config = self._interpreted(documents, layer)
        warn_once(config.ignored)
        if not is_whole:
            state = (
                replace(last.state, config=config) if config != last.state.config else last.state
            )
            return _LoadedConfig(stamps=last.stamps, documents=documents, state=state)
        state = self._adopted(config) if problem is None else self._refused(config, problem)
        return _LoadedConfig(stamps=stamps, documents=documents, state=state)

    def _interpreted(
        self, documents: tuple[ConfigDocument, ConfigDocument], layer: ProjectLayer
    ) -> Config:
        last, (document, base) = self._last, documents
        if documents == last.documents and layer == last.state.config.project:
            return last.state.config
        return build_config(document, self._environment, layer, base)

    def _refused(self, config: Config, message: str) -> ConfigState:
        """Keep the last valid settings, and log the problem once."""
        state = self._last.state
        if state.problem is not None and state.problem.message == message:
            return state if config == state.config else replace(state, config=config)
        _log.warning("the settings stay as they were: %s", message)
        return ConfigState(
            config=config, problem=ConfigProblem(message=message, since=self._clock())
        )

    def _adopted(self, config: Config) -> ConfigState:
        state = ConfigState(config=config)
        if state == self._last.state:
            return self._last.state
        paths = (config.base_path, config.path, config.project.path)
        files = [path for path in paths if path is not None]
        told = ", ".join(map(str, files)) or "no file, built-in values"
        _log.info("settings changed: %s", told)
        return state


def _join(thread: Thread | None) -> None:
    """Wait a moment until a thread ends, unless it is the current one."""
    if thread is not None and thread is not current_thread():
        thread.join(_JOIN_SECONDS)
