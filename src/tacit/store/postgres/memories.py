"""Memories in PostgreSQL: edges, terms, vectors, token codes, claims, audit and reviews."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date, datetime
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import numpy as np
from pgvector import HalfVector

from tacit.core.changes import AuditEntry, ChangePlace
from tacit.core.kinds import Owner, State
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.core.receipt import Unseen
from tacit.core.times import to_micros
from tacit.core.vectors import EmbeddingModel, Vector, pack_vector, unpack_vector
from tacit.language.terms import signed_term_code
from tacit.store.index import IndexedBatch
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.table import BufferedTable, PostgresTable, WriteBuffer
from tacit.store.query import Query, query_conditions, to_regex
from tacit.store.sql import table as rows
from tacit.store.sql.memories import (
    SqlAssociations,
    SqlAudit,
    SqlComparisonQueue,
    SqlComparisons,
    SqlGenerations,
    SqlReviews,
)
from tacit.store.sql.table import group_shared_claims, load_queries, to_audit_columns, to_json
from tacit.store.stats import to_day_counts

_CHANGES_PAGE = 50_000


class PostgresChanges(PostgresTable):
    """The revision of one workspace, and what each revision changed."""

    topic = "changes"

    def __init__(
        self, connection: Connection, workspace: str, number: int, write_buffer: WriteBuffer
    ) -> None:
        super().__init__(connection, workspace, number, write_buffer)
        self._has_advanced = False
        self._revision: int | None = None
        self._written: set[str] = set()

    def revision(self) -> int:
        """The last revision that was committed, or this transaction's own.

        It is asked for once: a reader has one snapshot, and a writer has locked the workspace.
        """
        if self._revision is None:
            row = self._row("revision")
            self._revision = row[0] if row else 0
        return self._revision

    def advance(self) -> None:
        """Give this transaction one revision for everything that it writes."""
        if not self._has_advanced:
            self._send("advance")
            self._has_advanced = True
            self._revision = None

    def write(self, id: str) -> None:
        """Record that a memory's row is written, with this transaction's revision."""
        self.advance()
        self._written.add(id)

    def mark(self, ids: Iterable[str]) -> None:
        """Record a change of memories that is not in their own rows."""
        unmarked = [id for id in ids if id not in self._written]
        if unmarked:
            self.advance()
            self._send_found("mark", len(unmarked), ids=unmarked)

    def since(self, revision: int, model: int | None) -> Iterator[IndexedBatch]:
        """What changed after a revision, as far as search needs to know, in batches."""
        if revision > 0:
            yield to_indexed_batch(self._rows("since", revision=revision, model=model))
            return
        after = 0
        while rows := self._rows("page", after=after, model=model, limit=_CHANGES_PAGE):
            after = rows[-1][-1]
            yield to_indexed_batch([row[:-1] for row in rows])

    def removed(self, revision: int) -> list[str]:
        """Ids that were erased after a revision."""
        return [id for (id,) in self._rows("removed", revision=revision)]


def to_indexed_batch(rows: Sequence[tuple[Any, ...]]) -> IndexedBatch:
    """Rows that have the fields of `Indexed`, terms and vector as the server sent them."""
    if not rows:
        return IndexedBatch.of(())
    *fields, terms, vectors = zip(*rows, strict=True)
    return IndexedBatch([*fields, decode_terms(terms), decode_vectors(vectors)])


_MEMORY_QUERIES = load_queries(__package__, "memories")


class PostgresMemories(BufferedTable[Memory]):
    """The memories of one workspace."""

    topic = "memories"

    def __init__(
        self,
        connection: Connection,
        workspace: str,
        number: int,
        write_buffer: WriteBuffer,
        changes: PostgresChanges,
    ) -> None:
        super().__init__(connection, workspace, number, write_buffer)
        self._changes = changes
        self._known: dict[bytes, Memory | None] = {}

    def insert(self, memory: Memory) -> None:
        """Add a memory that is not there."""
        self._changes.write(memory.id)
        if memory.superseded_by is None:
            self._known[memory.content_hash] = memory
        self._buffer(memory.id, memory)

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id."""
        self._changes.write(memory.id)
        self._change("update", **_to_row(memory))

    def delete(self, id: str) -> None:
        """Remove a memory; what belongs to it, or is encoded behind it, follows by foreign key."""
        self._changes.advance()
        self._send("await_census")
        self._send("forget_terms", id=id)
        self._send("mark_encoded_behind", id=id)
        self._change("delete", id=id)

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist."""
        arrived = {id: self._buffered[id] for id in ids if id in self._buffered}
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
        """The memories with these identities, which are cached from now on."""
        unknown = [each for each in hashes if each not in self._known]
        if unknown:
            self._known |= {**dict.fromkeys(unknown), **self._look(unknown)}
        found = ((each, self._known[each]) for each in hashes)
        return {each: memory for each, memory in found if memory is not None}

    def expired(self, now: datetime, before: ChangePlace | None, limit: int) -> list[Memory]:
        """A page of memories that expired and that no person wrote, the last that did first."""
        place = rows.to_change_place(before)
        found = self._rows("expired", now=to_micros(now), limit=limit, **place)
        return [self._memory(row) for row in found]

    def ending(self, suffix: str, limit: int) -> list[str]:
        """Ids that end with this suffix."""
        return [id for (id,) in self._rows("ending", suffix=suffix, limit=limit)]

    def find(self, query: Query) -> list[Memory]:
        """The memories that match the query's conditions, in its order."""
        clause, values = to_filter_clause(query)
        clauses = [_MEMORY_QUERIES["find"], clause]
        if query.after is not None:
            clauses.append(_MEMORY_QUERIES[f"after_{query.sort}"])
        sql = " AND ".join(clauses)
        order = _MEMORY_QUERIES[f"order_{query.sort}"]
        bindings = {**values, "after": query.after, "limit": query.limit}
        rows = self._execute(f"{sql} {order}", bindings)
        return [self._memory(row) for row in rows]

    def total(self, query: Query) -> int:
        """How many memories match the query."""
        clause, values = to_filter_clause(query)
        ((count,),) = self._execute(f"{_MEMORY_QUERIES['total']} AND {clause}", values)
        return int(count)

    def unseen(self, user: str, agent: str, now: datetime, most: int) -> Unseen:
        """How many live memories of users a user does not see."""
        bound = {"user": user, "agent": agent, "now": to_micros(now), "most": most}
        ((unowned, others),) = self._rows("unseen", **bound)
        return Unseen(unowned=unowned, others=others)

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that exist, without reading them."""
        return {id for (id,) in self._rows("known", ids=list(ids))}

    def before(self, memory: Memory, limit: int) -> list[str]:
        """Memories said before one in its session that all who see it may see, nearest first."""
        return [id for (id,) in self._rows("before", limit=limit, **rows.to_place(memory))]

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""
        return set(ids) - {id for (id,) in self._rows("standing", ids=list(ids))}

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Count an access to these memories."""
        self._change("count_access", ids=list(ids), at=to_micros(at))

    def by_day(self, viewer: Viewer) -> dict[date, int]:
        """How many were created on each day in UTC."""
        return to_day_counts(self._rows("by_day", agent=viewer.agent, user=viewer.user))

    def tally(self, now: datetime) -> list[tuple[Any, ...]]:
        """Rows of state, type, scope and how many."""
        return self._rows("count_by_state", now=to_micros(now))

    def _look(self, hashes: list[bytes]) -> dict[bytes, Memory]:
        """The stored memories with these identities; buffered ones are cached already."""
        rows = self._fetch(self._sql["same"], {"hashes": hashes})
        return {row[2]: self._memory(row) for row in rows}

    def _change(self, name: str, **bindings: Any) -> None:
        """Change stored memories, and drop what was cached of them."""
        self._send(name, **bindings)
        self._known.clear()

    def _send_rows(self, rows: Sequence[Memory]) -> None:
        self._send("insert", rows=to_json([_to_json_row(memory) for memory in rows]))

    def _memory(self, row: Sequence[Any]) -> Memory:
        return _to_memory(self._workspace, row)


def _to_json_row(memory: Memory) -> dict[str, Any]:
    """The columns of a memory as JSON values."""
    row = _to_row(memory)
    row["content_hash"] = f"\\x{row['content_hash'].hex()}"
    return row


def to_filter_clause(query: Query) -> tuple[str, dict[str, Any]]:
    """The conditions that a query names, as SQL on the columns of memories, and their values."""
    named = dict(_to_conditions(query))
    clauses = [_MEMORY_QUERIES[f"where_{name}"] for name in named] or ["true"]
    owner_ids = [id for _, id in query.owners or ()]
    values = {**named, "owner_ids": owner_ids, "now": to_micros(query.now)}
    return " AND ".join(clauses), values


def _to_conditions(query: Query) -> Iterator[tuple[str, Any]]:
    if query.state is not None:
        yield "live" if query.state is State.LIVE else "state", str(query.state)
    if query.types is not None and len(query.types) != 1:
        yield "types", [str(type) for type in query.types]
    if query.owners is not None:
        yield "owners", [str(scope) for scope, _ in query.owners]
    yield from query_conditions(query)
    if query.contains is not None:
        yield "contains", to_regex(query.contains)


def _to_row(memory: Memory) -> dict[str, Any]:
    """The columns of a memory, except the workspace, which the unit binds."""
    return {
        **rows.to_memory_columns(memory),
        "tags": list(memory.tags),
        "session": memory.origin.session,
        "ordinal": memory.origin.ordinal,
        "speaker": memory.origin.speaker,
    }


def _to_memory(workspace: str, row: Sequence[Any]) -> Memory:
    """A row of the memory queries, which leave out the place that the origin tells as well."""
    return rows.to_memory(workspace, row, tuple(row[15]))


class PostgresTexts(BufferedTable[dict[str, Any]]):
    """The terms of memories, as codes."""

    topic = "texts"

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Store the terms of a memory, replacing any it had."""
        self._buffer(id, {"id": id, "terms": [signed_term_code(term) for term in terms]})

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The packed terms of these memories."""
        rows = self._rows("of", ids=list(ids))
        packed = decode_terms([sent for _, sent in rows])
        return {id: terms for (id, _), terms in zip(rows, packed, strict=True)}

    def _send_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send_found("put", len(rows), rows=to_json(rows))


class PostgresClaims(BufferedTable[dict[str, Any]]):
    """The claims of memories of one workspace."""

    topic = "claims"

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Add claims to a memory."""
        if claims:
            self._buffer(id, {"id": id, "claims": [signed_term_code(claim) for claim in claims]})

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._send("clear_of", id=id)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        rows = self._rows("rivals", ids=list(ids), limit=limit)
        return [(one, other) for one, other in rows]

    def shared(self, start: int, limit: int) -> list[tuple[int, list[tuple[str, Owner]]]]:
        """A page of claims that several memories make, from a code on."""
        return group_shared_claims(self._rows("shared", start=start, limit=limit))

    def shared_keys(self) -> list[tuple[str, list[str]]]:
        """Keys that several memories of one owner have."""
        return [(key, ids) for key, ids in self._rows("shared_keys")]

    def _send_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send_found("put", len(rows), rows=to_json(rows))


class PostgresModels(PostgresTable):
    """The numbers of the models that made vectors and token codes."""

    topic = "models"

    def __init__(
        self, connection: Connection, workspace: str, number: int, write_buffer: WriteBuffer
    ) -> None:
        super().__init__(connection, workspace, number, write_buffer)
        self._known: set[EmbeddingModel] = set()

    def number(self, model: EmbeddingModel) -> int | None:
        """The number of a model, if it made anything in this database."""
        row = self._row("number", **asdict(model))
        return row[0] if row else None

    def add(self, model: EmbeddingModel) -> None:
        """Add a model that this transaction writes, once."""
        if model not in self._known:
            self._send("add", **asdict(model))
            self._known.add(model)


Row = TypeVar("Row")


class _TableByModel(BufferedTable[Row]):
    """What models made of memories; a change of it is a change of the memory."""

    def __init__(
        self,
        connection: Connection,
        workspace: str,
        number: int,
        write_buffer: WriteBuffer,
        changes: PostgresChanges,
        models: PostgresModels,
    ) -> None:
        super().__init__(connection, workspace, number, write_buffer)
        self._changes = changes
        self._models = models

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories have nothing of this model."""
        row = self._row("lacking", **asdict(model))
        return int(row[0]) if row else 0

    def by_model(self) -> dict[str, int]:
        """Of how many memories each model made something."""
        return dict(self._rows("count"))

    def models(self) -> list[EmbeddingModel]:
        """The models that made something of memories of this workspace."""
        return [EmbeddingModel(*row) for row in self._rows("models")]

    def drop(self, model: EmbeddingModel, limit: int) -> int:
        """Remove at most so many rows of a model; returns how many."""
        self._changes.advance()
        return len(self._rows("drop", limit=limit, **asdict(model)))


_BufferedVector = tuple[EmbeddingModel, str, HalfVector]


class PostgresVectors(_TableByModel[_BufferedVector]):
    """The vectors of memories, each under its model."""

    topic = "vectors"

    def put(self, id: str, model: EmbeddingModel, vector: Vector) -> None:
        """Store a vector, replacing this model's vector of the memory."""
        packed = HalfVector(np.frombuffer(pack_vector(vector, model), "<f2"))
        self._buffer((model, id), (model, id, packed))

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""
        return dict(_to_vectors(self._rows("get", ids=list(ids), **asdict(model))))

    def scan(
        self, model: EmbeddingModel, after: str | None, limit: int
    ) -> list[tuple[str, Vector]]:
        """A page of the vectors of a model, by the memories' ids."""
        return _to_vectors(self._rows("scan", after=after or "", limit=limit, **asdict(model)))

    def discard(self, id: str) -> None:
        """Remove the vectors of every model."""
        self._send("discard", id=id)

    def missing(self, model: EmbeddingModel, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""
        return [id for (id,) in self._rows("missing", limit=limit, **asdict(model))]

    def _send_rows(self, rows: Sequence[_BufferedVector]) -> None:
        for model in dict.fromkeys(model for model, _, _ in rows):
            self._models.add(model)
            ids = [id for made_by, id, _ in rows if made_by == model]
            vectors = [vector for made_by, _, vector in rows if made_by == model]
            self._send_found("put", len(ids), ids=ids, vectors=vectors, **asdict(model))
            self._changes.mark(ids)


class PostgresGenerations(SqlGenerations, PostgresTable):
    """The models that made vectors of one workspace."""

    def __init__(
        self,
        connection: Connection,
        workspace: str,
        number: int,
        write_buffer: WriteBuffer,
        models: PostgresModels,
    ) -> None:
        super().__init__(connection, workspace, number, write_buffer)
        self._models = models

    def _load_all(self) -> list[tuple[Any, ...]]:
        return self._fetch(self._sql["all"], {})

    def _add_model(self, model: EmbeddingModel) -> None:
        self._models.add(model)


class PostgresTokenCodes(_TableByModel[dict[str, Any]]):
    """The token codes of memories, each under its model; places of new memories are buffered."""

    topic = "token_codes"

    def put(self, id: str, model: EmbeddingModel, codes: bytes, context: Sequence[str]) -> None:
        """Store codes, replacing this model's codes of the memory."""
        self._models.add(model)
        columns = rows.to_context_columns(context)
        self._send("put", id=id, codes=codes, **columns, **asdict(model))

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, bytes]:
        """The codes that this model made of these memories."""
        return dict(self._rows("get", ids=list(ids), **asdict(model)))

    def discard(self, id: str) -> None:
        """Remove the codes of a memory, and those encoded behind it."""
        self._changes.advance()
        self._send("discard", id=id)

    def discard_after(self, memory: Memory) -> None:
        """Remove the codes of memories that now have this one among the two before them."""
        self._changes.advance()
        self._buffer(memory.id, {"id": memory.id, **rows.to_place(memory)})

    def missing(self, model: EmbeddingModel, limit: int, since: int = 0) -> list[str]:
        """Memories that have no codes of this model, newest first."""
        asked = {"limit": limit, **asdict(model)}
        found = (
            self._rows("missing_since", since=since, **asked)
            if since
            else self._rows("missing", **asked)
        )
        return [id for (id,) in found]

    def _send_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send_found("discard_after", len(rows), rows=to_json(rows))


def _to_vectors(rows: list[tuple[Any, ...]]) -> list[tuple[str, Vector]]:
    packed = decode_vectors([sent for _, sent in rows])
    return [(id, unpack_vector(each or b"")) for (id, _), each in zip(rows, packed, strict=True)]


_VECTOR_HEADER = 2
"""The number of dimensions and a spare number, each as wide as a half-precision float."""

_ARRAY_HEADER = 20
_ELEMENT = np.dtype([("size", ">i4"), ("code", ">i8")])
_CODE_BYTES = 8


def decode_vectors(sent: Sequence[bytes | None]) -> list[bytes | None]:
    """What `halfvec_send` made of vectors of one model, as little-endian half-precision floats."""
    known = [each for each in sent if each is not None]
    if not known:
        return list(sent)
    rows = np.frombuffer(b"".join(known), ">f2").reshape(len(known), -1)
    swapped = rows[:, _VECTOR_HEADER:].astype("<f2")
    found = iter(map(bytes, swapped))
    return [None if each is None else next(found) for each in sent]


def decode_terms(sent: Sequence[bytes]) -> list[bytes]:
    """What `array_send` made of arrays of codes, as packed little-endian codes.

    An empty array is sent as a shorter header; one that has elements holds no null.
    """
    bodies = [each[_ARRAY_HEADER:] for each in sent]
    elements = np.frombuffer(b"".join(bodies), _ELEMENT)
    codes = elements["code"].astype("<i8").tobytes()
    sizes = (len(body) // _ELEMENT.itemsize * _CODE_BYTES for body in bodies)
    return [codes[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]


class PostgresAssociations(SqlAssociations, PostgresTable):
    """The edges between memories of one workspace."""


class PostgresComparisons(SqlComparisons, PostgresTable):
    """How the statements of one workspace and of its episodes stand to each other."""

    def _to_place(self, workspace: str) -> int:
        return signed_term_code(workspace)


class PostgresComparisonQueue(SqlComparisonQueue, BufferedTable[str]):
    """The statements of one workspace that wait to be compared."""

    def add(self, id: str) -> None:
        """Have a statement compared soon."""
        self._buffer(id, id)

    def _send_rows(self, rows: Sequence[str]) -> None:
        self._send("add", ids=list(rows))


class PostgresAudit(SqlAudit, BufferedTable[dict[str, Any]]):
    """The audit rows of one workspace."""

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self._buffer(entry.id, to_audit_columns(entry))

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows unless they are there already; returns how many were added."""
        rows = [to_audit_columns(entry) for entry in entries]
        return self._run("append", rows=to_json(rows)) if rows else 0

    def _send_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send("record", rows=to_json(rows))


class PostgresReviews(SqlReviews, PostgresTable):
    """The queue of one workspace."""
