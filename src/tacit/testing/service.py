"""Access keys, idempotency records and progress in dictionaries."""

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from tacit.core.keys import Key
from tacit.store.protocols.service import IdempotencyRecord, key_name_taken
from tacit.testing.tables import WorkspaceTables


class InMemoryKeys:
    """The keys of a whole store."""

    def __init__(self) -> None:
        self._keys: dict[str, Key] = {}
        self._writing = threading.Lock()

    def add(self, key: Key) -> None:
        """Add a key; no active key may have its name, and none its id (AlreadyKnown)."""
        with self._writing:
            if key.id in self._keys or (key.revoked_at is None and key.name in self._names()):
                raise key_name_taken(key)
            self._keys[key.id] = key

    def get(self, id: str) -> Key | None:
        """One key, revoked or not."""
        return self._keys.get(id)

    def all(self) -> list[Key]:
        """Every key, oldest first."""
        with self._writing:
            return sorted(self._keys.values(), key=lambda key: (key.created_at, key.id))

    def revoke(self, id: str, at: datetime) -> bool:
        """Revoke a key; returns whether it was active."""
        with self._writing:
            key = self._keys.get(id)
            if key is None or key.revoked_at is not None:
                return False
            self._keys[id] = replace(key, revoked_at=at)
            return True

    def any(self) -> bool:
        """Whether there ever was a key."""
        return bool(self._keys)

    def _names(self) -> set[str]:
        return {key.name for key in self._keys.values() if key.revoked_at is None}


class InMemoryIdempotencyRecords:
    """The idempotency records of one workspace."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> IdempotencyRecord | None:
        """Claim a request; returns the record if another caller claimed it before."""
        known = self._tables.answers.get(key)
        if known is not None and not _is_abandoned(known, fingerprint, abandoned_before):
            return known
        self._tables.answers[key] = IdempotencyRecord(key=key, fingerprint=fingerprint, at=at)
        return None

    def get(self, key: str) -> IdempotencyRecord | None:
        """The record of a request."""
        return self._tables.answers.get(key)

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Store the response to a claimed request."""
        if claimed := self._claimed(key):
            self._tables.answers[key] = replace(claimed, status=status, body=body)

    def release(self, key: str) -> None:
        """Release a claimed request, so that it can be claimed again."""
        if self._claimed(key):
            del self._tables.answers[key]

    def blank(self) -> None:
        """Remove the bodies of all answers; that the requests were answered stays known."""
        for key, answer in self._tables.answers.items():
            if answer.status is not None:
                self._tables.answers[key] = replace(answer, body=b"")

    def prune(self, before: datetime) -> int:
        """Drop records that were claimed before a time; returns how many."""
        gone = [key for key, answer in self._tables.answers.items() if answer.at < before]
        for key in gone:
            del self._tables.answers[key]
        return len(gone)

    def _claimed(self, key: str) -> IdempotencyRecord | None:
        known = self._tables.answers.get(key)
        return known if known is not None and known.status is None else None


def _is_abandoned(known: IdempotencyRecord, fingerprint: bytes, before: datetime) -> bool:
    return known.status is None and known.at < before and known.fingerprint == fingerprint


class InMemoryProgress:
    """The progress of long jobs in one workspace; kept as JSON, as other backends keep it."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def get(self, name: str) -> Mapping[str, Any] | None:
        """The progress of the job with this name."""
        value = self._tables.progress.get(name)
        return None if value is None else json.loads(value)

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Store the progress of a job."""
        self._tables.progress[name] = json.dumps(value)

    def remove(self, name: str) -> None:
        """Reset the progress of a job."""
        self._tables.progress.pop(name, None)
