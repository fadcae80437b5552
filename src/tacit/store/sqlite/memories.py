"""Memories in SQLite."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime
from typing import Any

import apsw

from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.core.receipt import Unseen
from tacit.core.times import to_micros
from tacit.store.query import Query
from tacit.store.sql.conditions import conditions
from tacit.store.sql.counting import days_of
from tacit.store.sqlite.changes import SqliteChanges
from tacit.store.sqlite.patterns import patterns_of
from tacit.store.sqlite.rows import to_memory, to_row
from tacit.store.sqlite.sources import SIFTED, source_of
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
        clauses, bindings = self._filters(query)
        if query.after is not None:
            clauses.append(self._sql[f"after_{query.sort}"])
        source, order = source_of(query), self._sql[f"order_{query.sort}"]
        sql = f"{' AND '.join([self._sql[source], *clauses])} {order}"
        if source == SIFTED:
            sql = f"{self._sql['find_these']} ({sql}) {order}"
        place = {"after": query.after, "limit": query.limit}
        return [self._memory(row) for row in self._execute(sql, bindings | place)]

    def total(self, query: Query) -> int:
        """How many the query's filters leave."""
        clauses, bindings = self._filters(query)
        ((count,),) = self._execute(" AND ".join([self._sql["total"], *clauses]), bindings)
        return int(count)

    def unseen(self, user: str, agent: str, now: datetime, most: int) -> Unseen:
        """How many live memories of users a user does not see."""
        bound = {"user": user, "agent": agent, "now": to_micros(now), "most": most}
        ((unowned, others),) = self._rows("unseen", **bound)
        return Unseen(unowned=unowned, others=others)

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that exist, without reading them."""
        return {id for (id,) in self._rows("known", ids=json.dumps(list(ids)))}

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""
        return set(ids) - {id for (id,) in self._rows("standing", ids=json.dumps(list(ids)))}

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Note that these were really used."""
        self._run("count_access", ids=json.dumps(list(ids)), at=to_micros(at))

    def by_day(self, viewer: Viewer) -> dict[date, int]:
        """How many were created on each day in UTC."""
        return days_of(self._rows("by_day", agent=viewer.agent, user=viewer.user))

    def tally(self, now: datetime) -> list[tuple[Any, ...]]:
        """Rows of state, type, scope and how many."""
        return self._rows("count_by_state", now=to_micros(now))

    def _filters(self, query: Query) -> tuple[list[str], dict[str, Any]]:
        """The conditions that a query names, and their values."""
        named = dict(_conditions(query))
        patterns = {} if query.contains is None else patterns_of(query.contains)
        values = {**named, **patterns, "now": to_micros(query.now)}
        return [self._sql[f"where_{name}"] for name in named], values

    def _memory(self, row: Sequence[Any]) -> Memory:
        return to_memory(self._workspace, row)


def _conditions(query: Query) -> Iterator[tuple[str, Any]]:
    if query.state is not None:
        yield "state", str(query.state)
    if query.types is not None and len(query.types) != 1:
        yield "types", json.dumps(query.types)
    if query.owners is not None:
        yield "owners", json.dumps([f"{scope}:{id}" for scope, id in query.owners])
    yield from conditions(query)
    if query.contains is not None:
        yield "contains", query.contains
