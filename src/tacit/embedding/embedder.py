"""What an embedder is, and how it is called.

`embed_texts` and `embed_query` accept any embedder: whatever it raises or returns, callers see
usable vectors or a `TacitError`.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import EmbedderFailed, TacitError
from tacit.core.vectors import EmbeddingModel, Vector, is_usable_vector

Vectors: TypeAlias = "Sequence[Vector] | NDArray[np.float32]"


class Embedder(Protocol):
    """Turns texts into unit vectors of one model."""

    @property
    def model(self) -> EmbeddingModel:
        """The model that makes the vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text, in order."""

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, which may be long and must be quick."""


Progress = Callable[[str, int, int], None]
"""Called with the stage, how much is done, and the total; 0 where that is not known."""


def ignore_progress(stage: str, done: int, total: int) -> None:
    """Progress that is not shown."""


Result = TypeVar("Result")
VectorRow = NDArray[np.float32]


def model_of(embedder: Embedder) -> EmbeddingModel:
    """The embedder's model, or a TacitError."""
    return _call_embedder(lambda: embedder.model)


def embed_texts(
    embedder: Embedder, texts: Sequence[str]
) -> tuple[EmbeddingModel, list[VectorRow | None]]:
    """The model and one vector for each text, None where it made no usable one."""
    model = model_of(embedder)
    rows = _call_embedder(lambda: [np.asarray(each, np.float32) for each in embedder.embed(texts)])
    if len(rows) != len(texts):
        raise EmbedderFailed(
            f"{model.name}: made {len(rows)} vectors of {len(texts)} texts; it must be one each"
        )
    return model, [row if is_usable_vector(row, model) else None for row in rows]


def embed_query(embedder: Embedder, text: str) -> VectorRow:
    """The vector of a query."""
    model = model_of(embedder)
    row = _call_embedder(lambda: np.asarray(embedder.embed_query(text), np.float32))
    if not is_usable_vector(row, model):
        raise unusable_vector_error(model)
    return row


def unusable_vector_error(model: EmbeddingModel) -> EmbedderFailed:
    """The error for a vector that cannot be used."""
    return EmbedderFailed(
        f"{model.name}: made a vector that is not {model.dims} finite numbers; check the embedder"
    )


def _call_embedder(work: Callable[[], Result]) -> Result:
    """Call an embedder, which may be anybody's code and raise anything."""
    try:
        return work()
    except TacitError:
        raise
    except Exception as error:
        raise EmbedderFailed(f"the embedder failed ({type(error).__name__}: {error})") from error


def replace_surrogates(text: str) -> str:
    """The text with lone surrogates replaced: tokenizers and JSON refuse them."""
    return text.encode("utf-8", "replace").decode("utf-8")
