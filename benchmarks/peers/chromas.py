"""chromadb in memory."""

from collections.abc import Sequence
from pathlib import Path

import chromadb
from chromadb.config import Settings

from benchmarks.batches import batches
from benchmarks.peers.peer import Item, Known


class Chroma:
    """A collection for each namespace."""

    def __init__(self, known: Known, _folder: Path) -> None:
        self._known = known
        self._client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
        self._collections: dict[str, chromadb.Collection] = {}

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """Batches of a hundred."""
        collection = self._client.create_collection(
            f"{namespace}-{id(self)}",
            configuration={"hnsw": {"space": "cosine"}},
            embedding_function=None,
        )
        self._collections[namespace] = collection
        for batch in batches(items):
            collection.add(
                ids=[item.key for item in batch],
                documents=[item.text for item in batch],
                embeddings=[self._known[item.text] for item in batch],
            )

    def search(self, namespace: str, query: str, count: int) -> list[str]:
        """The nearest by its index."""
        collection = self._collections[namespace]
        return list(
            collection.query(query_embeddings=[self._known[query]], n_results=count)["ids"][0]
        )
