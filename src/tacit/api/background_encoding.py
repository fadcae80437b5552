"""Work behind writes: one thread encodes and compares what was written to all workspaces.

It takes a portion of a workspace at a time, so that a large one does not hold up what was just
written to another.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TypeVar

from tacit.api.memory_embedder import MemoryEmbedder, switch_places
from tacit.api.token_encoder import TokenEmbedderChoice, TokenEncoder
from tacit.core.errors import StoreClosed
from tacit.runtime.workers import Deadline, Worker
from tacit.settings.search import LateInteraction
from tacit.store.protocols.store import Store
from tacit.writing.comparisons import StatementComparer

Result = TypeVar("Result")

_log = logging.getLogger("tacit")

_GATHER_SECONDS = 0.2
"""Seconds to wait for more writes, so that they are encoded together; also a pause for others."""

_START_SECONDS = 10.0
"""Seconds that a process must live before it encodes what earlier ones left."""

_NEWEST_SECONDS = 5.0
"""Seconds to wait for the codes of what was just learned, behind other workspaces."""

_PORTION_SECONDS = 2.0

_MOST_WORKSPACES = 2_000


class EncodingWorker:
    """The thread that encodes for all workspaces of a store; it is idle without an embedder."""

    def __init__(self, store: Store, choose_embedders: TokenEmbedderChoice, is_idle: bool) -> None:
        self._store = store
        self._is_idle = is_idle
        self._choose_embedders = choose_embedders
        self._worker = Worker("tacit-encoding")
        self._lock = threading.Lock()
        self._workspaces: OrderedDict[str, BackgroundEncoding] = OrderedDict()
        self._comparing: OrderedDict[str, BackgroundComparing] = OrderedDict()
        self._embedding: OrderedDict[str, BackgroundEmbedding] = OrderedDict()
        self._switching: OrderedDict[str, BackgroundSwitch] = OrderedDict()
        self._opened: list[BackgroundPortions] = []
        self._start: threading.Timer | None = None
        self._has_started = False
        self.closing = threading.Event()

    def workspace(self, name: str) -> "BackgroundEncoding":
        """The encoding of a workspace; recent ones know how far they came."""

        def make() -> BackgroundEncoding:
            encoder = TokenEncoder(self._store, name, self._choose_embedders)
            return BackgroundEncoding(encoder, self)

        with self._lock:
            return _recall(self._workspaces, name, make)

    def comparing(self, name: str, comparer: StatementComparer) -> "BackgroundComparing":
        """The comparing of a workspace, which all that look at it share."""
        with self._lock:
            return _recall(self._comparing, name, lambda: BackgroundComparing(comparer, self))

    def embedding(self, name: str, embedder: MemoryEmbedder) -> "BackgroundEmbedding":
        """The embedding of a workspace, which all that look at it share."""
        with self._lock:
            return _recall(self._embedding, name, lambda: BackgroundEmbedding(embedder, self))

    def switching(
        self,
        name: str,
        places: Sequence[MemoryEmbedder],
        encodings: "Sequence[BackgroundEncoding]",
        late_interaction: Callable[[], LateInteraction],
    ) -> "BackgroundSwitch":
        """The switch of a workspace to the model of the settings, which all share."""
        with self._lock:
            return _recall(
                self._switching,
                name,
                lambda: BackgroundSwitch(places, encodings, late_interaction, self),
            )

    @property
    def is_over(self) -> bool:
        """Whether nothing more is begun."""
        return self._is_idle or self.closing.is_set()

    def submit(self, work: Callable[[], Result]) -> "Future[Result]":
        """Do a portion of work after those that wait; StoreClosed if it is closed."""
        with self._lock:
            if self.closing.is_set():
                raise StoreClosed("the store was closed; open it again")
            return self._worker.submit(work)

    def start_later(self, work: "BackgroundPortions") -> None:
        """Look what a workspace lacks, but not in the first seconds of a process."""
        with self._lock:
            if self.is_over:
                return
            if self._start is None:
                self._start = threading.Timer(_START_SECONDS, self._start_opened)
                self._start.daemon = True
                self._start.start()
            if not self._has_started:
                self._opened.append(work)
                return
        work.schedule()

    def close(self, deadline: Deadline) -> None:
        """Stop after the texts that are being encoded, if the deadline allows it."""
        with self._lock:
            self.closing.set()
            if self._start is not None:
                self._start.cancel()
        if self._start is not None:
            self._start.join(deadline.seconds)
        self._worker.close(deadline.seconds)

    def _start_opened(self) -> None:
        with self._lock:
            self._has_started = True
            opened, self._opened = self._opened, []
        for work in opened:
            work.schedule()


Portions = TypeVar("Portions", bound="BackgroundPortions")


def _recall(
    recent: OrderedDict[str, Portions], name: str, make: Callable[[], Portions]
) -> Portions:
    """What is done for a workspace, made anew if it was not used lately."""
    found = recent.pop(name, None) or make()
    recent[name] = found
    if len(recent) > _MOST_WORKSPACES:
        recent.popitem(last=False)
    return found


class BackgroundPortions:
    """Work for one workspace, done in portions on the worker that all workspaces share."""

    def __init__(self, worker: EncodingWorker) -> None:
        self._worker = worker
        self._lock = threading.Lock()
        self._next: Future[bool] | None = None
        self._due = 0.0
        self._pauses = 0
        self._is_opened = False

    def open(self) -> None:
        """Take up what earlier processes left, if this one lives long enough."""
        with self._lock:
            is_first, self._is_opened = not self._is_opened, True
        if is_first:
            self._worker.start_later(self)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave all to the caller meanwhile, who then knows how much there is."""
        with self._lock:
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
            self.schedule()

    def schedule(self) -> None:
        """Do soon what is to be done: something was written."""
        with self._lock:
            if self._next is None and not self._worker.is_over:
                self._due = time.monotonic() + _GATHER_SECONDS
                with suppress(StoreClosed):
                    self._next = self._worker.submit(self._work_soon)

    def _work_soon(self) -> bool:
        is_over = self._worker.closing.is_set
        self._worker.closing.wait(max(self._due - time.monotonic(), 0.0))
        with self._lock:
            self._next = None
            is_paused = self._pauses > 0
        if is_paused or is_over():
            return False
        is_some = self._work_quietly()
        if is_some:
            self.schedule()
        return is_some

    def _work_quietly(self) -> bool:
        """Do a portion; returns whether to go on."""
        try:
            return self._work()
        except StoreClosed:
            _log.debug("%s next time: the store was closed", type(self).__name__)
            return False
        except Exception as error:  # it stays to be done; the next write tries again
            self._warn(error)
            return False

    def _work(self) -> bool:
        raise NotImplementedError

    def _warn(self, error: Exception) -> None:
        raise NotImplementedError


class BackgroundEncoding(BackgroundPortions):
    """Encodes what one workspace lacks."""

    def __init__(self, encoder: TokenEncoder, worker: EncodingWorker) -> None:
        super().__init__(worker)
        self._encoder = encoder

    def count_missing(self) -> int:
        """How many memories lack codes, after what is being encoded."""
        return self._worker.submit(self._encoder.count_missing).result()

    def fill_missing(self, made: Callable[[int], None]) -> None:
        """Encode all that lack codes, and wait for it; `made` is called with how many were made.

        Other workspaces have their turns in between. It ends early when the worker is closed.
        """
        is_over = self._worker.closing.is_set
        while not is_over():
            some = self._worker.submit(lambda: self._encoder.encode_some(is_over, made))
            if not some.result():
                return

    def encode_newest(self) -> None:
        """Encode a portion of what lacks codes, the newest first, and wait for it, but not long."""
        if not self._worker.is_over:
            with suppress(StoreClosed, TimeoutError):
                self._worker.submit(self._work_quietly).result(_NEWEST_SECONDS)

    def encode_some(self) -> bool:
        """Encode a portion, the newest first; returns whether to go on."""
        return self._encoder.encode_some(self._worker.closing.is_set, lambda _: None)

    def _work(self) -> bool:
        return self.encode_some()

    def _warn(self, error: Exception) -> None:
        _log.warning("kept without tokens: %s", error)


class BackgroundComparing(BackgroundPortions):
    """Compares what was written to one workspace with what is like it."""

    def __init__(self, comparer: StatementComparer, worker: EncodingWorker) -> None:
        super().__init__(worker)
        self._comparer = comparer

    def count_waiting(self) -> int:
        """How many statements wait."""
        return self._comparer.count_waiting()

    def compare_all(
        self, deadline: Deadline | None = None, compared: Callable[[], None] | None = None
    ) -> None:
        """Compare what waits, all of it or until the deadline; the rest follows soon.

        After each portion `compared` is called.
        """
        while not self._worker.is_over and self._work_quietly():
            if compared is not None:
                compared()
            if deadline is not None and deadline.has_passed:
                self.schedule()
                return

    def _work(self) -> bool:
        return self._comparer.compare_some()

    def _warn(self, error: Exception) -> None:
        _log.warning("statements are not compared: %s %s", type(error).__name__, error)


class BackgroundEmbedding(BackgroundPortions):
    """Makes the vectors that one workspace lacks."""

    def __init__(self, embedder: MemoryEmbedder, worker: EncodingWorker) -> None:
        super().__init__(worker)
        self._embedder = embedder

    def _work(self) -> bool:
        """Embed for some seconds, then let other work have its turn."""
        portion = Deadline(_PORTION_SECONDS)
        while self._embedder.fill_some():
            if portion.has_passed or self._worker.closing.is_set():
                return True
        return False

    def _warn(self, error: Exception) -> None:
        _log.warning("kept without vectors: %s", error)


class BackgroundSwitch(BackgroundPortions):
    """Has the model of the settings serve one workspace, and makes the vectors that it lacks.

    Where another model serves, the vectors and tokens of this one are made beside, as long as the
    program stays open, and then serve.
    """

    def __init__(
        self,
        places: Sequence[MemoryEmbedder],
        encodings: Sequence[BackgroundEncoding],
        late_interaction: Callable[[], LateInteraction],
        worker: EncodingWorker,
    ) -> None:
        super().__init__(worker)
        self._places = places
        self._encodings = encodings
        self._late_interaction = late_interaction

    def _work(self) -> bool:
        """Embed for some seconds, then let other work have its turn."""
        for place in self._places:
            place.begin_generation(is_asked=False)
        portion, is_some = Deadline(_PORTION_SECONDS), False
        while any(place.fill_some() for place in self._places):
            is_some = True
            if portion.has_passed or self._worker.closing.is_set():
                return True
        if not any(place.is_being_filled() for place in self._places):
            return False
        if any(encoding.encode_some() for encoding in self._encodings):
            return True
        is_switched = switch_places(self._places, self._late_interaction())
        return is_some and not is_switched

    def _warn(self, error: Exception) -> None:
        _log.warning("kept without vectors: %s", error)
