"""What a process does once, before the first turn of a workspace.

Loading the model and the workspace takes longer than a turn may. All first turns of a workspace
wait for the same loading, and for no longer than their setting `first_turn_ms` says.
"""

import logging
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from tacit.runtime.workers import WorkerPool

_log = logging.getLogger("tacit.turn")

NOTICE_SECONDS = 1.0
_NOTICE = "tacit: loading the model and the memories (first use) …"
_MOST_WORKSPACES = 2_000


class WarmUps:
    """The workspaces that were loaded, or are, in this process."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._begun: OrderedDict[str, _WarmUp] = OrderedDict()

    def wait(self, workspace: str, load: Callable[[], None], seconds: float) -> bool:
        """Load a workspace unless that was begun; returns whether it is done.

        It counts from the beginning, so that a turn that comes later does not wait again.
        """
        with self._lock:
            begun = self._begun.get(workspace)
            if begun is None:
                begun = self._begun[workspace] = _WarmUp(self._pool, load)
                if len(self._begun) > _MOST_WORKSPACES:
                    self._begun.popitem(last=False)
        return begun.wait(seconds)


class _WarmUp:
    """The loading of one workspace, on a thread of its own."""

    def __init__(self, pool: WorkerPool, load: Callable[[], None]) -> None:
        self._load = load
        self._began = time.monotonic()
        self._is_done = threading.Event()
        try:
            pool.start(self._run)
        except TimeoutError:  # too much is stuck: the turn says what is missing
            self._is_done.set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is done, or until so many seconds have passed since it began."""
        if self._is_done.is_set():
            return True
        left = max(self._began + seconds - time.monotonic(), 0.0)
        if left > NOTICE_SECONDS and _is_watched():
            if self._is_done.wait(NOTICE_SECONDS):
                return True
            sys.stderr.write(f"{_NOTICE}\n")
            left -= NOTICE_SECONDS
        return self._is_done.wait(left)

    def _run(self) -> None:
        try:
            self._load()
        except Exception as error:  # every turn says for itself what is missing
            _log.info("not loaded before the first turn: %s %s", type(error).__name__, error)
        finally:
            self._is_done.set()
        seconds = time.monotonic() - self._began
        if seconds > NOTICE_SECONDS and not _is_watched():
            _log.info("loading the model and the memories (first use) took %.1f s", seconds)


def _is_watched() -> bool:
    """Whether a person reads standard error; the log of a service has the same."""
    return sys.stderr is not None and sys.stderr.isatty()


_rehearsing = threading.Lock()
_is_rehearsed = False


def rehearse_once(rehearse: Callable[[], None]) -> None:
    """Rehearse a turn, unless this process has done so; whoever comes meanwhile waits for it."""
    global _is_rehearsed
    with _rehearsing:
        if not _is_rehearsed:
            rehearse()
            _is_rehearsed = True
