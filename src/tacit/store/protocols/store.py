"""A place that memories live in, and the keys to it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from tacit.core.keys import Key
from tacit.store.protocols.unit import Unit


class Keys(Protocol):
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


class Store(Protocol):
    """A place that memories live in; texts are in the order of their code points."""

    @property
    def is_shared(self) -> bool:
        """Whether programs on several machines may use it."""

    def workspaces(self) -> list[str]:
        """The workspaces that were ever written to, by name."""

    def read(self, workspace: str) -> AbstractContextManager[Unit]:
        """A consistent view of one workspace."""

    def write(self, workspace: str) -> AbstractContextManager[Unit]:
        """A transaction: all of it is durable when the block ends, or none of it ever was."""

    def keys(self) -> Keys:
        """The keys, which are read before a workspace is known."""

    def settle(self, workspace: str) -> None:
        """Make ready what searches will need, after much was written at once."""

    def purge(self) -> tuple[str, ...]:
        """Remove what was deleted from logs too; names the places it could not reach."""

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is, for people."""

    def close(self) -> None:
        """Let go of files and connections; calling it again does nothing."""
