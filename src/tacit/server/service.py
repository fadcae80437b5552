"""What a server process holds: the memory it serves, its settings, its keys and its metrics."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

from tacit.api.calls.administration import Keyring
from tacit.api.tacit import Tacit, share_workspace
from tacit.core.keys import Key
from tacit.runtime.clock import Clock, system_clock
from tacit.runtime.limits import ConcurrencyLimiter, FairSlots, RateLimiter
from tacit.runtime.metrics import Metrics
from tacit.runtime.traces import NoTracer, Tracer
from tacit.runtime.workers import Worker
from tacit.server.jobs import Jobs
from tacit.settings.config import Config
from tacit.settings.live_config import ConfigState, LiveConfig
from tacit.writing.learning.lesson import Learned

_SECONDS = 1.0
_MOST = 10_000
_NEVER = (float("-inf"), False)


class KeyCache:
    """Keys by token, cached for a second, so that not every request reads the store."""

    def __init__(
        self,
        keyring: Keyring,
        *,
        is_exposed: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keyring = keyring
        self._is_exposed = is_exposed
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._known: dict[bytes, tuple[float, Key | None]] = {}
        self._are_keys = _NEVER
        self._cleared = 0

    def find_cached(self, token: str) -> tuple[bool, Key | None]:
        """Whether a token is cached, and its key."""
        at, key = self._known.get(_hash_token(token), (float("-inf"), None))
        return self._monotonic() - at < _SECONDS, key

    def find(self, token: str) -> Key | None:
        """The key of a token."""
        cleared = self._cleared
        key, now = self._keyring.find_by_token(token), self._monotonic()
        with self._lock:
            if len(self._known) >= _MOST:
                self._known.clear()
            if cleared == self._cleared:
                self._known[_hash_token(token)] = (now, key)
        return key

    def cached_need(self) -> tuple[bool, bool]:
        """Whether it is cached if keys are needed, and the answer."""
        at, needed = self._are_keys
        return self._is_exposed or self._monotonic() - at < _SECONDS, self._is_exposed or needed

    def are_keys_needed(self) -> bool:
        """Whether every request needs a key: a key exists, or others can reach the server."""
        cleared = self._cleared
        needed = self._is_exposed or self._keyring.any()
        with self._lock:
            if cleared == self._cleared:
                self._are_keys = (self._monotonic(), needed)
        return needed

    def clear(self) -> None:
        """Clear the cache after a key was created or revoked here.

        What is being looked up at this moment is not remembered, as it may be out of date.
        """
        with self._lock:
            self._cleared += 1
            self._known.clear()
            self._are_keys = _NEVER


def _hash_token(token: str) -> bytes:
    return sha256(token.encode(errors="surrogatepass")).digest()


_MOST_VIEWS = 1_000
_CLOSE_SECONDS = 1.0
_WAIT_SECONDS = 30.0
"""So long a request waits to be worked on; then it is refused."""


class StreamCounter:
    """Counts open streams, and ends them when the server stops."""

    def __init__(self, noted: Callable[[int], None] = lambda _: None) -> None:
        self._noted = noted
        self._seats = ConcurrencyLimiter()
        self._ended = threading.Event()

    @property
    def count(self) -> int:
        """The number of open streams."""
        return self._seats.count

    def open(self, caller: str, most: int) -> bool:
        """Open a stream for a caller; returns whether there was room."""
        is_seated = self._seats.take(caller, most)
        self._noted(self.count)
        return is_seated

    def close(self, caller: str) -> None:
        """Close a stream of a caller."""
        self._seats.give_back(caller)
        self._noted(self.count)

    @property
    def have_ended(self) -> bool:
        """Whether all streams are to end."""
        return self._ended.is_set()

    def end(self) -> None:
        """End all streams."""
        self._ended.set()


class Service:
    """What a server process holds; nothing in it is needed by other processes.

    `share` is how many processes serve together: each allows its part of what all may. On
    `learning` is waited for a language model, and on `encoding` for tokens, so that nothing else
    waits for them.
    """

    def __init__(
        self,
        tacit: Tacit,
        live: LiveConfig,
        *,
        jobs: Jobs,
        metrics: Metrics | None = None,
        tracer: Tracer | None = None,
        is_exposed: bool = False,
        share: int = 1,
        clock: Clock = system_clock,
    ) -> None:
        self._tacit = tacit
        self._live = live
        self._views: OrderedDict[str, Tacit] = OrderedDict()
        self._lock = threading.Lock()
        self.jobs = jobs
        self.metrics = metrics or Metrics()
        self.tracer = tracer or NoTracer()
        self.limiter = RateLimiter()
        self.work_slots = FairSlots(live.current().server.threads, _WAIT_SECONDS)
        self.streams = StreamCounter(self.metrics.set_event_streams)
        self.share = share
        self.learning = Worker("tacit-learning-asked")
        self.encoding = Worker("tacit-encoding-asked")
        self.key_cache = KeyCache(tacit.keys, is_exposed=is_exposed)
        self.clock = clock
        self.started_at: datetime = clock()
        self.is_stopping = False
        self.jobs.watch(self.metrics.set_jobs)
        tacit.workspace.watch_learning(self._count_learned)

    @property
    def root(self) -> Tacit:
        """The `Tacit` that the server was started with."""
        return self._tacit

    @property
    def live(self) -> LiveConfig:
        """The live settings."""
        return self._live

    @property
    def config(self) -> Config:
        """The current settings."""
        return self._live.current()

    @property
    def state(self) -> ConfigState:
        """The current settings, and the problem with their file, if any."""
        return self._live.state()

    def tacit(self, workspace: str) -> Tacit:
        """The `Tacit` of a workspace; recent ones are cached."""
        with self._lock:
            view = self._views.pop(workspace, None) or share_workspace(self._tacit, workspace)
            self._views[workspace] = view
            if len(self._views) > _MOST_VIEWS:
                self._views.popitem(last=False)
            return view

    def personal(self, workspace: str) -> Tacit:
        """A workspace as its one person reads it, who needs no name there."""
        return self._tacit.workspace.open(workspace)

    def served(self) -> list[Tacit]:
        """The recently used workspaces that were ever written to."""
        with self._lock:
            views = list(self._views.values())
        known = set(self.root.workspace.names())
        return [view for view in views if view.workspace.name in known]

    def key(self, token: str) -> Key | None:
        """The key of a token."""
        return self.key_cache.find(token)

    def stop(self) -> None:
        """Stop accepting work, and end the streams."""
        self.is_stopping = True
        self.streams.end()

    def close(self) -> None:
        """End the threads that wait for models, without waiting long for them."""
        self.learning.close(_CLOSE_SECONDS)
        self.encoding.close(_CLOSE_SECONDS)

    def _count_learned(self, learned: Learned) -> None:
        verdicts = [lesson.verdict for lesson in learned.lessons]
        self.metrics.count_lessons(verdicts, learned.tokens)
