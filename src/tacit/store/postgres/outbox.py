"""Rows that were written in a unit and not sent yet, so that many go in one statement."""

from collections.abc import Callable

_MANY = 250
"""So few that the server works on them while we make the next ones."""


class Outbox:
    """What waits is sent before anything else is asked, when the unit ends, or when it is much.

    Nobody can tell the difference but by the time it takes: a refusal comes as late as it does
    for every change that nobody waits for.
    """

    def __init__(self) -> None:
        self._senders: list[Callable[[], None]] = []
        self._waiting = 0

    def serve(self, send: Callable[[], None]) -> None:
        """Add a table that has rows to send; what refers to others comes after them."""
        self._senders.append(send)

    def note(self) -> None:
        """Count a row that waits from now on."""
        self._waiting += 1
        if self._waiting >= _MANY:
            self.flush()

    def flush(self) -> None:
        """Send everything that waits."""
        if self._waiting:
            self._waiting = 0
            for send in self._senders:
                send()
