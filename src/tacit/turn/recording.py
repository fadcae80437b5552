"""A turn on its way into the store, as long as somebody waits for it."""

import logging
import threading
from collections.abc import Sequence

from tacit.core.conversation.opening import OpenTurn
from tacit.store.protocols.unit import Unit
from tacit.turn.means import Means

_MOST_WAITING = 64
_log = logging.getLogger("tacit.turn")


class Recording:
    """Keeps a turn open; given up, what is kept of it is what its caller was really shown."""

    def __init__(self, means: Means, opening: OpenTurn, vanished: Sequence[OpenTurn]) -> None:
        self._means = means
        self._opening = opening
        self._vanished = tuple(vanished)
        self._lock = threading.Lock()
        self._is_given_up = False

    def write(self) -> bool:
        """Keep the turn, and drop those of which nothing is left; too late, nothing is changed."""
        with self._means.store.write(self._means.workspace) as unit:
            for turn in self._vanished:
                unit.receipts.close(turn.session, turn.id)
            _open(unit, self._opening)
            with self._lock:
                if self._is_given_up:
                    raise TimeoutError("the turn went on without its record")
        return True

    def give_up(self, instead: OpenTurn) -> None:
        """Nobody waits for it: keep the turn as this one, beside the turns, when the store can.

        Who began a turn at a server ends it by its id, and must find it. A commit that is under
        way, or whose answer was lost, is put right by the same.
        """
        with self._lock:
            self._is_given_up = True
        if self._means.worker.waiting < _MOST_WAITING:
            self._means.worker.submit(lambda: self._record(instead))
        else:
            _log.info("turn %s is not recorded: too many wait for the store", instead.id)

    def _record(self, shown: OpenTurn) -> None:
        try:
            with self._means.store.write(self._means.workspace) as unit:
                kept = unit.receipts.opening(shown.id)
                if kept is not None and kept.abandoned is not None:
                    return
                unit.receipts.close(shown.session, shown.id)
                if unit.receipts.get(shown.id) is None:  # it has not ended meanwhile
                    _open(unit, shown)
        except Exception as error:
            _log.info("turn %s is not recorded as it was shown: %s", shown.id, error)


def _open(unit: Unit, turn: OpenTurn) -> None:
    """Keep a turn, and who takes part in its session by it."""
    unit.receipts.open(turn)
    for each in turn.participants():
        unit.participants.put(each)
