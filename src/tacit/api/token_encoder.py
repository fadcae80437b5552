"""Token codes of memories: made behind what was said before, after the write has returned.

What waits is in the store, so nothing is lost when a process ends, and any process goes on.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from tacit.core.errors import StoreClosed, TacitError
from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import Embedder, TextInContext, embed_tokens, token_model_of
from tacit.embedding.token_codes import pack_tokens
from tacit.runtime.workers import Worker
from tacit.store.journal import context_of
from tacit.store.protocols.store import Store, UnitOfWork

_AT_ONCE = 32
_GATHER_SECONDS = 0.2
"""Seconds to wait for more writes, so that they are encoded together."""

_log = logging.getLogger("tacit")


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A memory to encode, the memories it is encoded behind, and the texts of all of them."""

    id: str
    context: tuple[str, ...]
    said: TextInContext


class TokenEncoder:
    """Makes the token codes that the memories of a workspace lack."""

    def __init__(self, store: Store, workspace: str, embedder: Embedder | None) -> None:
        self._store = store
        self._workspace = workspace
        self._embedder = embedder

    def encode_missing(
        self,
        progress: Callable[[int, int], None],
        is_over: Callable[[], bool] = lambda: False,
    ) -> int:
        """Encode every memory without codes of the embedder's tokens; returns how many.

        It stops between batches once `is_over`. Codes that cannot be made are left out.
        """
        model = None if self._embedder is None else token_model_of(self._embedder)
        if model is None:
            return 0
        with self._store.read(self._workspace) as unit:
            total = unit.token_codes.lacking(model)
        done = 0
        while not is_over() and (made := self._encode_some(model)):
            done += made
            progress(done, max(total, done))
        return done

    def _encode_some(self, model: EmbeddingModel) -> int:
        """Encode a batch; returns how many were stored."""
        assert self._embedder is not None
        with self._store.read(self._workspace) as unit:
            waiting = _load_waiting(unit, unit.token_codes.missing(model, _AT_ONCE))
        if not waiting:
            return 0
        _, vectors = embed_tokens(self._embedder, [each.said for each in waiting])
        with self._store.write(self._workspace) as unit:
            now = {each.id: each for each in _load_waiting(unit, [each.id for each in waiting])}
            fresh = [
                (each, tokens)
                for each, tokens in zip(waiting, vectors, strict=True)
                if tokens is not None and now.get(each.id) == each
            ]
            for each, tokens in fresh:
                unit.token_codes.put(each.id, model, pack_tokens(tokens), each.context)
        return len(fresh)


def _load_waiting(unit: UnitOfWork, ids: Sequence[str]) -> list[_Waiting]:
    """Memories with their context, as they are now."""
    memories = unit.memories.get(ids)
    contexts = {id: context_of(unit, memory) for id, memory in memories.items()}
    around = unit.memories.get(list({each for ids in contexts.values() for each in ids}))
    return [
        _Waiting(id, contexts[id], TextInContext(_spoken(memory), _texts(contexts[id], around)))
        for id, memory in memories.items()
    ]


def _texts(ids: Sequence[str], memories: dict[str, Memory]) -> tuple[str, ...]:
    return tuple(_spoken(memories[id]) for id in ids if id in memories)


def _spoken(memory: Memory) -> str:
    return memory.origin.spoken(memory.content)


class BackgroundEncoding:
    """Encodes what was written to one workspace on a background worker."""

    def __init__(self, encoder: TokenEncoder, worker: Worker, closing: threading.Event) -> None:
        self._encoder = encoder
        self._worker = worker
        self._closing = closing
        self._lock = threading.Lock()
        self._next: Future[None] | None = None

    def written(self) -> None:
        """Schedule what lacks codes to be encoded soon."""
        with self._lock:
            if self._next is None and not self._closing.is_set():
                self._next = self._worker.submit(self._encode_soon)

    def _encode_soon(self) -> None:
        self._closing.wait(_GATHER_SECONDS)
        with self._lock:
            self._next = None
        try:
            self._encoder.encode_missing(lambda *_: None, self._closing.is_set)
        except StoreClosed:
            _log.debug("tokens are encoded next time: the store was closed")
        except TacitError as error:  # they stay missing; the next write tries again
            _log.warning("kept without tokens: %s", error)
