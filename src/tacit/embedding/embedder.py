"""What an embedder is, and how it is called.

The functions accept any embedder: whatever it raises or returns, callers see usable vectors or a
`TacitError`. Some embedders make a vector of every token as well; `token_model_of` says which.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import EmbedderFailed, TacitError
from tacit.core.vectors import EmbeddingModel, Vector, is_usable_vector

Vectors: TypeAlias = "Sequence[Vector] | NDArray[np.float32]"
VectorRow = NDArray[np.float32]
TokenRows = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors of one model."""

    @property
    def model(self) -> EmbeddingModel:
        """The model that makes the vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text, in order."""

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, which may be long and must be quick."""


@dataclass(frozen=True, slots=True)
class TextInContext:
    """A text and the texts before it, oldest first, behind which its tokens are read."""

    text: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class QueryTokens:
    """The vector of a query, the unit vectors of its tokens (tokens, dims), and their words.

    A word is in small letters, once for each of its tokens; it is empty for punctuation.
    """

    vector: VectorRow
    tokens: TokenRows
    words: tuple[str, ...]


class TokenEmbedder(Embedder, Protocol):
    """Turns texts into unit vectors of their tokens as well."""

    @property
    def token_model(self) -> EmbeddingModel | None:
        """The model of the token vectors; None if this embedder turns out to make none."""

    def embed_tokens(self, texts: Sequence[TextInContext]) -> Sequence[TokenRows]:
        """The vectors (tokens, dims) of each text's own tokens, in order."""

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """The vector that `embed_query` gives, with those of the query's tokens."""


Progress = Callable[[str, int, int], None]
"""Called with the stage, how much is done, and the total; 0 where that is not known."""


def ignore_progress(stage: str, done: int, total: int) -> None:
    """Progress that is not shown."""


Result = TypeVar("Result")


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


def token_model_of(embedder: Embedder) -> EmbeddingModel | None:
    """The model of the embedder's token vectors, None if it makes none, or a TacitError."""
    return _call_embedder(lambda: getattr(embedder, "token_model", None))


def embed_tokens(
    embedder: Embedder, texts: Sequence[TextInContext]
) -> tuple[EmbeddingModel, list[TokenRows | None]]:
    """The model and the token vectors of each text, None where it made no usable ones."""
    maker, model = to_token_embedder(embedder)
    rows = _call_embedder(
        lambda: [np.asarray(each, np.float32) for each in maker.embed_tokens(texts)]
    )
    if len(rows) != len(texts):
        raise EmbedderFailed(
            f"{model.name}: made tokens of {len(rows)} of {len(texts)} texts; it must be all"
        )
    return model, [each if _has_usable_rows(each, model) else None for each in rows]


def embed_query_tokens(embedder: Embedder, text: str) -> QueryTokens:
    """The vector of a query and of its tokens."""
    maker, model = to_token_embedder(embedder)
    found = _call_embedder(lambda: _to_arrays(maker.embed_query_tokens(text)))
    whole = model_of(embedder)
    if not is_usable_vector(found.vector, whole):
        raise unusable_vector_error(whole)
    if not _has_usable_rows(found.tokens, model) or len(found.words) != len(found.tokens):
        raise EmbedderFailed(
            f"{model.name}: made no {model.dims} finite numbers and a word for each token;"
            " check the embedder"
        )
    return found


def to_token_embedder(embedder: Embedder) -> tuple[TokenEmbedder, EmbeddingModel]:
    """The embedder, if it makes token vectors, and their model."""
    model = token_model_of(embedder)
    if model is None:
        raise EmbedderFailed("the embedder makes no vectors of tokens; use one that does")
    return cast(TokenEmbedder, embedder), model


def _to_arrays(made: QueryTokens) -> QueryTokens:
    vector, tokens = (np.asarray(each, np.float32) for each in (made.vector, made.tokens))
    return QueryTokens(vector, tokens, tuple(made.words))


def _has_usable_rows(rows: TokenRows, model: EmbeddingModel) -> bool:
    return rows.ndim == 2 and rows.shape[1] == model.dims and bool(np.isfinite(rows).all())


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
