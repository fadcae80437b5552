"""A store that lives as long as the process."""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from tacit.errors import StoreUnavailable
from tacit.memory import State
from tacit.store.inmemory.memories import InMemoryMemories, InMemoryTexts, InMemoryVectors
from tacit.store.inmemory.records import InMemoryAssociations, InMemoryAudit, InMemoryReviews
from tacit.store.inmemory.tables import Tables
from tacit.store.query import Counts


class InMemoryUnit:
    """One transaction on one workspace."""

    def __init__(self, tables: Tables, workspace: str) -> None:
        self._tables = tables
        self.workspace = workspace
        self.memories = InMemoryMemories(tables)
        self.associations = InMemoryAssociations(tables)
        self.texts = InMemoryTexts(tables)
        self.vectors = InMemoryVectors(tables)
        self.audit = InMemoryAudit(tables)
        self.reviews = InMemoryReviews(tables)

    def counts(self, now: datetime) -> Counts:
        """How much is here."""
        tables = self._tables
        live = [each for each in tables.memories.values() if each.state(now) is State.LIVE]
        models = (f"{m.name} ({m.dims}, {m.revision})" for m, _ in tables.vectors)
        return Counts(
            by_state=dict(Counter(each.state(now) for each in tables.memories.values())),
            by_type=dict(Counter(each.type for each in live)),
            by_scope=dict(Counter(each.scope for each in live)),
            associations=len(tables.associations),
            audit_entries=len(tables.audit),
            reviews=len(tables.reviews),
            indexed=len(tables.terms),
            vectors=dict(Counter(models)),
        )


class InMemoryStore:
    """Workspaces in dictionaries; a transaction works on a copy and swaps it in."""

    def __init__(self) -> None:
        self._workspaces: dict[str, Tables] = {}
        self._writing = threading.Lock()
        self._closed = False

    @contextmanager
    def read(self, workspace: str) -> Iterator[InMemoryUnit]:
        """A consistent view of one workspace."""
        self._check()
        yield InMemoryUnit(self._workspaces.get(workspace, Tables()), workspace)

    @contextmanager
    def write(self, workspace: str) -> Iterator[InMemoryUnit]:
        """A transaction: all of it is there when the block ends, or none of it ever was."""
        self._check()
        with self._writing:
            tables = self._workspaces.get(workspace, Tables()).copy()
            yield InMemoryUnit(tables, workspace)
            self._workspaces[workspace] = tables

    def purge(self) -> tuple[str, ...]:
        """Nothing deleted is left anywhere."""
        return ()

    def describe(self) -> Mapping[str, object]:
        """Where it is: nowhere that lasts."""
        return {"backend": "memory"}

    def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        self._closed = True
        self._workspaces = {}

    def _check(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store in memory was closed; open a new one")
