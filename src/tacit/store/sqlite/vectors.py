"""Vectors in SQLite, as half-precision floats."""

import json
from collections.abc import Sequence
from dataclasses import asdict

import apsw

from tacit.core.vectors import EmbeddingModel, Vector, pack_vector, unpack_vector
from tacit.store.sqlite.changes import SqliteChanges
from tacit.store.sqlite.table import Table


class SqliteVectors(Table):
    """The vectors of memories, each under its model."""

    topic = "vectors"

    def __init__(
        self, connection: apsw.Connection, workspace: str, number: int, changes: SqliteChanges
    ) -> None:
        super().__init__(connection, workspace, number)
        self._changes = changes
        self._numbers: dict[EmbeddingModel, int | None] = {}

    def put(self, id: str, model: EmbeddingModel, vector: Vector) -> None:
        """Store a vector, instead of any this model had for the memory."""
        packed = pack_vector(vector, model)
        self._run("put", id=id, model=self._own_model(model), vector=packed)
        self._changes.mark(id)

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""
        rows = self._rows("get", ids=json.dumps(list(ids)), model=self.number(model))
        return {id: unpack_vector(blob) for id, blob in rows}

    def scan(
        self, model: EmbeddingModel, after: str | None, limit: int
    ) -> list[tuple[str, Vector]]:
        """A page of the vectors of a model, by the memories' ids."""
        rows = self._rows("scan", model=self.number(model), after=after or "", limit=limit)
        return [(id, unpack_vector(blob)) for id, blob in rows]

    def discard(self, id: str) -> None:
        """Remove the vectors of every model."""
        self._run("discard", id=id)

    def models(self) -> list[EmbeddingModel]:
        """The models that vectors of this workspace were made by."""
        return [EmbeddingModel(*row) for row in self._rows("models")]

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories have no vector of this model."""
        row = self._row("lacking", model=self.number(model))
        return int(row[0]) if row else 0

    def missing(self, model: EmbeddingModel, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""
        return [id for (id,) in self._rows("missing", model=self.number(model), limit=limit)]

    def by_model(self) -> dict[str, int]:
        """How many vectors each model made."""
        return dict(self._rows("count"))

    def _own_model(self, model: EmbeddingModel) -> int | None:
        """The number of a model that this transaction writes, looked up once."""
        if model not in self._numbers:
            self._run("add_model", **asdict(model))
            self._numbers[model] = self.number(model)
        return self._numbers[model]

    def number(self, model: EmbeddingModel) -> int | None:
        """The number of a model, if it made any vector here."""
        row = self._row("model", **asdict(model))
        return row[0] if row else None
