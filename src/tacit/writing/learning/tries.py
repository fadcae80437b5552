"""Turns that cannot be read: each is tried three times, then set aside for a person.

A try is counted before the reading begins, so that a text that ends the process, or never ends,
counts as well. Turns are read together at first; what was tried before is read alone, so that it
is told from the turns beside it.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tacit.core.errors import TacitError
from tacit.core.open_turn import CapturedTurn, QueuedTurn
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.writing.learning.lesson import Learned

MAX_TRIES = 3
NOT_THE_TURNS_FAULT = (TacitError, OSError)
"""Errors of the store, of a service or of the machine; what was to be read is tried again."""

_MAX_PROBLEM = 300
_NOT_ENDED = "the reading did not end: the process was stopped each time"

_log = logging.getLogger("tacit.learning")


def split_portions(turns: Sequence[QueuedTurn]) -> Iterator[Sequence[QueuedTurn]]:
    """What is read together: all new turns, and each that was tried before alone."""
    if new := [each for each in turns if not each.tries]:
        yield new
    yield from ([each] for each in turns if each.tries)


def describe_error(error: Exception) -> str:
    """What went wrong, in a line."""
    return f"{type(error).__name__}: {error}"


def count_failure(unit: UnitOfWork, turns: Sequence[QueuedTurn], problem: str) -> None:
    """Count a failed reading of turns; what was tried often enough is set aside."""
    unit.heard.add_tries([each.id for each in turns], 1)
    _set_aside(unit, [each for each in turns if each.tries + 1 >= MAX_TRIES], problem)


def _set_aside(unit: UnitOfWork, turns: Sequence[QueuedTurn], problem: str) -> None:
    if turns:
        _log.warning("%d turns are set aside, since they cannot be read: %s", len(turns), problem)
        unit.heard.set_aside([each.id for each in turns], problem[:_MAX_PROBLEM])


@dataclass(frozen=True, slots=True)
class TriedReadings:
    """The readings of one workspace's turns by rules."""

    store: Store
    workspace: str

    def read(
        self, turns: Sequence[QueuedTurn], read: Callable[[Sequence[CapturedTurn]], Learned]
    ) -> list[Learned]:
        """Read turns; those that fail are tried again by the next call, or are set aside."""
        endless = [each for each in turns if each.tries >= MAX_TRIES]
        if endless:
            with self.store.write(self.workspace) as unit:
                _set_aside(unit, endless, _NOT_ENDED)
        rest = [each for each in turns if each.tries < MAX_TRIES]
        parts = [self._try(portion, read) for portion in split_portions(rest)]
        return [each for each in parts if each is not None]

    def _try(
        self, portion: Sequence[QueuedTurn], read: Callable[[Sequence[CapturedTurn]], Learned]
    ) -> Learned | None:
        self._add_tries(portion, 1)
        try:
            return read([each.turn for each in portion])
        except NOT_THE_TURNS_FAULT:
            with suppress(*NOT_THE_TURNS_FAULT):
                self._add_tries(portion, -1)
            raise
        except Exception as error:
            problem = describe_error(error)
            _log.warning("%d turns could not be read: %s", len(portion), problem)
            last = [each for each in portion if each.tries + 1 >= MAX_TRIES]
            if last:
                with self.store.write(self.workspace) as unit:
                    _set_aside(unit, last, problem)
            return None

    def _add_tries(self, portion: Sequence[QueuedTurn], count: int) -> None:
        with self.store.write(self.workspace) as unit:
            unit.heard.add_tries([each.id for each in portion], count)
