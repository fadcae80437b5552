"""Late interaction: candidates scored token by token, each token of the query by its best match.

A token of the query weighs as much as its word is rare in the workspace. Only candidates are
scored, and only their codes are read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tacit.embedding.token_codes import score_tokens
from tacit.language.terms import extract_query_terms
from tacit.search.lexical import LexicalScores
from tacit.search.query_embedding import EmbeddedQuery, WeightedTokens
from tacit.search.ranking import Flags, Floats
from tacit.store.protocols.store import UnitOfWork


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Per candidate: whether it has codes, its score by the whole query and by what was said now.

    A score is the mean of the best cosines of the query's tokens; 0 where there are no codes.
    """

    has: Flags
    whole: Floats
    said: Floats

    @classmethod
    def none(cls, candidates: int) -> Self:
        """No candidate has codes."""
        nothing = np.zeros(candidates)
        return cls(np.zeros(candidates, bool), nothing, nothing)


def score_by_tokens(
    unit: UnitOfWork, ids: Sequence[str], query: EmbeddedQuery | None, words: LexicalScores
) -> TokenScores:
    """Score memories by the tokens of a query; its first part is what was said now."""
    if query is None or query.token_model is None or not query.tokens:
        return TokenScores.none(len(ids))
    held = unit.token_codes.get(ids, query.token_model)
    codes = [held.get(id, b"") for id in ids]
    vectors = np.concatenate([part.vectors for part in query.tokens])
    weights = [each for part in query.tokens for each in _weigh_tokens(part, words.rarities)]
    whole = score_tokens(vectors, weights, codes)
    first = len(query.tokens[0].words)
    said = (
        whole if len(query.tokens) == 1 else score_tokens(vectors[:first], weights[:first], codes)
    )
    return TokenScores(np.array([bool(each) for each in codes], bool), whole, said)


def _weigh_tokens(part: WeightedTokens, rarities: Mapping[str, float]) -> list[float]:
    """The weight of each token of a part: the rarity of its word."""
    known = {word: _word_rarity(word, rarities) for word in set(part.words)}
    return [part.weight * known[word] for word in part.words]


def _word_rarity(word: str, rarities: Mapping[str, float]) -> float:
    """How rare a word is; 0 for punctuation."""
    stems = (stem for term in extract_query_terms(word) for stem in term.alternatives)
    return max((rarities.get(stem, 0.0) for stem in stems), default=0.0)
