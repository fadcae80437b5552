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
        """Add a key; no active key may have its name, and none its id (AlreadyKnown)."""

    def get(self, id: str) -> Key | None:
        """One key, revoked or not."""

    def all(self) -> list[Key]:
        """Every key, oldest first."""

    def revoke(self, id: str, at: datetime) -> bool:
        """Revoke a key; returns whether it was active."""

    def any(self) -> bool:
        """Whether there ever was a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotencyRecord:
    """The response to the request with this key; `status` is None while it is in progress.

    `fingerprint` identifies the content of the request, and `at` is when it was claimed.
    """

    key: str
    fingerprint: bytes
    at: datetime
    status: int | None = None
    body: bytes = b""


class IdempotencyTable(Protocol):
    """How requests were answered, for clients that repeat them."""

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> IdempotencyRecord | None:
        """Claim a request; returns the record if another caller claimed it before.

        A claim older than `abandoned_before` that was never finished is taken over by the same
        request.
        """

    def get(self, key: str) -> IdempotencyRecord | None:
        """The record of a request."""

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Store the response to a claimed request, unless it has one."""

    def release(self, key: str) -> None:
        """Release a claimed request, so that it can be claimed again."""

    def blank(self) -> None:
        """Remove the bodies of all answers; that the requests were answered stays known."""

    def prune(self, before: datetime) -> int:
        """Drop records that were claimed before a time; returns how many."""


class ProgressTable(Protocol):
    """The progress of long jobs, so that the next worker can continue them."""

    def get(self, name: str) -> Mapping[str, Any] | None:
        """The progress of the job with this name."""

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Store the progress of a job, as plain JSON."""

    def remove(self, name: str) -> None:
        """Reset the progress of a job."""


def key_name_taken(key: Key) -> AlreadyKnown:
    """The error for a key whose name or id is taken."""
    return AlreadyKnown(
        f"there is a key named {key.name!r} already; choose another name, or revoke that one first"
    )
