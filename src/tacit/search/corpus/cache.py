"""The corpora in memory: loaded when first searched, the least used dropped when there are many."""

import threading
from collections import OrderedDict

from tacit.core.vectors import EmbeddingModel
from tacit.search.corpus.corpus import Corpus
from tacit.store.protocols.unit import Unit

_MOST_BYTES = 2_000_000_000


class CorpusCache:
    """One corpus for each workspace and model."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, EmbeddingModel | None], Corpus] = OrderedDict()

    def get(self, unit: Unit, model: EmbeddingModel | None) -> Corpus:
        """The corpus of a workspace, as fresh as the unit's view of the store."""
        key = (unit.workspace, model)
        with self._lock:
            corpus = self._held.setdefault(key, Corpus(model))
            self._held.move_to_end(key)
        with corpus.lock:
            corpus.refresh(unit)
        self._drop_the_least_used()
        return corpus

    def held(self, workspace: str) -> Corpus | None:
        """The corpus of a workspace that was used last, if any is in memory."""
        with self._lock:
            own = [corpus for key, corpus in self._held.items() if key[0] == workspace]
        return own[-1] if own else None

    def _drop_the_least_used(self) -> None:
        with self._lock:
            total = sum(corpus.nbytes for corpus in self._held.values())
            while total > self._most_bytes and len(self._held) > 1:
                _, dropped = self._held.popitem(last=False)
                total -= dropped.nbytes
