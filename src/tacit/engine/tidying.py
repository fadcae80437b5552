"""Dropping receipts and variables that are too old, beside the turns and once a day."""

import logging
from datetime import date, timedelta

from tacit.runtime.clock import Clock
from tacit.runtime.worker import Worker
from tacit.store import Store

_log = logging.getLogger("tacit.turn")


class Tidying:
    """Hears of every turn that ended; the first of a day has old receipts dropped."""

    def __init__(self, store: Store, workspace: str, clock: Clock, worker: Worker) -> None:
        self._store = store
        self._workspace = workspace
        self._clock = clock
        self._worker = worker
        self._last: date | None = None

    def __call__(self, receipt_days: int) -> None:
        """A turn ended whose receipt is kept for so many days."""
        today = self._clock().date()
        if today != self._last:
            self._last = today
            self._worker.submit(lambda: self._prune(receipt_days))

    def _prune(self, days: int) -> None:
        try:
            with self._store.write(self._workspace) as unit:
                unit.receipts.prune(self._clock() - timedelta(days=days))
                unit.variables.prune(self._clock() - timedelta(days=days))
        except Exception as error:  # nobody waits for it; tomorrow is another day
            _log.warning("old receipts were not dropped: %s", error)
