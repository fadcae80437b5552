"""Tables of the service: access keys, idempotency records, and the progress of long work."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from tacit.core.errors import AlreadyKnown
from tacit.core.keys import Key


class KeyTable(Protocol):
    """The keys of a whole store; each call is a transaction of its own."""

    def add(self, key: Key) -> None:
        """Add a key; none in use must have its name, and none at all its id (AlreadyKnown)."""

    def get(self, id: str) -> Key | None:
        """One key, revoked or not."""

    def all(self) -> list[Key]:
        """Every key, oldest first."""

    def revoke(self, id: str, at: datetime) -> bool:
        """End a key; tells whether it was in use."""

    def any(self) -> bool:
        """Whether there ever was a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotencyRecord:
    """What the request with this key was answered; `status` is None while it is worked on.

    `fingerprint` tells whether two requests that name one key are the same, and `at` when it was
    claimed.
    """

    key: str
    fingerprint: bytes
    at: datetime
    status: int | None = None
    body: bytes = b""


class IdempotencyTable(Protocol):
    """How requests were answered that may come again."""

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> IdempotencyRecord | None:
        """Begin to work on a request; returns the answer if another did so before.

        What was begun before `abandoned_before` and never finished is taken over by who asks the
        same.
        """

    def get(self, key: str) -> IdempotencyRecord | None:
        """What is known of a request."""

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Keep the answer to a request that is worked on; one that has its answer keeps that."""

    def release(self, key: str) -> None:
        """Let a request that is worked on be begun anew."""

    def blank(self) -> None:
        """Remove the bodies of all answers; that the requests were answered stays known."""

    def prune(self, before: datetime) -> int:
        """Drop what was begun before a moment; returns how many."""


class ProgressTable(Protocol):
    """How far long work has come, so that the next who does it goes on there."""

    def get(self, name: str) -> Mapping[str, Any] | None:
        """How far the work of this name has come."""

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Note how far it has come, as plain JSON."""

    def remove(self, name: str) -> None:
        """Let it begin anew."""


def key_name_taken(key: Key) -> AlreadyKnown:
    """The error of a key whose name or id another one has."""
    return AlreadyKnown(
        f"there is a key named {key.name!r} already; choose another name, or revoke that one first"
    )
