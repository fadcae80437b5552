"""A turn on its way into the store, which may arrive when nobody waits for it any more."""

import logging
import threading
from collections.abc import Sequence

from tacit.conversation import OpenTurn
from tacit.runtime.deadline import begun
from tacit.turn.means import Means

_log = logging.getLogger("tacit.turn")


class Recording:
    """Keeps a turn open; given up, what is kept of it is what its caller was really shown."""

    def __init__(self, means: Means, opening: OpenTurn, vanished: Sequence[OpenTurn]) -> None:
        self._means = means
        self._opening = opening
        self._vanished = tuple(vanished)
        self._lock = threading.Lock()
        self._is_over = False
        self._instead: OpenTurn | None = None

    def write(self) -> bool:
        """Keep the turn, and drop those of which nothing is left."""
        try:
            with self._means.store.write(self._means.workspace) as unit:
                for turn in self._vanished:
                    unit.receipts.close(turn.session, turn.id)
                unit.receipts.open(self._opening)
        finally:
            with self._lock:
                self._is_over = True
                instead = self._instead
        if instead is not None:
            self._replace(instead)
        return True

    def give_up(self, instead: OpenTurn) -> None:
        """Nobody waits: should the turn be kept, or be kept later, then as this one."""
        with self._lock:
            self._instead = instead
            is_over = self._is_over
        if is_over:  # it failed, and may be there all the same
            begun(lambda: self._replace(instead), "tacit-record")

    def _replace(self, instead: OpenTurn) -> None:
        try:
            with self._means.store.write(self._means.workspace) as unit:
                kept = unit.receipts.opening(instead.id)
                if kept is not None and kept.abandoned is None:
                    unit.receipts.close(instead.session, instead.id)
                    unit.receipts.open(instead)
        except Exception as error:
            _log.info("a turn stays recorded as it was not shown: %s", error)
