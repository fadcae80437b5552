"""Vectors as a server sends them."""

from collections.abc import Sequence
from dataclasses import dataclass

import httpx2
import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import EmbedderFailed
from tacit.embedding.endpoint import Endpoint
from tacit.embedding.surrogates import encodable


@dataclass(frozen=True, slots=True)
class Answer:
    """Vectors as they came, and the name of the model as the server tells it."""

    vectors: NDArray[np.float32]
    model: str


def ask(endpoint: Endpoint, texts: Sequence[str]) -> Answer:
    """The vectors of a few texts, in their order."""
    # Servers refuse an empty text; a blank one means as little.
    response = endpoint.post({"input": [encodable(text) or " " for text in texts]})
    return _read(endpoint, response, len(texts))


def _read(endpoint: Endpoint, response: httpx2.Response, count: int) -> Answer:
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
    return Answer(vectors, told)
