"""Vectors in PostgreSQL, as half-precision floats."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from pgvector import HalfVector

from tacit.core.vectors import EmbeddingModel, Vector, pack_vector, unpack_vector
from tacit.store.postgres.binary import to_halves
from tacit.store.postgres.changes import PostgresChanges
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.outbox import Outbox
from tacit.store.postgres.posting import PostingTable

_Made = tuple[EmbeddingModel, str, HalfVector]


class PostgresVectors(PostingTable[_Made]):
    """The vectors of memories, each under its model."""

    topic = "vectors"

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
        self._known: set[EmbeddingModel] = set()

    def put(self, id: str, model: EmbeddingModel, vector: Vector) -> None:
        """Store a vector, instead of any this model had for the memory."""
        packed = HalfVector(np.frombuffer(pack_vector(vector, model), "<f2"))
        self._wait((model, id), (model, id, packed))

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""
        return dict(_read(self._rows("get", ids=list(ids), **asdict(model))))

    def scan(
        self, model: EmbeddingModel, after: str | None, limit: int
    ) -> list[tuple[str, Vector]]:
        """A page of the vectors of a model, by the memories' ids."""
        return _read(self._rows("scan", after=after or "", limit=limit, **asdict(model)))

    def discard(self, id: str) -> None:
        """Remove the vectors of every model."""
        self._send("discard", id=id)

    def models(self) -> list[EmbeddingModel]:
        """The models that vectors of this workspace were made by."""
        return [EmbeddingModel(*row) for row in self._rows("models")]

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories have no vector of this model."""
        row = self._row("lacking", **asdict(model))
        return int(row[0]) if row else 0

    def missing(self, model: EmbeddingModel, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""
        return [id for (id,) in self._rows("missing", limit=limit, **asdict(model))]

    def by_model(self) -> dict[str, int]:
        """How many vectors each model made."""
        return dict(self._rows("count"))

    def number(self, model: EmbeddingModel) -> int | None:
        """The number of a model, if it made any vector in this database."""
        row = self._row("model", **asdict(model))
        return row[0] if row else None

    def _post(self, rows: Sequence[_Made]) -> None:
        for model in dict.fromkeys(model for model, _, _ in rows):
            if model not in self._known:
                self._send("add_model", **asdict(model))
                self._known.add(model)
            ids = [id for made_by, id, _ in rows if made_by == model]
            vectors = [vector for made_by, _, vector in rows if made_by == model]
            self._send_found("put", len(ids), ids=ids, vectors=vectors, **asdict(model))
            self._changes.mark(ids)


def _read(rows: list[tuple[Any, ...]]) -> list[tuple[str, Vector]]:
    packed = to_halves([sent for _, sent in rows])
    return [(id, unpack_vector(each or b"")) for (id, _), each in zip(rows, packed, strict=True)]
