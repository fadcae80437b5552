"""Vectors that an embedder really made: whatever it raises or returns, it fails in one way."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import EmbedderFailed, TacitError
from tacit.core.vectors import EmbeddingModel, is_usable_vector
from tacit.embedding.embedder import Embedder

Result = TypeVar("Result")
Row = NDArray[np.float32]


def model_of(embedder: Embedder) -> EmbeddingModel:
    """The embedder's model, or a TacitError."""
    return _attempt(lambda: embedder.model)


def embed_texts(
    embedder: Embedder, texts: Sequence[str]
) -> tuple[EmbeddingModel, list[Row | None]]:
    """The model and one vector for each text, None where it made none that can be used."""
    model = model_of(embedder)
    rows = _attempt(lambda: [np.asarray(each, np.float32) for each in embedder.embed(texts)])
    if len(rows) != len(texts):
        raise EmbedderFailed(
            f"{model.name}: made {len(rows)} vectors of {len(texts)} texts; it must be one each"
        )
    return model, [row if is_usable_vector(row, model) else None for row in rows]


def embed_question(embedder: Embedder, text: str) -> Row:
    """The vector of what somebody asks."""
    model = model_of(embedder)
    row = _attempt(lambda: np.asarray(embedder.embed_query(text), np.float32))
    if not is_usable_vector(row, model):
        raise unusable(model)
    return row


def unusable(model: EmbeddingModel) -> EmbedderFailed:
    """What to say of a vector that is none."""
    return EmbedderFailed(
        f"{model.name}: made a vector that is not {model.dims} finite numbers; check the embedder"
    )


def _attempt(work: Callable[[], Result]) -> Result:
    """The result; an embedder may be anybody's code, and may raise anything."""
    try:
        return work()
    except TacitError:
        raise
    except Exception as error:
        raise EmbedderFailed(f"the embedder failed ({type(error).__name__}: {error})") from error
