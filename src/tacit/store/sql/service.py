"""Access keys, idempotency records and progress in SQL."""

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tacit.core.keys import Key, Role
from tacit.core.times import from_micros, to_micros
from tacit.store.protocols.service import IdempotencyRecord, key_name_taken
from tacit.store.sql.table import SqlTable, to_json

Rows = list[tuple[Any, ...]]


class SqlKeys(ABC):
    """The keys of a whole store; a backend says how a query becomes a transaction."""

    def add(self, key: Key) -> None:
        """Add a key; no active key may have its name, and none its id (AlreadyKnown)."""
        if not self._write("add", **_to_key_columns(key)):
            raise key_name_taken(key)

    def get(self, id: str) -> Key | None:
        """One key, revoked or not."""
        return next((_to_key(row) for row in self._read("get", id=id)), None)

    def all(self) -> list[Key]:
        """Every key, oldest first."""
        return [_to_key(row) for row in self._read("all")]

    def revoke(self, id: str, at: datetime) -> bool:
        """Revoke a key; returns whether it was active."""
        return bool(self._write("revoke", id=id, at=to_micros(at)))

    def any(self) -> bool:
        """Whether there ever was a key."""
        return bool(self._read("any"))

    @abstractmethod
    def _read(self, name: str, /, **bindings: Any) -> Rows:
        """The rows that a query gives."""

    @abstractmethod
    def _write(self, name: str, /, **bindings: Any) -> Rows:
        """The rows that a change gives: those that it changed."""


def _to_key_columns(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "workspace": key.workspace,
        "role": str(key.role),
        "agent": key.agent,
        "user_name": key.user,
        "speaks_for_users": None if key.speaks_by_upgrade else key.speaks_for_users,
        "digest": key.digest,
        "created_at": to_micros(key.created_at),
        "revoked_at": to_micros(key.revoked_at),
    }


def _to_key(row: Sequence[Any]) -> Key:
    id, name, workspace, role, agent, user, speaks, digest, created_at, revoked_at = row
    return Key(
        id=id,
        name=name,
        workspace=workspace,
        role=Role(role),
        agent=agent,
        user=user,
        speaks_for_users=speaks is None or bool(speaks),
        speaks_by_upgrade=speaks is None,
        digest=digest,
        created_at=from_micros(created_at),
        revoked_at=from_micros(revoked_at),
    )


_EMPTY_BODY = zlib.compress(b"", 1)


class SqlIdempotencyRecords(SqlTable):
    """The idempotency records of one workspace; bodies are compressed."""

    topic = "answers"

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> IdempotencyRecord | None:
        """Claim a request; returns the record if another caller claimed it before."""
        is_ours = self._row(
            "claim",
            key=key,
            fingerprint=fingerprint,
            at=to_micros(at),
            body=_EMPTY_BODY,
            abandoned_before=to_micros(abandoned_before),
        )
        return None if is_ours else self.get(key)

    def get(self, key: str) -> IdempotencyRecord | None:
        """The record of a request."""
        row = self._row("get", key=key)
        return _to_record(row) if row else None

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Store the response to a claimed request."""
        self._send("finish", key=key, status=status, body=zlib.compress(body, 1))

    def release(self, key: str) -> None:
        """Release a claimed request, so that it can be claimed again."""
        self._send("release", key=key)

    def blank(self) -> None:
        """Remove the bodies of all answers; that the requests were answered stays known."""
        self._send("blank", body=_EMPTY_BODY)

    def prune(self, before: datetime) -> int:
        """Drop records that were claimed before a time; returns how many."""
        return self._run("prune", before=to_micros(before))


def _to_record(row: Sequence[Any]) -> IdempotencyRecord:
    key, fingerprint, at, status, body = row
    return IdempotencyRecord(
        key=key,
        fingerprint=fingerprint,
        at=from_micros(at),
        status=status,
        body=zlib.decompress(body),
    )


class SqlProgress(SqlTable):
    """The progress of long jobs in one workspace."""

    topic = "progress"

    def get(self, name: str) -> Mapping[str, Any] | None:
        """The progress of the job with this name."""
        row = self._row("get", name=name)
        return json.loads(row[0]) if row else None

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Store the progress of a job."""
        self._send("put", name=name, value=to_json(value))

    def remove(self, name: str) -> None:
        """Reset the progress of a job."""
        self._send("remove", name=name)
