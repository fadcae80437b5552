"""mem0 as it comes, without an LLM: our vectors, in Qdrant in a local folder or in pgvector."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from mem0 import Memory

from benchmarks.batches import BATCH
from benchmarks.peers.databases import own_database
from benchmarks.peers.peer import Item, Known

MOST_ONE_BY_ONE = 10_000
_NO_KEY = {"provider": "openai", "config": {"api_key": "none"}}


class _Given:
    def __init__(self, known: Known) -> None:
        self._known = known

    def embed(self, text: str, _action: str | None = None) -> list[float]:
        """The vector of a text."""
        return [float(part) for part in self._known[text]]


class Mem0:
    """A user for each namespace."""

    def __init__(self, known: Known, folder: Path) -> None:
        dims = len(next(iter(known.values())))
        config: dict[str, Any] = {
            "vector_store": self._vector_store(folder, dims),
            "llm": _NO_KEY,
            "embedder": _NO_KEY,
            "history_db_path": str(folder / "history.db"),
        }
        self._memory = Memory.from_config(config)
        self._memory.embedding_model = _Given(known)

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """One after the other: it takes no batches of unrelated texts."""
        for item in items:
            self._memory.add(
                [{"role": "user", "content": item.text}],
                user_id=namespace,
                metadata={"key": item.key},
                infer=False,
            )

    def search(self, namespace: str, query: str, count: int) -> list[str]:
        """With every default."""
        found = self._memory.search(query, top_k=count, filters={"user_id": namespace})
        return [each["metadata"]["key"] for each in found["results"]]

    def _vector_store(self, folder: Path, dims: int) -> dict[str, Any]:
        config = {"path": str(folder / "qdrant"), "embedding_model_dims": dims}
        return {"provider": "qdrant", "config": config}


class _Gathering:
    """Sends what mem0 inserts one by one in batches of a hundred."""

    def __init__(self, insert: Callable[..., object]) -> None:
        self._insert = insert
        self._rows: list[tuple[Any, ...]] = []

    def insert(self, *, vectors: list[Any], ids: list[Any], payloads: list[Any]) -> None:
        """Keep it until there are enough."""
        self._rows += zip(vectors, payloads, ids, strict=True)
        if len(self._rows) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Send what was kept."""
        if self._rows:
            vectors, payloads, ids = zip(*self._rows, strict=True)
            self._insert(vectors=vectors, payloads=payloads, ids=ids)
        self._rows = []


class Mem0OnPostgres(Mem0):
    """The same in a database of its own, with the index that mem0 makes there."""

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """One after the other; of many, the inserts of a hundred go together, or it takes hours."""
        if len(items) <= MOST_ONE_BY_ONE:
            super().add(namespace, items)
            return
        store = self._memory.vector_store
        gathering = _Gathering(store.insert)
        with patch.object(store, "insert", gathering.insert):
            super().add(namespace, items)
        gathering.flush()

    def _vector_store(self, folder: Path, dims: int) -> dict[str, Any]:
        config = {
            "connection_string": own_database(folder),
            "embedding_model_dims": dims,
            "hnsw": True,
        }
        return {"provider": "pgvector", "config": config}
