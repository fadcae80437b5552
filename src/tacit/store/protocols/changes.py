"""What a backend offers of changes: their account, what waits for a person, and events."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol

from tacit.core.changes import AuditEntry, Review
from tacit.core.events import Event, EventKind


class Audit(Protocol):
    """The account of changes; rows are added, and only an erasure blanks them."""

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""


class Reviews(Protocol):
    """Changes that wait for a person."""

    def same(self, review: Review) -> Review | None:
        """The wish of the same author for the same change that waits already."""

    def add(self, review: Review) -> None:
        """Queue a wish that does not wait yet."""

    def get(self, id: str) -> Review | None:
        """One wish that waits."""

    def about(self, memory: str) -> list[Review]:
        """The wishes about one memory, oldest first."""

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of what waits, oldest first."""

    def drop(self, id: str) -> bool:
        """Drop one wish; tells whether it waited."""

    def remove(self, memory: str) -> int:
        """Drop the wishes about one memory; returns how many."""


class Events(Protocol):
    """What happened in one workspace, numbered without gaps in the order of commits."""

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Note that something happened; returns its number."""

    def after(self, number: int, limit: int) -> list[Event]:
        """What has a higher number, oldest first."""

    def last(self) -> int:
        """The number that was given last, even if the event is not kept; 0 if none ever was."""

    def first(self) -> int:
        """The number of the oldest that is kept; 0 if none is."""

    def prune(self, keep: int) -> int:
        """Drop all but the newest; returns how many. No number is given again."""
