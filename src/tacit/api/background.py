"""Work beside the turns of a workspace: learning from what was said, dropping old receipts."""

import logging
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial

from tacit.core.errors import StoreClosed
from tacit.core.permissions import UNBOUND, Viewer
from tacit.language.extraction.rule_tables import prepare_patterns
from tacit.runtime.clock import Clock
from tacit.runtime.workers import Deadline, Worker
from tacit.settings.writing import WritingSettings
from tacit.store.protocols.store import Store
from tacit.writing.learning.learner import Learner
from tacit.writing.learning.lesson import Learned

_log = logging.getLogger("tacit.learning")

_GATHER_SECONDS = 0.2
"""Seconds to wait for more turns of a workspace, so that they are read together."""

_PATTERN_PAUSE_SECONDS = 0.02
"""Seconds between the compilation of patterns, so that turns are not delayed."""

_THREADS = 4
"""How many workspaces are read for at the same time, and how many wait for a model."""

LearningWatcher = Callable[[Learned], None]


def _make_workers(name: str) -> tuple[Worker, ...]:
    return tuple(Worker(f"{name}-{number}") for number in range(_THREADS))


@dataclass(frozen=True, slots=True)
class LearningWorkers:
    """The threads that learn for all workspaces of a store, and the watchers of what they learn.

    A workspace always has the same thread, so that its turns are read in order, and shares it with
    some of the others. Waiting for more turns takes no thread from anybody: all wait together.
    """

    gatherer: Worker = field(default_factory=lambda: Worker("tacit-gathering"))
    """The worker that waits until a workspace is to be read; all wait equally long."""

    readers: tuple[Worker, ...] = field(default_factory=lambda: _make_workers("tacit-learning"))
    """The workers that read by rules."""

    model_readers: tuple[Worker, ...] = field(
        default_factory=lambda: _make_workers("tacit-reading")
    )
    """The workers that wait for a model, so that the rules need not."""

    watchers: list[LearningWatcher] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def reader_of(self, workspace: str) -> Worker:
        """The worker that reads the turns of a workspace by rules."""
        return self.readers[_number_of(workspace) % len(self.readers)]

    def model_reader_of(self, workspace: str) -> Worker:
        """The worker that has a model read the turns of a workspace."""
        return self.model_readers[_number_of(workspace) % len(self.model_readers)]

    def close(self, deadline: Deadline) -> None:
        """Stop, after the waiting turns were read if the deadline allows it."""
        self.closing.set()
        for worker in (self.gatherer, *self.readers, *self.model_readers):
            worker.close(deadline.seconds)


def _number_of(workspace: str) -> int:
    return zlib.crc32(workspace.encode())


class BackgroundLearning:
    """Learns from the turns of one workspace on background workers."""

    def __init__(
        self,
        learner: Learner,
        settings: Callable[[], WritingSettings],
        workers: LearningWorkers,
        encode_newest: Callable[[], None],
        compare_all: Callable[[], None],
    ) -> None:
        self._learner = learner
        self._settings = settings
        self._workers = workers
        self._reader = workers.reader_of(learner.workspace)
        self._model_reader = workers.model_reader_of(learner.workspace)
        self._encode_newest = encode_newest
        self._compare_all = compare_all
        self._lock = threading.Lock()
        self._is_scheduled = False
        self._is_model_scheduled = False

    def is_listening(self) -> bool:
        """Whether turns are to be queued for learning."""
        return self._settings().learn

    def heard(self) -> None:
        """Schedule the queued turns to be read soon, together with those that follow shortly."""
        with self._lock:
            if self._is_scheduled or self._workers.closing.is_set():
                return
            self._is_scheduled = True
        self._workers.gatherer.submit(partial(self._gather, time.monotonic() + _GATHER_SECONDS))

    def learn_now(self, reach: Viewer = UNBOUND, *, compares: bool = True) -> Learned:
        """Read all queued turns within reach now, and return what was learned, with its tokens.

        A reading in progress is finished first. With full reach this replaces the reading that
        was scheduled. All that was written is compared too, unless that is left to the background.
        """
        if not reach.is_bound:
            with self._lock:
                self._is_scheduled = False
        by_rules = self._read_on(self._reader, lambda: self._learner.learn_by_rules(reach))
        by_model = self._read_on(self._model_reader, lambda: self._learner.learn_by_model(reach))
        self._encode_newest()
        if compares:
            self._compare_all()
        return Learned.together([by_rules, by_model])

    def _gather(self, due: float) -> None:
        self._workers.closing.wait(max(due - time.monotonic(), 0.0))
        self._reader.submit(self._read_by_rules)

    def _read_by_rules(self) -> None:
        prepare_patterns(lambda: self._workers.closing.wait(_PATTERN_PAUSE_SECONDS))
        with self._lock:
            if not self._is_scheduled:
                return
            self._is_scheduled = False
        self._read_safely(self._learner.learn_by_rules)
        with self._lock:
            if self._is_model_scheduled or self._workers.closing.is_set():
                return
            self._is_model_scheduled = True
        self._model_reader.submit(self._read_by_model)

    def _read_by_model(self) -> None:
        with self._lock:
            self._is_model_scheduled = False
        if not self._workers.closing.is_set():
            self._read_safely(self._learner.learn_by_model)

    def _read_safely(self, read: Callable[[], Learned]) -> None:
        try:
            self._notify_watchers(read())
        except StoreClosed:
            _log.debug("what was said is learned next time: the store was closed")
        except Exception as error:  # it is still there; the next one reads it
            _log.warning("what was said waits to be learned: %s", error)

    def _read_on(self, worker: Worker, read: Callable[[], Learned]) -> Learned:
        learned = worker.submit(read).result()
        self._notify_watchers(learned)
        return learned

    def _notify_watchers(self, learned: Learned) -> None:
        if learned.turns:
            for watcher in self._workers.watchers:
                watcher(learned)


# Old receipts


_OVERTAKEN_KEPT = timedelta(days=1)
"""How long the commit of a turn may come after a later turn of its session began without it."""

_turn_log = logging.getLogger("tacit.turn")


class ReceiptPruner:
    """Drops old receipts, variables and episodes in the background when turns end.

    Once a day for each retention period; after every turn if receipts are not kept at all.
    """

    def __init__(
        self,
        store: Store,
        workspace: str,
        clock: Clock,
        worker: Worker,
        prune_episodes: Callable[[], None],
    ) -> None:
        self._prune_episodes = prune_episodes
        self._store = store
        self._workspace = workspace
        self._clock = clock
        self._worker = worker
        self._today: date | None = None
        self._done: set[int] = set()

    def __call__(self, receipt_days: int) -> None:
        """Note that a turn ended whose receipt is kept for `receipt_days` days."""
        today = self._clock().date()
        if today != self._today:
            self._today = today
            self._done.clear()
        if receipt_days == 0 or receipt_days not in self._done:
            self._done.add(receipt_days)
            now = self._clock()
            self._worker.submit(lambda: self._prune(now - timedelta(days=receipt_days), now))

    def _prune(self, oldest: datetime, now: datetime) -> None:
        try:
            with self._store.write(self._workspace) as unit:
                unit.receipts.prune(oldest, now - _OVERTAKEN_KEPT)
                unit.variables.prune(oldest)
            self._prune_episodes()
        except StoreClosed:
            _turn_log.debug("old receipts are dropped next time: the store was closed")
        except Exception as error:  # nobody waits for it; tomorrow is another day
            _turn_log.warning("old receipts were not dropped: %s", error)
