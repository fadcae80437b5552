"""Late interaction: candidates scored token by token, each token of the query by its best match.

A token of the query weighs as much as its word is rare in the workspace. Only candidates are
scored, and only their codes are read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import QueryTokens
from tacit.embedding.token_codes import score_tokens
from tacit.language.terms import extract_query_terms
from tacit.search.corpus import Corpus
from tacit.search.ranking import Flags, Floats, Integers
from tacit.store.protocols.store import UnitOfWork


@dataclass(frozen=True, slots=True)
class WeightedTokens:
    """The tokens of a part of a query, and how much the part counts."""

    tokens: QueryTokens
    weight: float


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Per candidate: whether it has codes, its score by the whole query and by what was said now.

    A score is the mean of the best cosines of the query's tokens; 0 where there are no codes.
    """

    has: Flags
    whole: Floats
    said: Floats

    @classmethod
    def none(cls, rows: Integers) -> Self:
        """No candidate has codes."""
        nothing = np.zeros(len(rows))
        return cls(np.zeros(len(rows), bool), nothing, nothing)

    @property
    def lacking(self) -> int:
        """How many candidates have no codes."""
        return int(np.count_nonzero(~self.has))


def score_candidates(
    unit: UnitOfWork,
    corpus: Corpus,
    rows: Integers,
    model: EmbeddingModel,
    query: Sequence[WeightedTokens],
    rarities: Mapping[str, float],
) -> TokenScores:
    """Score rows of a corpus by the tokens of a query; the first part is what was said now."""
    ids = [corpus.ids[row] for row in rows.tolist()]
    held = unit.token_codes.get(ids, model)
    codes = [held.get(id, b"") for id in ids]
    vectors = np.concatenate([part.tokens.tokens for part in query])
    weights = [each for part in query for each in _weigh_tokens(part, rarities)]
    whole = score_tokens(vectors, weights, codes)
    first = len(query[0].tokens.words)
    said = whole if len(query) == 1 else score_tokens(vectors[:first], weights[:first], codes)
    return TokenScores(np.array([bool(each) for each in codes], bool), whole, said)


def _weigh_tokens(part: WeightedTokens, rarities: Mapping[str, float]) -> list[float]:
    """The weight of each token of a part: the rarity of its word."""
    known = {word: _word_rarity(word, rarities) for word in set(part.tokens.words)}
    return [part.weight * known[word] for word in part.tokens.words]


def _word_rarity(word: str, rarities: Mapping[str, float]) -> float:
    """How rare a word is; 0 for punctuation."""
    stems = (stem for term in extract_query_terms(word) for stem in term.alternatives)
    return max((rarities.get(stem, 0.0) for stem in stems), default=0.0)
