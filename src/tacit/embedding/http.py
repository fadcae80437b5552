"""An embedder that is somewhere else."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import EmbedderFailed
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.answer import ask
from tacit.embedding.endpoint import Endpoint

KEY_ENV = "TACIT_EMBEDDING_KEY"

_BATCH = 64


class HttpEmbedder:
    """Has texts embedded by an OpenAI-compatible server."""

    def __init__(self, endpoint: Endpoint, model: EmbeddingModel) -> None:
        self.model = model
        self._endpoint = endpoint

    @classmethod
    def open(cls, url: str, model: str, *, key_env: str = KEY_ENV) -> Self:
        """Ask once, to learn how many numbers a vector has and which model the server runs."""
        endpoint = Endpoint(url, "embeddings", model, key_env=key_env, failure=EmbedderFailed)
        try:
            answer = ask(endpoint, ["probe"])
        except BaseException:
            endpoint.close()
            raise
        return cls(endpoint, EmbeddingModel(model, answer.vectors.shape[1], answer.model))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of its connections."""
        self._endpoint.close()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector for each text, in order."""
        vectors = np.empty((len(texts), self.model.dims), np.float32)
        for start in range(0, len(texts), _BATCH):
            vectors[start : start + _BATCH] = self._ask(texts[start : start + _BATCH])
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a query."""
        vector: NDArray[np.float32] = self._ask([text])[0]
        return vector

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        answer = ask(self._endpoint, texts)
        self._check(answer.model, answer.vectors.shape[1])
        lengths = np.linalg.norm(answer.vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise EmbedderFailed(f"{self._endpoint}: gives a vector that has no direction")
        vectors: NDArray[np.float32] = answer.vectors / lengths
        return vectors

    def _check(self, revision: str, dims: int) -> None:
        if (revision, dims) != (self.model.revision, self.model.dims):
            raise EmbedderFailed(
                f"{self._endpoint}: the server now runs {revision} with {dims} numbers, not "
                f"{self.model.revision} with {self.model.dims}; open it anew"
            )
