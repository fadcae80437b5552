"""Late interaction: candidates scored token by token, each token of the query by its best match.

A token of the query weighs as much as its word is rare in the workspace. Only candidates are
scored, and only their codes are read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from tacit.core.vectors import EmbeddingModel
from tacit.embedding.token_codes import score_tokens
from tacit.language.terms import extract_query_terms, stem_in_all_languages
from tacit.search.corpus import Corpus
from tacit.search.lexical import LexicalScores
from tacit.search.query_embedding import EmbeddedQuery, WeightedTokens
from tacit.search.ranking import Flags, Floats, Integers, inverse_document_frequency
from tacit.store.protocols.store import UnitOfWork

_NO_SAY = 0.05
"""The commonest words of a query that hold this share of its weight together are not compared."""

_MOST_COMPARED = 32
"""Tokens of a query that are compared at most, the heaviest."""


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Per candidate: whether it has codes, its score by the whole query and by what was said now.

    A score is the mean of the best cosines of the query's tokens; 0 where there are no codes.
    `rare_words` is how many of the rarest words would weigh as much as the query's tokens.
    """

    has: Flags
    whole: Floats
    said: Floats
    rare_words: float = 0.0

    @classmethod
    def none(cls, candidates: int) -> Self:
        """No candidate has codes."""
        nothing = np.zeros(candidates)
        return cls(np.zeros(candidates, bool), nothing, nothing)


def score_by_tokens(
    unit: UnitOfWork,
    corpus: Corpus,
    rows: Integers,
    query: EmbeddedQuery | None,
    words: LexicalScores,
) -> TokenScores:
    """Score rows of a corpus by the tokens of a query; its first part is what was said now."""
    if query is None or query.token_model is None or not query.tokens:
        return TokenScores.none(len(rows))
    codes = _load_codes(unit, corpus, rows.tolist(), query.token_model)
    vectors = np.concatenate([part.vectors for part in query.tokens])
    weights = _weigh_tokens(query.tokens, words.rarities)
    whole = score_tokens(vectors, weights, codes)
    first = len(query.tokens[0].words)
    said = (
        whole if len(query.tokens) == 1 else score_tokens(vectors[:first], weights[:first], codes)
    )
    has = np.array([bool(each) for each in codes], bool)
    rarest = inverse_document_frequency(corpus.size()[0], 0)
    return TokenScores(has, whole, said, float(weights.sum()) / rarest)


def _load_codes(
    unit: UnitOfWork, corpus: Corpus, rows: Sequence[int], model: EmbeddingModel
) -> list[bytes]:
    """The codes of rows, empty where there are none; those that are not held are read.

    They are held unless the corpus is newer than what this unit sees, or an excerpt for one search.
    """
    codes = corpus.tokens.find(rows, model)
    unread = {corpus.ids[row]: row for row in rows if row not in codes}
    if unread:
        found = unit.token_codes.get(list(unread), model)
        read = {unread[id]: each for id, each in found.items()}
        is_excerpt = corpus.statistics is not None
        if not is_excerpt and unit.revision() >= corpus.revision:
            corpus.tokens.hold(read, model)
        codes |= read
    return [codes.get(row, b"") for row in rows]


def _weigh_tokens(query: Sequence[WeightedTokens], rarities: Mapping[str, float]) -> Floats:
    """The weight of each token: the rarity of its word, times what its part of the query counts."""
    weights = np.array(
        [part.weight * _word_rarity(word, rarities) for part in query for word in part.words]
    )
    return _drop_lightest(weights)


def _drop_lightest(weights: Floats) -> Floats:
    """Weights without the lightest, which have no say together and take as long as the others."""
    order = np.argsort(weights, kind="stable")
    lightest = np.cumsum(weights[order]) <= _NO_SAY * weights.sum()
    lightest[:-_MOST_COMPARED] = True
    kept = weights.copy()
    kept[order[lightest]] = 0.0
    return kept


def _word_rarity(word: str, rarities: Mapping[str, float]) -> float:
    """How rare a word is; 0 for punctuation."""
    return max((rarities.get(stem, 0.0) for stem in _stems(word)), default=0.0)


@lru_cache(maxsize=4_096)
def _stems(word: str) -> tuple[str, ...]:
    if word.isascii() and word.isalpha():  # there is nothing to fold or to split
        return stem_in_all_languages(word)
    return tuple(stem for term in extract_query_terms(word) for stem in term.alternatives)
