"""Dropping receipts and variables that are too old, beside the turns."""

import logging
from datetime import date, datetime, timedelta

from tacit.core.errors import StoreClosed
from tacit.runtime.clock import Clock
from tacit.runtime.worker import Worker
from tacit.store.protocols.store import Store

_log = logging.getLogger("tacit.turn")


class Tidying:
    """Hears of every turn that ended, and has old receipts dropped.

    Once a day for each number of days; after every turn where none is kept longer than the next.
    """

    def __init__(self, store: Store, workspace: str, clock: Clock, worker: Worker) -> None:
        self._store = store
        self._workspace = workspace
        self._clock = clock
        self._worker = worker
        self._today: date | None = None
        self._done: set[int] = set()

    def __call__(self, receipt_days: int) -> None:
        """A turn ended whose receipt is kept for so many days."""
        today = self._clock().date()
        if today != self._today:
            self._today = today
            self._done.clear()
        if receipt_days == 0 or receipt_days not in self._done:
            self._done.add(receipt_days)
            oldest = self._clock() - timedelta(days=receipt_days)
            self._worker.submit(lambda: self._prune(oldest))

    def _prune(self, oldest: datetime) -> None:
        try:
            with self._store.write(self._workspace) as unit:
                unit.receipts.prune(oldest)
                unit.variables.prune(oldest)
        except StoreClosed:
            _log.debug("old receipts are dropped next time: the store was closed")
        except Exception as error:  # nobody waits for it; tomorrow is another day
            _log.warning("old receipts were not dropped: %s", error)
