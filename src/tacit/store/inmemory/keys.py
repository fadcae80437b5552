"""Keys in a dictionary."""

import threading
from dataclasses import replace
from datetime import datetime

from tacit.core.keys import Key
from tacit.store.known_key import already_known


class InMemoryKeys:
    """The keys of a whole store."""

    def __init__(self) -> None:
        self._keys: dict[str, Key] = {}
        self._writing = threading.Lock()

    def add(self, key: Key) -> None:
        """Add a key; none in use must have its name, and none at all its id (AlreadyKnown)."""
        with self._writing:
            if key.id in self._keys or (key.revoked_at is None and key.name in self._names()):
                raise already_known(key)
            self._keys[key.id] = key

    def get(self, id: str) -> Key | None:
        """One key, revoked or not."""
        return self._keys.get(id)

    def all(self) -> list[Key]:
        """Every key, oldest first."""
        with self._writing:
            return sorted(self._keys.values(), key=lambda key: (key.created_at, key.id))

    def revoke(self, id: str, at: datetime) -> bool:
        """End a key; tells whether it was in use."""
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
