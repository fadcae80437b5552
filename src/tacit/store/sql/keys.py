"""Keys in SQL: the one table that no workspace is bound to."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tacit.core.keys import Key, Role
from tacit.core.times import from_micros, to_micros
from tacit.store.known_key import already_known

Rows = list[tuple[Any, ...]]


class SqlKeys(ABC):
    """The keys of a whole store; a backend says how a query becomes a transaction."""

    def add(self, key: Key) -> None:
        """Add a key; none in use must have its name, and none at all its id (AlreadyKnown)."""
        if not self._write("add", **_columns(key)):
            raise already_known(key)

    def get(self, id: str) -> Key | None:
        """One key, revoked or not."""
        return next((_key(row) for row in self._read("get", id=id)), None)

    def all(self) -> list[Key]:
        """Every key, oldest first."""
        return [_key(row) for row in self._read("all")]

    def revoke(self, id: str, at: datetime) -> bool:
        """End a key; tells whether it was in use."""
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


def _columns(key: Key) -> dict[str, Any]:
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


def _key(row: Sequence[Any]) -> Key:
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
