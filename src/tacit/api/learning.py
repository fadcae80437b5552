"""Learning beside the turns: soon after somebody spoke, and never while a turn waits."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from tacit.core.errors import StoreClosed
from tacit.core.permissions import UNBOUND, Viewer
from tacit.language.extraction.table import prepare
from tacit.runtime.deadline import Deadline
from tacit.runtime.worker import Worker
from tacit.settings.writing import WritingSettings
from tacit.writing.learning.learner import Learner
from tacit.writing.learning.lesson import Learned

_log = logging.getLogger("tacit.learning")

_PAUSE = 0.2
"""Seconds in which more turns may end, to be read together."""

_BREATH = 0.02
"""Seconds between patterns that are made ready: turns go on meanwhile."""

Watcher = Callable[[Learned], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """What the learning of all workspaces of a store shares: who reads, and who is told."""

    worker: Worker = field(default_factory=lambda: Worker("tacit-learning"))
    reader: Worker = field(default_factory=lambda: Worker("tacit-reading"))
    """Where a model is waited for; the rules do not wait for it."""

    watchers: list[Watcher] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def close(self, deadline: Deadline) -> None:
        """Have what was said before read before the end, if that takes no longer."""
        self.closing.set()
        for worker in (self.worker, self.reader):
            worker.close(deadline.seconds)


class Learning:
    """Listens to the turns of one workspace, and has them read on a worker."""

    def __init__(
        self,
        learner: Learner,
        settings: Callable[[], WritingSettings],
        desk: Desk,
    ) -> None:
        self._learner = learner
        self._settings = settings
        self._desk = desk
        self._lock = threading.Lock()
        self._coming: Future[None] | None = None
        self._asking: Future[None] | None = None

    def is_listening(self) -> bool:
        """Whether what is said is to be kept."""
        return self._settings().learn

    def heard(self) -> None:
        """Something new was said: have it read soon, with what is said until then."""
        with self._lock:
            if self._coming is None and not self._desk.closing.is_set():
                self._coming = self._desk.worker.submit(self._read_soon)

    def now(self, reach: Viewer = UNBOUND) -> Learned:
        """Read everything that waits and is reached, and say what came of it.

        That comes after what is being read. What was to be read soon is read now, and told to who
        asks, if they reach everything.
        """
        if not reach.is_bound:
            with self._lock:
                self._coming = None
        by_rules = self._read_on(self._desk.worker, lambda: self._learner.learn_by_rules(reach))
        by_model = self._read_on(self._desk.reader, lambda: self._learner.learn_by_model(reach))
        return Learned.together([by_rules, by_model])

    def _read_soon(self) -> None:
        self._desk.closing.wait(_PAUSE)
        prepare(lambda: self._desk.closing.wait(_BREATH))
        with self._lock:
            if self._coming is None:
                return
            self._coming = None
        self._try(self._learner.learn_by_rules)
        with self._lock:
            if self._asking is None and not self._desk.closing.is_set():
                self._asking = self._desk.reader.submit(self._ask)

    def _ask(self) -> None:
        with self._lock:
            self._asking = None
        if not self._desk.closing.is_set():
            self._try(self._learner.learn_by_model)

    def _try(self, read: Callable[[], Learned]) -> None:
        try:
            self._tell(read())
        except StoreClosed:
            _log.debug("what was said is learned next time: the store was closed")
        except Exception as error:  # it is still there; the next one reads it
            _log.warning("what was said waits to be learned: %s", error)

    def _read_on(self, worker: Worker, read: Callable[[], Learned]) -> Learned:
        learned = worker.submit(read).result()
        self._tell(learned)
        return learned

    def _tell(self, learned: Learned) -> None:
        if learned.turns:
            for watcher in self._desk.watchers:
                watcher(learned)
