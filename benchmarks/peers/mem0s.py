"""mem0 as it comes, without an LLM: Qdrant in a local folder, and our vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mem0 import Memory

from benchmarks.peers.peer import Item, Known

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
        store = {"path": str(folder / "qdrant"), "embedding_model_dims": dims}
        config: dict[str, Any] = {
            "vector_store": {"provider": "qdrant", "config": store},
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
