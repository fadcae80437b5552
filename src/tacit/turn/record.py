"""The record of an open turn, from which any process can commit it.

The beginning writes it within the deadline. What it cannot write in time is pending: it is written
in the background, or by the commit if that comes first.
"""

import logging
import threading

from tacit.core.episodes import is_episode_id
from tacit.core.kinds import Owner, Scope
from tacit.core.open_turn import NotRecorded, OpenTurn
from tacit.core.sessions import Session
from tacit.store.protocols.store import UnitOfWork
from tacit.store.workspaces import episodes_workspace
from tacit.turn.session_view import SessionView
from tacit.turn.state import TurnDependencies

LEFT_TO_COMMIT = "record: left to the background and the commit"
"""The note of a turn that the beginning could not store in time."""

STORED_BY_COMMIT = "record: stored by the commit, from what the caller sent back"
"""The note of a turn that nothing was stored of before its commit."""

_MOST_WAITING = 64
_log = logging.getLogger("tacit.turn")


class TurnRecorder:
    """Records an open turn; if given up, the record is what the caller was really shown."""

    def __init__(
        self, dependencies: TurnDependencies, opening: OpenTurn, view: SessionView
    ) -> None:
        self._dependencies = dependencies
        self._opening = opening
        self._overtaken = view.vanished
        self._lock = threading.Lock()
        self._is_given_up = False

    def write(self) -> bool:
        """Record the turn and set aside those it overtook; changes nothing if it is too late."""
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            for turn in self._overtaken:
                set_aside_turn(unit, turn.id)
            _store_open_turn(unit, self._opening)
            with self._lock:
                if self._is_given_up:
                    raise TimeoutError("the turn went on without its record")
        _abandon_erased(self._dependencies, self._opening)
        return True

    def give_up(self, instead: OpenTurn) -> None:
        """Stop waiting, and record this version of the turn in the background.

        Until then it is pending: a client that began it here ends it by its id, and must find it.
        The same corrects a write that is under way or whose answer was lost.
        """
        with self._lock:
            self._is_given_up = True
        dependencies = self._dependencies
        dependencies.pending.add(instead)
        if dependencies.worker.waiting < _MOST_WAITING:
            dependencies.worker.submit(lambda: _record_pending(dependencies, instead.id))
        else:
            _log.info("turn %s is left to its commit: too many wait for the store", instead.id)


def record_pending_turns(dependencies: TurnDependencies) -> None:
    """Store the pending turns now."""
    for turn in dependencies.pending.all():
        _record_pending(dependencies, turn.id)


def _record_pending(dependencies: TurnDependencies, id: str) -> None:
    """Store a turn as it was shown, unless it ended meanwhile; if that fails, it stays pending."""
    pending = dependencies.pending
    try:
        with dependencies.store.write(dependencies.workspace) as unit:
            shown = pending.get(id)
            if shown is None or find_reason_to_skip(unit, shown) is not None:
                return
            unit.receipts.close_turn(shown.session, shown.id)
            if unit.receipts.get(shown.id) is None:  # it has not ended meanwhile
                _store_open_turn(unit, shown)
        pending.remove(id)
    except Exception as error:
        _log.info("turn %s is left to its commit: %s", id, error)


def _abandon_erased(dependencies: TurnDependencies, turn: OpenTurn) -> None:
    """Abandon a turn that shows an episode which was erased before the turn was recorded."""
    shown = [id for block in turn.blocks for id in block.memories if is_episode_id(id)]
    if not shown:
        return
    store, workspace = dependencies.store, dependencies.workspace
    with store.read(episodes_workspace(workspace)) as unit:
        is_whole = len(unit.memories.known(shown)) == len(shown)
    if not is_whole:
        with store.write(workspace) as unit:
            unit.receipts.abandon_turn(turn, NotRecorded.ERASED)


def _store_open_turn(unit: UnitOfWork, turn: OpenTurn) -> None:
    """Store an open turn and the participants it adds to its session."""
    unit.receipts.open_turn(turn)
    for each in turn.participants():
        unit.participants.put(each)


def set_aside_turn(unit: UnitOfWork, id: str) -> OpenTurn | None:
    """Keep an open turn for its commit alone, if it is still open; returns it.

    A later turn began without its message in the history. It may overlap with that one, or nobody
    will end it: it counts as not happened until its commit comes.
    """
    turn = unit.receipts.get_open_turn(id)
    if turn is None or turn.abandoned is not None:
        return None
    if unit.receipts.get(id) is not None:  # it is over
        unit.receipts.close_turn(turn.session, id)
        return None
    if not turn.is_overtaken:
        unit.receipts.close_turn(turn.session, id)
        unit.receipts.open_turn(turn.to_overtaken())
    return turn


def find_reason_to_skip(unit: UnitOfWork, opening: OpenTurn) -> NotRecorded | None:
    """Why a turn may no longer be written; None if it may."""
    kept = unit.receipts.get_open_turn(opening.id)
    if kept is not None and kept.abandoned is not None:
        return kept.abandoned
    session = unit.sessions.get(opening.session)
    if session is not None and _is_cleared_since(session, opening):
        return NotRecorded.SESSION_CLEARED
    owners: set[Owner] = {(Scope.SESSION, opening.session)}
    if opening.receipt.project is not None:
        owners.add((Scope.PROJECT, opening.receipt.project))
    return None if owners.isdisjoint(unit.sessions.paused()) else NotRecorded.PAUSED


def _is_cleared_since(session: Session, opening: OpenTurn) -> bool:
    """Whether a session was cleared after the turn began."""
    if opening.clears is not None:
        return session.clears > opening.clears
    return session.cleared_at is not None and session.cleared_at > opening.receipt.at
