"""An embedder that costs next to nothing, with vectors as unevenly spread as those of a model."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit import FakeEmbedder
from tacit.core.vectors import EmbeddingModel, Vector

DIMS = 384
_CLUSTERS = 2_000
_NOISES = 4_096

Floats = NDArray[np.float32]


class ClusteredEmbedder(FakeEmbedder):
    """Puts a text near one of 2,000 centres, which and where by its hash alone.

    Its tokens are those of the fake, where the revision that is measured has any.
    """

    def __init__(self) -> None:
        self.model = EmbeddingModel("clustered", DIMS, "1")
        random = np.random.default_rng(1)
        self._centres = _units(random.standard_normal((_CLUSTERS, DIMS), np.float32))
        self._noises = _units(random.standard_normal((_NOISES, DIMS), np.float32))
        self._prepared: dict[str, Floats] = {}
        self._prepared_tokens: dict[str, Any] = {}

    def embed(self, texts: Sequence[str]) -> Floats:
        """One unit vector for each text; two of one cluster have a cosine of about a half."""
        hashes = np.array([_hash(text) for text in texts], np.uint64)
        cluster, first, second = hashes % _CLUSTERS, (hashes >> 20) % _NOISES, hashes >> 52
        noise = _units(self._noises[first] + self._noises[second])
        return _units(self._centres[cluster] + noise)

    def embed_query(self, text: str) -> Vector:
        """What was prepared, so that a search is measured alone."""
        return self._prepared[text] if text in self._prepared else self.embed([text])[0]

    def embed_query_tokens(self, text: str) -> Any:
        """What was prepared, with the tokens of the query."""
        prepared = self._prepared_tokens.get(text)
        return super().embed_query_tokens(text) if prepared is None else prepared

    def prepare(self, queries: Iterable[str]) -> None:
        """Embed queries ahead."""
        asked = list(queries)
        self._prepared |= dict(zip(asked, self.embed(asked), strict=True))
        make_tokens = getattr(super(), "embed_query_tokens", None)
        if make_tokens is not None:
            self._prepared_tokens |= {each: make_tokens(each) for each in asked}


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _units(rows: Floats) -> Floats:
    found: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found
