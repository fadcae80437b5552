"""An embedder behind an OpenAI-compatible `/v1/embeddings` endpoint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import httpx2
import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import EmbedderFailed
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import replace_surrogates
from tacit.embedding.endpoint import Endpoint

KEY_ENV = "TACIT_EMBEDDING_KEY"

_BATCH = 64


class HttpEmbedder:
    """Embeds texts with an OpenAI-compatible server."""

    def __init__(self, endpoint: Endpoint, model: EmbeddingModel) -> None:
        self.model = model
        self._endpoint = endpoint

    @classmethod
    def open(cls, url: str, model: str, *, key_env: str = KEY_ENV) -> Self:
        """Send one request to learn the number of dimensions and which model the server runs."""
        endpoint = Endpoint(url, "embeddings", model, key_env=key_env, failure=EmbedderFailed)
        try:
            answer = request_embeddings(endpoint, ["probe"])
        except BaseException:
            endpoint.close()
            raise
        return cls(endpoint, EmbeddingModel(model, answer.vectors.shape[1], answer.model))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
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
        answer = request_embeddings(self._endpoint, texts)
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


@dataclass(frozen=True, slots=True)
class EmbeddingResponse:
    """Vectors as they came, and the model that the server names."""

    vectors: NDArray[np.float32]
    model: str


def request_embeddings(endpoint: Endpoint, texts: Sequence[str]) -> EmbeddingResponse:
    """The vectors of a few texts, in their order."""
    # Servers refuse an empty text; a blank one means as little.
    response = endpoint.post({"input": [replace_surrogates(text) or " " for text in texts]})
    return _read_response(endpoint, response, len(texts))


def _read_response(endpoint: Endpoint, response: httpx2.Response, count: int) -> EmbeddingResponse:
    try:
        document = response.json()
        rows = sorted(document["data"], key=lambda row: row["index"])
        vectors = np.array([row["embedding"] for row in rows], np.float32)
        told = str(document.get("model") or endpoint.model)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise EmbedderFailed(
            f"{endpoint}: does not answer like OpenAI's /v1/embeddings; check the address"
        ) from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise EmbedderFailed(f"{endpoint}: {count} texts were sent, {len(vectors)} vectors came")
    return EmbeddingResponse(vectors, told)
