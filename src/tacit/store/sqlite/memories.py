"""Memories in SQLite."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

import apsw

from tacit.memory import Memory, Sort, to_micros
from tacit.store.query import Query
from tacit.store.sqlite.changes import SqliteChanges
from tacit.store.sqlite.rows import to_memory, to_row
from tacit.store.sqlite.table import Table


class SqliteMemories(Table):
    """The memories of one workspace."""

    topic = "memories"

    def __init__(
        self, connection: apsw.Connection, workspace: str, number: int, changes: SqliteChanges
    ) -> None:
        super().__init__(connection, workspace, number)
        self._changes = changes

    def insert(self, memory: Memory) -> None:
        """Add a memory that is not there."""
        self._run("insert", revision=self._changes.current(), **to_row(memory))

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id."""
        self._run("update", revision=self._changes.current(), **to_row(memory))

    def delete(self, id: str) -> None:
        """Remove a memory; terms, vectors and associations follow by foreign key."""
        if self._run("delete", id=id):
            self._run("note_removal", id=id, revision=self._changes.current())

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist."""
        memories = (self._memory(row) for row in self._rows("get", ids=json.dumps(list(ids))))
        return {memory.id: memory for memory in memories}

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this identity that was not superseded."""
        row = self._row("same", content_hash=content_hash)
        return self._memory(row) if row else None

    def same_as(self, hashes: Collection[bytes]) -> dict[bytes, Memory]:
        """Those with these identities."""
        asked = json.dumps([each.hex() for each in hashes])
        memories = (self._memory(row) for row in self._rows("same_as", hashes=asked))
        return {memory.content_hash: memory for memory in memories}

    def ending(self, suffix: str, limit: int) -> list[str]:
        """Ids that end like this."""
        return [id for (id,) in self._rows("ending", suffix=suffix, limit=limit)]

    def find(self, query: Query) -> list[Memory]:
        """What the query asks for: the conditions it names, in its order."""
        conditions = dict(_conditions(query))
        clauses = [self._sql[f"where_{name}"] for name in conditions]
        if query.after is not None:
            clauses.append(self._sql[f"after_{query.sort}"])
        sql = " AND ".join([self._sql[_source(query)], *clauses])
        bindings = {
            **conditions,
            "now": to_micros(query.now),
            "after": query.after,
            "limit": query.limit,
        }
        order = self._sql[f"order_{query.sort}"]
        rows = self._execute(f"{sql} {order}", bindings)
        return [self._memory(row) for row in rows]

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that exist, without reading them."""
        return {id for (id,) in self._rows("known", ids=json.dumps(list(ids)))}

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""
        return set(ids) - {id for (id,) in self._rows("standing", ids=json.dumps(list(ids)))}

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Note that these were really used."""
        self._run("count_access", ids=json.dumps(list(ids)), at=to_micros(at))

    def tally(self, now: datetime) -> list[tuple[Any, ...]]:
        """Rows of state, type, scope and how many."""
        return self._rows("count_by_state", now=to_micros(now))

    def _memory(self, row: Sequence[Any]) -> Memory:
        return to_memory(self._workspace, row)


def _conditions(query: Query) -> Iterator[tuple[str, Any]]:
    if query.state is not None:
        yield "state", str(query.state)
    if query.types is not None and len(query.types) == 1:
        yield "type", str(query.types[0])
    elif query.types is not None:
        yield "types", json.dumps(query.types)
    if query.min_confidence > 0:
        yield "min_confidence", query.min_confidence
    if query.owners is not None:
        yield "owners", json.dumps([f"{scope}:{id}" for scope, id in query.owners])
    if query.keyed:
        yield "keyed", True
    if query.pinned is not None:
        yield "pinned" if query.pinned else "unpinned", True
    for name in ("scope", "scope_id", "agent", "key", "tag"):
        value = getattr(query, name)
        if value is not None:
            yield name, str(value)


def _source(query: Query) -> str:
    """Where to look first: at what is rarest."""
    if query.key is not None:
        return "find_by_key"
    if query.keyed and query.scope is not None:
        return "find_keyed"
    if query.pinned:
        return "find_pinned"
    has_order = query.sort in (Sort.RECENT, Sort.IMPORTANCE)
    if query.types is not None and len(query.types) == 1 and has_order:
        return f"find_{query.sort}_of_type"
    return "find"
