"""The default embedder: all-MiniLM-L6-v2 in eight bits, on the processor."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from tacit.embedding.minilm.batches import batches
from tacit.embedding.minilm.cache import Cache
from tacit.embedding.minilm.identity import MODEL, WIDTH
from tacit.embedding.minilm.native import native_call
from tacit.embedding.minilm.tokens import Tokens
from tacit.embedding.progress import Progress, unwatched


class MiniLM:
    """Runs the network; threads may share it."""

    model = MODEL

    def __init__(self, session: Any, tokens: Tokens) -> None:
        self._session = session
        self._tokens = tokens

    @classmethod
    def open(cls, progress: Progress | None = None, *, threads: int = 1) -> Self:
        """Load the model, which is obtained and built where it is not, or is broken."""
        cache = Cache.of_user()
        watch = progress or unwatched
        if not cache.is_complete():
            _provision().provide(cache, watch)
        try:
            return cls.load(cache, threads=threads)
        except Exception:  # the libraries have many ways to say that a file is broken
            _provision().rebuild(cache, watch)
            return cls.load(cache, threads=threads)

    @classmethod
    def load(cls, cache: Cache, *, threads: int = 1) -> Self:
        """Load a model that is there."""
        return cls(session(cache.graph, threads=threads), Tokens.load(cache.tokenizer))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector for the beginning of each text, 254 tokens, in order."""
        encoded = [self._tokens.of_text(text) for text in texts]
        vectors = np.empty((len(encoded), WIDTH), np.float32)
        for batch in batches([len(ids) for ids in encoded]):
            vectors[batch] = self._run([encoded[place] for place in batch])
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a query: of its 64 most informative tokens if it is longer."""
        vector: NDArray[np.float32] = self._run([self._tokens.of_query(text)])[0]
        return vector

    def _run(self, encoded: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        ids = np.zeros((len(encoded), max(map(len, encoded))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        with native_call():
            vectors: NDArray[np.float32] = self._session.run(None, {"ids": ids, "mask": mask})[0]
        return vectors


def _provision() -> ModuleType:
    """What builds a model: needed once on a machine, so it is not loaded at every start."""
    from tacit.embedding.minilm import provision

    return provision


def session(graph: Path, *, threads: int) -> Any:
    """A graph, ready to run; threads that wait do not spin, for others need the processor."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    with native_call():
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
