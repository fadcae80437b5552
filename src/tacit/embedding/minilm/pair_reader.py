"""Two texts read together: how a later one relates to an earlier one.

The network is MiniLM with trained updates of its matrices (`tools/pair_reading`). It sees the
tokens of both texts at once, which tells more than the likeness of two vectors: "the read timeout
is 3 s" is about something else than "the connect timeout is 5 s", however alike they are.
"""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.embedding.minilm.embedder import (
    MiniLM,
    native_call,
    open_session,
    to_input,
)
from tacit.embedding.minilm.model_files import PAIR_UPDATES, ModelCache
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer
from tacit.embedding.pair_reading import PAIR_RELATIONS

Floats = NDArray[np.float32]


class MiniLMPairReader:
    """Reads pairs of texts; threads may share it."""

    def __init__(self, session: Any, tokens: MiniLMTokenizer) -> None:
        self._session = session
        self._tokens = tokens
        with np.load(PAIR_UPDATES) as trained:
            self._weights: Floats = trained["head.weight"].T
            self._bias: Floats = trained["head.bias"]

    @classmethod
    def open(cls) -> "MiniLMPairReader":
        """Load the model; it is fetched and built first if it is missing or broken."""
        MiniLM.open()
        return cls.load(ModelCache.of_user())

    @classmethod
    def load(cls, cache: ModelCache) -> "MiniLMPairReader":
        """Load a model that is in the cache."""
        return cls(open_session(cache.pair_graph, threads=1), MiniLMTokenizer.load(cache.tokenizer))

    def read_pairs(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """For each pair of an earlier and a later text how likely each relation is.

        Each is read by itself: in eight bits a batch changes its members a little, and what is
        decided about two texts must not depend on the others. It takes no longer.
        """
        found = np.empty((len(pairs), len(PAIR_RELATIONS)), np.float32)
        for place, (old, new) in enumerate(pairs):
            ids, mask = to_input([self._tokens.of_pair(old, new)])
            with native_call():
                (states,) = self._session.run(["token_states"], {"ids": ids, "mask": mask})
            found[place] = _to_shares(states[:, 0] @ self._weights + self._bias)
        return found


def _to_shares(scores: Floats) -> Floats:
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = grown / grown.sum(axis=1, keepdims=True)
    return shares


class SharedPairReader:
    """The pair reader of a process, loaded when first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: MiniLMPairReader | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether it can read at once."""
        return self._opened is not None

    def read_pairs(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """For each pair of an earlier and a later text how likely each relation is."""
        with self._lock:
            if self._opened is None:
                self._opened = MiniLMPairReader.open()
        return self._opened.read_pairs(pairs)
