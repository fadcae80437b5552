"""Queries as vectors: embedded on a thread of their own, and kept for the next search.

Late interaction needs the vectors of a query's tokens as well. They come with its vector where the
embedder makes both, or from the local model beside another embedder.
"""

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

import numpy as np

from tacit.core.errors import TacitError
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import (
    Embedder,
    QueryTokens,
    TokenRows,
    VectorRow,
    embed_query,
    embed_query_tokens,
    model_of,
    token_model_of,
)
from tacit.embedding.minilm.model_files import find_languages
from tacit.embedding.registry import shared_embedder
from tacit.language.query import SearchQuery, WeightedText, is_foreign, is_unread
from tacit.runtime.workers import Worker
from tacit.settings.search import LateInteraction

_CACHED_QUERIES = 512
_CLOSE_SECONDS = 1.0
_MOST_WAITING = 32


@dataclass(frozen=True, slots=True)
class WeightedTokens:
    """The tokens of a part of a query (tokens, dims), their words, and how much the part counts."""

    vectors: TokenRows
    words: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class EmbeddedQuery:
    """The vector of what was said now (`said`), and of that with its context (`whole`).

    `tokens` are those of what was said now, and then of its context; there are none where late
    interaction is off or nothing makes them. `token_problem` says why they could not be made. A
    query that `is_own` is about the speaker's own things; one that `is_foreign` is in a language
    that the local model, which makes the tokens, has not learned, and one that `is_unread` in a
    script that it cannot read.
    """

    said: VectorRow
    whole: VectorRow
    tokens: tuple[WeightedTokens, ...] = ()
    is_own: bool = False
    is_foreign: bool = False
    is_unread: bool = False
    token_model: EmbeddingModel | None = None
    token_problem: str | None = None


def choose_token_embedder(
    embedder: Embedder | None, late_interaction: LateInteraction
) -> Embedder | None:
    """What makes the tokens of memories and queries, if anything does."""
    if embedder is None or late_interaction is LateInteraction.OFF:
        return None
    if late_interaction is LateInteraction.LOCAL:
        return shared_embedder("minilm")
    return embedder if token_model_of(embedder) is not None else None


_QueryKey = tuple[str, LateInteraction, EmbeddingModel]


class QueryEmbedder:
    """Embeds queries on one thread; the latest are kept."""

    def __init__(self) -> None:
        self._worker = Worker("tacit-embedding")
        self._latest: OrderedDict[_QueryKey, _EmbeddedText] = OrderedDict()

    def close(self) -> None:
        """Stop; an embedder that is stuck is not waited for."""
        self._worker.close(_CLOSE_SECONDS)

    def start(
        self, question: SearchQuery, late_interaction: LateInteraction, embedder: Embedder
    ) -> "Future[EmbeddedQuery]":
        """Begin to embed the parts of a question; the first is what was said now."""

        def embed() -> EmbeddedQuery:
            texts = question.texts
            parts = [self._embed_text(embedder, each.text, late_interaction) for each in texts]
            combined = _combine_parts(parts, [each.weight for each in texts])
            languages = find_languages(combined.token_model)
            said = texts[0].text
            return replace(
                combined,
                is_own=question.is_own,
                is_foreign=bool(languages) and is_foreign(said, languages),
                is_unread=bool(languages) and is_unread(said),
            )

        return self._worker.submit(embed)

    def anticipate(self, text: str, late_interaction: LateInteraction, embedder: Embedder) -> None:
        """Begin to embed a text that will be searched for.

        Nothing is begun while the embedder is stuck or has too much to do.
        """
        if self._worker.waiting < _MOST_WAITING:
            self.start(SearchQuery((), (WeightedText(text),)), late_interaction, embedder)

    def _embed_text(
        self, embedder: Embedder, text: str, late_interaction: LateInteraction
    ) -> "_EmbeddedText":
        """A text with its vectors, from those that are kept if possible."""
        key = (text, late_interaction, model_of(embedder))
        if key not in self._latest:
            made = _embed_text(embedder, text, late_interaction)
            if made.problem is not None:
                return made
            self._latest[key] = made
        self._latest.move_to_end(key)
        while len(self._latest) > _CACHED_QUERIES:
            self._latest.popitem(last=False)
        return self._latest[key]


@dataclass(frozen=True, slots=True)
class _EmbeddedText:
    """The vector of a text, its tokens and their model, or why there are none."""

    vector: VectorRow
    tokens: QueryTokens | None = None
    model: EmbeddingModel | None = None
    problem: str | None = None


def _embed_text(embedder: Embedder, text: str, late_interaction: LateInteraction) -> _EmbeddedText:
    """Embed a text; tokens that cannot be made never cost it its vector."""
    maker = choose_token_embedder(embedder, late_interaction)
    if maker is embedder:
        made = embed_query_tokens(embedder, text)
        return _EmbeddedText(made.vector, made, token_model_of(embedder))
    vector = embed_query(embedder, text)
    if maker is None:
        return _EmbeddedText(vector)
    try:
        return _EmbeddedText(vector, embed_query_tokens(maker, text), token_model_of(maker))
    except TacitError as error:
        return _EmbeddedText(vector, problem=str(error))


def _combine_parts(parts: Sequence[_EmbeddedText], weights: Sequence[float]) -> EmbeddedQuery:
    """The vectors of a question: its own words, and all of its parts by their weights."""
    said = parts[0].vector
    blend = np.sum([weight * each.vector for each, weight in zip(parts, weights, strict=True)], 0)
    unit = np.asarray(blend / max(float(np.linalg.norm(blend)), 1e-9), np.float32)
    tokens = tuple(
        WeightedTokens(part.tokens.tokens, part.tokens.words, weight)
        for part, weight in zip(parts, weights, strict=True)
        if part.tokens is not None and part.tokens.words
    )
    return EmbeddedQuery(
        said=said,
        whole=said if len(parts) == 1 else unit,
        tokens=tokens,
        token_model=parts[0].model,
        token_problem=next((each.problem for each in parts if each.problem), None),
    )
