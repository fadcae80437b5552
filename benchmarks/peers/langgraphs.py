"""LangGraph's in-memory store."""

from collections.abc import Sequence
from pathlib import Path

from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore

from benchmarks.batches import batches
from benchmarks.peers.peer import Item, Known


class LangGraph:
    """A namespace is a namespace."""

    def __init__(self, known: Known, _folder: Path) -> None:
        def embed(texts: Sequence[str]) -> list[list[float]]:
            return [known[text].tolist() for text in texts]

        dims = len(next(iter(known.values())))
        self._store = InMemoryStore(index={"dims": dims, "embed": embed, "fields": ["text"]})

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """Batches of a hundred; it fails on one that holds a text twice, so repeats come after."""
        for batch in batches(items):
            once = {item.text: item for item in batch}
            self._store.batch(
                [PutOp((namespace,), item.key, {"text": item.text}) for item in once.values()]
            )
            for item in batch:
                if once[item.text] is not item:
                    self._store.put((namespace,), item.key, {"text": item.text})

    def search(self, namespace: str, query: str, count: int) -> list[str]:
        """The nearest."""
        return [each.key for each in self._store.search((namespace,), query=query, limit=count)]
