"""Memories in SQLite, with their edges, terms, vectors, token codes, claims, audit and reviews."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

import apsw

from tacit.core.changes import ChangePlace
from tacit.core.kinds import Owner, Sort, State
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.core.receipt import Unseen
from tacit.core.times import to_micros
from tacit.core.vectors import EmbeddingModel, Vector, pack_vector, unpack_vector
from tacit.language.terms import pack_term_codes, signed_term_code
from tacit.store.index import IndexedBatch
from tacit.store.query import Query, case_variants, query_conditions
from tacit.store.sql import table as rows
from tacit.store.sql.memories import (
    SqlAssociations,
    SqlAudit,
    SqlComparisonQueue,
    SqlComparisons,
    SqlGenerations,
    SqlReviews,
)
from tacit.store.sql.table import group_shared_claims
from tacit.store.sqlite.connections import SqliteTable
from tacit.store.stats import to_day_counts

_CHANGES_PAGE = 50_000


class SqliteChanges(SqliteTable):
    """The revision of one workspace, and what each revision changed."""

    topic = "changes"

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        super().__init__(connection, workspace, number)
        self._own: int | None = None

    def revision(self) -> int:
        """The last revision that was committed, or this transaction's own."""
        row = self._row("revision")
        return row[0] if row else 0

    def current(self) -> int:
        """The one revision that this transaction writes under."""
        if self._own is None:
            row = self._row("advance")
            self._own = row[0] if row else 0
        return self._own

    def mark(self, id: str) -> None:
        """Record a change of a memory that is not in its own row."""
        self._run("mark", id=id, revision=self.current())

    def mark_rows(self, found: Sequence[tuple[int]]) -> None:
        """Record a change of memories, each named by its row."""
        if found:
            rows = json.dumps([row for (row,) in found])
            self._run("mark_rows", rows=rows, revision=self.current())

    def since(self, revision: int, model: int | None) -> Iterator[IndexedBatch]:
        """What changed after a revision, as far as search needs to know, in batches."""
        if revision > 0:
            yield IndexedBatch.of(self._rows("since", revision=revision, model=model))
            return
        first = 0
        while last := self._end_of_page(first):
            yield IndexedBatch.of(self._rows("rows", first=first, last=last, model=model))
            first = last

    def _end_of_page(self, first: int) -> int | None:
        row = self._row("last_of_page", first=first, limit=_CHANGES_PAGE)
        return row[0] if row else None

    def removed(self, revision: int) -> list[str]:
        """Ids that were erased after a revision."""
        return [id for (id,) in self._rows("removed", revision=revision)]


class SqliteMemories(SqliteTable):
    """The memories of one workspace."""

    topic = "memories"

    def __init__(
        self, connection: apsw.Connection, workspace: str, number: int, changes: SqliteChanges
    ) -> None:
        super().__init__(connection, workspace, number)
        self._changes = changes

    def insert(self, memory: Memory) -> None:
        """Add a memory that is not there."""
        self._run("insert", revision=self._changes.current(), **_to_row(memory))

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id."""
        self._run("update", revision=self._changes.current(), **_to_row(memory))

    def delete(self, id: str) -> None:
        """Remove a memory; what belongs to it, or is encoded behind it, follows by foreign key."""
        followers = self._rows("encoded_behind", id=id)
        if self._run("delete", id=id):
            self._run("note_removal", id=id, revision=self._changes.current())
            self._changes.mark_rows(followers)

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist."""
        memories = (self._memory(row) for row in self._rows("get", ids=json.dumps(list(ids))))
        return {memory.id: memory for memory in memories}

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this identity that was not superseded."""
        row = self._row("same", content_hash=content_hash)
        return self._memory(row) if row else None

    def same_as(self, hashes: Collection[bytes]) -> dict[bytes, Memory]:
        """The memories with these identities."""
        asked = json.dumps([each.hex() for each in hashes])
        memories = (self._memory(row) for row in self._rows("same_as", hashes=asked))
        return {memory.content_hash: memory for memory in memories}

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
        clauses, bindings = self._filters(query)
        if query.after is not None:
            clauses.append(self._sql[f"after_{query.sort}"])
        source, order = _choose_source(query), self._sql[f"order_{query.sort}"]
        sql = f"{' AND '.join([self._sql[source], *clauses])} {order}"
        if source == _FULL_SCAN:
            sql = f"{self._sql['find_these']} ({sql}) {order}"
        place = {"after": query.after, "limit": query.limit}
        return [self._memory(row) for row in self._execute(sql, bindings | place)]

    def total(self, query: Query) -> int:
        """How many memories match the query."""
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

    def before(self, memory: Memory, limit: int) -> list[str]:
        """Memories said before one in its session that all who see it may see, nearest first."""
        return [id for (id,) in self._rows("before", limit=limit, **rows.to_place(memory))]

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""
        return set(ids) - {id for (id,) in self._rows("standing", ids=json.dumps(list(ids)))}

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Count an access to these memories."""
        self._run("count_access", ids=json.dumps(list(ids)), at=to_micros(at))

    def by_day(self, viewer: Viewer) -> dict[date, int]:
        """How many were created on each day in UTC."""
        return to_day_counts(self._rows("by_day", agent=viewer.agent, user=viewer.user))

    def tally(self, now: datetime) -> list[tuple[Any, ...]]:
        """Rows of state, type, scope and how many."""
        return self._rows("count_by_state", now=to_micros(now))

    def _filters(self, query: Query) -> tuple[list[str], dict[str, Any]]:
        """The conditions that a query names, and their values."""
        named = dict(_to_conditions(query))
        patterns = {} if query.contains is None else _search_patterns(query.contains)
        values = {**named, **patterns, "now": to_micros(query.now)}
        return [self._sql[f"where_{name}"] for name in named], values

    def _memory(self, row: Sequence[Any]) -> Memory:
        return _to_memory(self._workspace, row)


def _to_conditions(query: Query) -> Iterator[tuple[str, Any]]:
    if query.state is not None:
        yield "state", str(query.state)
    if query.types is not None and len(query.types) != 1:
        yield "types", json.dumps(query.types)
    if query.owners is not None:
        yield "owners", json.dumps([f"{scope}:{id}" for scope, id in query.owners])
    yield from query_conditions(query)
    if query.contains is not None:
        yield "contains", query.contains


def _to_row(memory: Memory) -> dict[str, Any]:
    """The columns of a memory, except the workspace, which the unit binds."""
    return {**rows.to_memory_columns(memory), "tags": rows.to_json(memory.tags)}


def _to_memory(workspace: str, row: Sequence[Any]) -> Memory:
    """A row of `SELECT * FROM memories`; its first two columns are the row and workspace ids."""
    tags = row[17]
    return rows.to_memory(workspace, row[2:], () if tags == "[]" else tuple(json.loads(tags)))


def _search_patterns(words: str) -> dict[str, str]:
    """The patterns that find words: LIKE filters quickly, then GLOB decides exactly.

    GLOB takes long to look for one that begins with either of two letters, so it gets one of each.
    """
    first, *others = case_variants(words)
    rest = "".join(map(_to_glob, others))
    return {
        "loosely": f"%{''.join(map(_to_like, (first, *others)))}%",
        "contains": f"*{_to_glob(first[0])}{rest}*",
        "contains_too": f"*{_to_glob(first[-1])}{rest}*",
    }


def _to_like(cases: str) -> str:
    """What LIKE needs for a character: it knows the cases of ASCII, and JSON escapes some."""
    if cases in ('"', "\\"):
        return "%"
    return cases[0] if len(cases) == 1 or cases.isascii() else "_"


def _to_glob(cases: str) -> str:
    """What GLOB needs for a character."""
    return cases if len(cases) == 1 and cases not in "*?[" else f"[{cases}]"


_FULL_SCAN = "find_sifted"
"""Read every memory in the order of the file; any other order takes far longer."""

_UNINDEXED_FILTERS = (
    "tag",
    "contains",
    "source",
    "trust",
    "explicit",
    "session",
    "expires",
    "min_importance",
    "max_importance",
    "created_from",
    "created_to",
    "updated_from",
)


def _choose_source(query: Query) -> str:
    """The statement to start from: the most selective index, or else the order of the list."""
    if query.key is not None:
        return "find_by_key"
    if query.keyed and query.scope is not None:
        return "find_keyed"
    if query.standing and query.scope is not None:
        return "find_standing"
    if query.pinned:
        return "find_pinned"
    return _FULL_SCAN if _may_be_rare(query) else _choose_ordered(query)


def _may_be_rare(query: Query) -> bool:
    """Whether very many memories may have to be read for each match."""
    return (
        query.state not in (None, State.LIVE)
        or (query.scope_id is not None and query.scope is None)
        or query.min_confidence > 0
        or any(getattr(query, name) is not None for name in _UNINDEXED_FILTERS)
    )


def _choose_ordered(query: Query) -> str:
    """An index in the order of the list, if there is one."""
    has_type = query.types is not None and len(query.types) == 1
    if query.sort in (Sort.RECENT, Sort.IMPORTANCE) and has_type:
        return f"find_{query.sort}_of_type"
    return "find" if query.sort in (Sort.RECENT, Sort.CREATED) else _FULL_SCAN


class SqliteTexts(SqliteTable):
    """The terms of memories, as codes."""

    topic = "texts"

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Store the terms of a memory, replacing any it had."""
        self._run("put", id=id, terms=pack_term_codes(terms))

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The packed terms of these memories."""
        return dict(self._rows("of", ids=json.dumps(list(ids))))


class SqliteClaims(SqliteTable):
    """The claims of memories of one workspace."""

    topic = "claims"

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Add claims to a memory."""
        if claims:
            self._run(
                "put", id=id, claims=json.dumps([signed_term_code(claim) for claim in claims])
            )

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._run("clear_of", id=id)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        rows = self._rows("rivals", ids=json.dumps(list(ids)), limit=limit)
        return [(one, other) for one, other in rows]

    def shared(self, start: int, limit: int) -> list[tuple[int, list[tuple[str, Owner]]]]:
        """A page of claims that several memories make, from a code on."""
        return group_shared_claims(self._rows("shared", start=start, limit=limit))

    def shared_keys(self) -> list[tuple[str, list[str]]]:
        """Keys that several memories of one owner have."""
        return [(key, sorted(json.loads(ids))) for key, ids in self._rows("shared_keys")]


class SqliteModels(SqliteTable):
    """The numbers of the models that made vectors and token codes."""

    topic = "models"

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        super().__init__(connection, workspace, number)
        self._numbers: dict[EmbeddingModel, int | None] = {}

    def number(self, model: EmbeddingModel) -> int | None:
        """The number of a model, if it made anything here."""
        row = self._row("number", **asdict(model))
        return row[0] if row else None

    def add(self, model: EmbeddingModel) -> int | None:
        """The number of a model that this transaction writes, looked up once."""
        if model not in self._numbers:
            self._run("add", **asdict(model))
            self._numbers[model] = self.number(model)
        return self._numbers[model]


class _TableByModel(SqliteTable):
    """What models made of memories; a change of it is a change of the memory."""

    def __init__(
        self,
        connection: apsw.Connection,
        workspace: str,
        number: int,
        changes: SqliteChanges,
        models: SqliteModels,
    ) -> None:
        super().__init__(connection, workspace, number)
        self._changes = changes
        self._models = models

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories have nothing of this model."""
        row = self._row("lacking", model=self._models.number(model))
        return int(row[0]) if row else 0

    def by_model(self) -> dict[str, int]:
        """Of how many memories each model made something."""
        return dict(self._rows("count"))

    def models(self) -> list[EmbeddingModel]:
        """The models that made something of memories of this workspace."""
        return [EmbeddingModel(*row) for row in self._rows("models")]

    def drop(self, model: EmbeddingModel, limit: int) -> int:
        """Remove at most so many rows of a model; returns how many."""
        gone = self._rows("drop", model=self._models.number(model), limit=limit)
        self._changes.mark_rows(gone)
        return len(gone)


class SqliteVectors(_TableByModel):
    """The vectors of memories, each under its model."""

    topic = "vectors"

    def put(self, id: str, model: EmbeddingModel, vector: Vector) -> None:
        """Store a vector, replacing this model's vector of the memory."""
        packed = pack_vector(vector, model)
        self._run("put", id=id, model=self._models.add(model), vector=packed)
        self._changes.mark(id)

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""
        rows = self._rows("get", ids=json.dumps(list(ids)), model=self._models.number(model))
        return {id: unpack_vector(blob) for id, blob in rows}

    def scan(
        self, model: EmbeddingModel, after: str | None, limit: int
    ) -> list[tuple[str, Vector]]:
        """A page of the vectors of a model, by the memories' ids."""
        rows = self._rows("scan", model=self._models.number(model), after=after or "", limit=limit)
        return [(id, unpack_vector(blob)) for id, blob in rows]

    def discard(self, id: str) -> None:
        """Remove the vectors of every model."""
        self._run("discard", id=id)

    def missing(self, model: EmbeddingModel, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""
        return [
            id for (id,) in self._rows("missing", model=self._models.number(model), limit=limit)
        ]


class SqliteGenerations(SqlGenerations, SqliteTable):
    """The models that made vectors of one workspace."""

    def __init__(
        self, connection: apsw.Connection, workspace: str, number: int, models: SqliteModels
    ) -> None:
        super().__init__(connection, workspace, number)
        self._models = models

    def _add_model(self, model: EmbeddingModel) -> None:
        self._models.add(model)


class SqliteTokenCodes(_TableByModel):
    """The token codes of memories, each under its model."""

    topic = "token_codes"

    def put(self, id: str, model: EmbeddingModel, codes: bytes, context: Sequence[str]) -> None:
        """Store codes, replacing this model's codes of the memory."""
        columns = rows.to_context_columns(context)
        self._run("put", id=id, model=self._models.add(model), codes=codes, **columns)

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, bytes]:
        """The codes that this model made of these memories."""
        return dict(self._rows("get", ids=json.dumps(list(ids)), model=self._models.number(model)))

    def discard(self, id: str) -> None:
        """Remove the codes of a memory, and those encoded behind it."""
        self._changes.mark_rows(self._rows("discard", id=id))

    def discard_after(self, memory: Memory) -> None:
        """Remove the codes of memories that now have this one among the two before them."""
        place = rows.to_place(memory)
        self._changes.mark_rows(self._rows("discard_after", id=memory.id, **place))

    def missing(self, model: EmbeddingModel, limit: int, since: int = 0) -> list[str]:
        """Memories that have no codes of this model, newest first."""
        asked = {"model": self._models.number(model), "limit": limit}
        found = (
            self._rows("missing_since", since=since, **asked)
            if since
            else self._rows("missing", **asked)
        )
        return [id for (id,) in found]


class SqliteAssociations(SqlAssociations, SqliteTable):
    """The edges between memories of one workspace."""


class SqliteComparisons(SqlComparisons, SqliteTable):
    """How the statements of one workspace and of its episodes stand to each other."""

    def _to_place(self, workspace: str) -> str:
        return workspace


class SqliteComparisonQueue(SqlComparisonQueue, SqliteTable):
    """The statements of one workspace that wait to be compared."""


class SqliteAudit(SqlAudit, SqliteTable):
    """The audit rows of one workspace."""


class SqliteReviews(SqlReviews, SqliteTable):
    """The queue of one workspace."""
