"""Memories in PostgreSQL."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime
from typing import Any

from tacit.core.kinds import State
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.core.receipt import Unseen
from tacit.core.times import to_micros
from tacit.store.postgres.changes import PostgresChanges
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.outbox import Outbox
from tacit.store.postgres.posting import PostingTable
from tacit.store.postgres.rows import to_memory, to_row
from tacit.store.query import Query
from tacit.store.sql.conditions import conditions
from tacit.store.sql.counting import days_of
from tacit.store.sql.rows import to_json
from tacit.store.sql.statements import statements
from tacit.store.wording import expression

_SQL = statements(__package__, "memories")


class PostgresMemories(PostingTable[Memory]):
    """The memories of one workspace."""

    topic = "memories"

    def __init__(
        self,
        connection: Connection,
        workspace: str,
        number: int,
        outbox: Outbox,
        changes: PostgresChanges,
    ) -> None:
        super().__init__(connection, workspace, number, outbox)
        self._changes = changes
        self._known: dict[bytes, Memory | None] = {}

    def insert(self, memory: Memory) -> None:
        """Add a memory that is not there."""
        self._changes.write(memory.id)
        if memory.superseded_by is None:
            self._known[memory.content_hash] = memory
        self._wait(memory.id, memory)

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id."""
        self._changes.write(memory.id)
        self._change("update", **to_row(memory))

    def delete(self, id: str) -> None:
        """Remove a memory; terms, vectors and associations follow by foreign key."""
        self._changes.advance()
        self._send("await_census")
        self._send("forget_terms", id=id)
        self._change("delete", id=id)

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist."""
        arrived = {id: self._waiting[id] for id in ids if id in self._waiting}
        others = [id for id in ids if id not in arrived]
        if arrived and not others:
            return arrived
        memories = (self._memory(row) for row in self._fetch(self._sql["get"], {"ids": others}))
        return arrived | {memory.id: memory for memory in memories}

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this identity that was not superseded."""
        if content_hash in self._known:
            return self._known[content_hash]
        return self._look([content_hash]).get(content_hash)

    def same_as(self, hashes: Collection[bytes]) -> dict[bytes, Memory]:
        """The memories with these identities, which are known from now on."""
        unknown = [each for each in hashes if each not in self._known]
        if unknown:
            self._known |= {**dict.fromkeys(unknown), **self._look(unknown)}
        found = ((each, self._known[each]) for each in hashes)
        return {each: memory for each, memory in found if memory is not None}

    def ending(self, suffix: str, limit: int) -> list[str]:
        """Ids that end like this."""
        return [id for (id,) in self._rows("ending", suffix=suffix, limit=limit)]

    def find(self, query: Query) -> list[Memory]:
        """What the query asks for: the conditions it names, in its order."""
        clause, values = filters(query)
        clauses = [_SQL["find"], clause]
        if query.after is not None:
            clauses.append(_SQL[f"after_{query.sort}"])
        sql = " AND ".join(clauses)
        order = _SQL[f"order_{query.sort}"]
        bindings = {**values, "after": query.after, "limit": query.limit}
        rows = self._execute(f"{sql} {order}", bindings)
        return [self._memory(row) for row in rows]

    def total(self, query: Query) -> int:
        """How many the query's filters leave."""
        clause, values = filters(query)
        ((count,),) = self._execute(f"{_SQL['total']} AND {clause}", values)
        return int(count)

    def unseen(self, user: str, agent: str, now: datetime, most: int) -> Unseen:
        """How many live memories of users a user does not see."""
        bound = {"user": user, "agent": agent, "now": to_micros(now), "most": most}
        ((unowned, others),) = self._rows("unseen", **bound)
        return Unseen(unowned=unowned, others=others)

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that exist, without reading them."""
        return {id for (id,) in self._rows("known", ids=list(ids))}

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""
        return set(ids) - {id for (id,) in self._rows("standing", ids=list(ids))}

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Note that these were really used."""
        self._change("count_access", ids=list(ids), at=to_micros(at))

    def by_day(self, viewer: Viewer) -> dict[date, int]:
        """How many were created on each day in UTC."""
        return days_of(self._rows("by_day", agent=viewer.agent, user=viewer.user))

    def tally(self, now: datetime) -> list[tuple[Any, ...]]:
        """Rows of state, type, scope and how many."""
        return self._rows("count_by_state", now=to_micros(now))

    def _look(self, hashes: list[bytes]) -> dict[bytes, Memory]:
        """What the server has with these identities; what waits is known already."""
        rows = self._fetch(self._sql["same"], {"hashes": hashes})
        return {row[2]: self._memory(row) for row in rows}

    def _change(self, name: str, **bindings: Any) -> None:
        """Change memories that are there, after which nothing is known of them any more."""
        self._send(name, **bindings)
        self._known.clear()

    def _post(self, rows: Sequence[Memory]) -> None:
        self._send("insert", rows=to_json([_as_json(memory) for memory in rows]))

    def _memory(self, row: Sequence[Any]) -> Memory:
        return to_memory(self._workspace, row)


def _as_json(memory: Memory) -> dict[str, Any]:
    """The columns of a memory as JSON can say them."""
    row = to_row(memory)
    row["content_hash"] = f"\\x{row['content_hash'].hex()}"
    return row


def filters(query: Query) -> tuple[str, dict[str, Any]]:
    """The conditions that a query names, as SQL on the columns of memories, and their values."""
    named = dict(_conditions(query))
    clauses = [_SQL[f"where_{name}"] for name in named] or ["true"]
    owner_ids = [id for _, id in query.owners or ()]
    values = {**named, "owner_ids": owner_ids, "now": to_micros(query.now)}
    return " AND ".join(clauses), values


def _conditions(query: Query) -> Iterator[tuple[str, Any]]:
    if query.state is not None:
        yield "live" if query.state is State.LIVE else "state", str(query.state)
    if query.types is not None and len(query.types) != 1:
        yield "types", [str(type) for type in query.types]
    if query.owners is not None:
        yield "owners", [str(scope) for scope, _ in query.owners]
    yield from conditions(query)
    if query.contains is not None:
        yield "contains", expression(query.contains)
