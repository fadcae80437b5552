"""Ranking: pure arithmetic on signals, the same whatever the signals came from.

BM25 scores terms; `score_parts` weighs the signals of each candidate into one score; relevance
estimates, from 0 to 1, whether a memory is about the query at all.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core.matrix_products import matrix_products

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.integer[Any]]
Numbers = Floats | Integers
Flags = npt.NDArray[np.bool_]


ABSENT = -1


@dataclass(frozen=True, slots=True)
class Signals:
    """One row per candidate.

    `relevance` is comparable between queries, everything else within one; `alone` is the relevance
    to what was said now, without the conversation before it. `dense` is the cosine
    above what the average memory has, `tokens` the score by tokens above the average candidate's,
    where `has_tokens` (late interaction), `lexical` and `session` are BM25 as a share of the best,
    `speaker` is 1 where the query names who said it, `graph` is what arrives along associations.
    `around` holds, per candidate, the rows of what was said one and two places before and after
    it, or ABSENT.
    """

    relevance: Floats
    alone: Floats
    dense: Floats
    tokens: Floats
    has_tokens: Flags
    lexical: Floats
    session: Floats
    speaker: Floats
    graph: Floats
    around: Integers
    importance: Floats
    recency: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much the signals of a candidate count.

    `near` and `far` are the shares of the score of what was said directly before and after a
    candidate, and two places away, that are added to its own.
    """

    tokens: float = 0.0
    dense: float
    lexical: float
    near: float
    far: float
    session: float
    speaker: float = 0.0
    graph: float = 0.0
    relevance: float = 0.0


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weights of candidates that have tokens, and of those that have none."""

    by_tokens: Weights
    by_vectors: Weights

    @property
    def uses_neighbours(self) -> bool:
        """Whether what was said around a candidate counts."""
        return any(each.near or each.far for each in (self.by_tokens, self.by_vectors))


FOR_CONVERSATIONS = Weighing(
    Weights(
        tokens=2.5, dense=0.0, lexical=0.1, near=0.15, far=0.2, session=0.25, speaker=0.1, graph=0.3
    ),
    Weights(dense=1.0, lexical=0.5, near=0.3, far=0.15, session=0.25, speaker=0.1, graph=0.3),
)
"""Fitted with conversations left out. Tokens know most of what is said around them."""

FOR_EPISODES = Weighing(
    Weights(tokens=2.5, dense=0.0, lexical=0.1, near=0.0, far=0.0, session=0.25),
    Weights(dense=1.0, lexical=0.5, near=0.0, far=0.0, session=0.25),
)
"""Tokens know what was said before them; to look at everything around doubles the time of a turn's
search, for no more answers."""

FOR_DOCUMENTS = Weighing(
    Weights(tokens=2.0, dense=0.5, lexical=0.2, near=0.1, far=0.1, session=0.1),
    Weights(dense=1.0, lexical=0.2, near=0.12, far=0.06, session=0.25, relevance=0.2),
)
"""Fitted to the questions about documents that may be looked at. A chunk is long: what it says as a
whole counts beside its tokens."""

BOOST = 0.01
"""How much importance and recency can each add, as a share of the best score."""


def score_parts(signals: Signals, weighing: Weighing) -> Mapping[str, Floats]:
    """What each signal adds to each candidate's score."""
    has = signals.has_tokens
    tokens, vectors = weighing.by_tokens, weighing.by_vectors
    around = tokens if has.any() else vectors
    parts = {
        "dense": np.where(has, tokens.dense, vectors.dense) * signals.dense,
        "tokens": np.where(has, tokens.tokens, 0.0) * signals.tokens,
        "lexical": np.where(has, tokens.lexical, vectors.lexical) * signals.lexical,
    }
    own: Floats = sum(parts.values(), np.zeros(len(has)))
    parts |= {
        "neighbours": _score_neighbours(own, signals.around, around),
        "session": np.where(has, tokens.session, vectors.session) * signals.session,
        "speaker": np.where(has, tokens.speaker, vectors.speaker) * signals.speaker,
        "graph": np.where(has, tokens.graph, vectors.graph) * signals.graph,
    }
    if tokens.relevance or vectors.relevance:
        weights = np.where(has, tokens.relevance, vectors.relevance)
        parts["relevance"] = weights * signals.relevance
    return parts


def fuse_reciprocal_ranks(sources: Sequence[Integers], candidates: int, k: int) -> Floats:
    """Reciprocal rank fusion of lists of candidates, best first; ranks count from 1."""
    total = np.zeros(candidates)
    for source in sources:
        total[source] += 1 / (k + np.arange(1, len(source) + 1))
    return total


def tie_breaking_boosts(scores: Floats, signals: Signals) -> Mapping[str, Floats]:
    """Additions that break ties and are too small to beat relevance."""
    span = float(scores.max(initial=0.0))
    return {
        "importance": BOOST * span * signals.importance,
        "recency": BOOST * span * signals.recency,
    }


def _score_neighbours(own: Floats, around: Integers, weights: Weights) -> Floats:
    """What was said around a candidate is evidence for it."""
    padded = np.append(own, 0.0)
    beside = padded[np.where(around == ABSENT, len(own), around)]
    with matrix_products():
        spoken: Floats = beside @ np.array([weights.far, weights.near, weights.near, weights.far])
    return spoken


_COSINE_WEIGHT = 17.6
_CHANCE_WEIGHT = 2.1
_COVERAGE_WEIGHT = 1.7
_BIAS = -1.36
_FOLLOW_UP_WEIGHT = 2.1
"""What a follow-up adds to the odds: it says little by itself, and asks for what is remembered."""

_WORDS_ONLY_WEIGHT = 15.0
_WORDS_ENOUGH = 0.3


@dataclass(frozen=True, slots=True)
class QueryOdds:
    """What a query and its store say about every candidate alike.

    Among many `memories` one is near by chance. `excess` is how much nearer all of them are than
    texts without a connection: a model that knows little of a language finds all texts in it alike.
    A query about the speaker's own things (`is_own`) more likely has an answer in memory, and so
    has a follow-up, which says little by itself. In a language that the model has not learned
    (`is_foreign`), nearness without a shared word says little.
    """

    memories: int
    excess: float = 0.0
    is_own: bool = False
    is_follow_up: bool = False
    is_foreign: bool = False


_FEWEST_MEMORIES = 29
"""Chance is not taken to be smaller than among this many: fewer were not there to be fitted to."""


_SPREAD = 2.2
_MOST_EXCESS = 0.35
_FEW_MEMORIES = 5
_FOREIGN_EXCESS = 0.15


def measure_excess(cosines: Floats, *, is_foreign: bool) -> float:
    """How much nearer a sample of memories is to a query than its spread explains.

    Where a query has matches, cosines spread far around their mean. A few memories may all be about
    the query, so they count less, unless it is in a language that the model has not learned: there
    it is the language that makes them near.
    """
    if not len(cosines):
        return 0.0
    excess = min(float(cosines.mean()) - _SPREAD * float(cosines.std()), _MOST_EXCESS)
    if is_foreign:
        return max(excess, _FOREIGN_EXCESS)
    return max(excess, 0.0) * len(cosines) / (len(cosines) + _FEW_MEMORIES)


def estimate_relevance(cosines: Floats, coverage: Floats, odds: QueryOdds) -> Floats:
    """Relevance by meaning and words, among this many memories that have a vector."""
    chance = _CHANCE_WEIGHT * _nearest_by_chance(max(odds.memories, 2))
    meaning = _COSINE_WEIGHT * (cosines - odds.excess) + _COVERAGE_WEIGHT * coverage
    bias = _BIAS + _FOLLOW_UP_WEIGHT * odds.is_follow_up
    return _logistic(meaning - chance + bias - _doubt_foreign(coverage, odds))


@dataclass(frozen=True, slots=True)
class TokenOdds:
    """What the signs of a match by tokens add to the odds that it is relevant."""

    cosine: float
    tokens: float
    coverage: float
    chance: float
    own: float
    bias: float


TOKEN_ODDS = TokenOdds(cosine=12.0, tokens=13.0, coverage=3.5, chance=-3.0, own=0.5, bias=-0.35)
"""Found for the model before the one that serves; `tools/relevance` compares them with others."""

_TOKEN_EXCESS = 0.65
"""How much nearer tokens are where whole texts are nearer by 1."""

_ENOUGH_WORDS = 1.6
_ENOUGH_MEMORIES = 50


def find_token_signs(
    cosines: Floats, tokens: Floats, coverage: Floats, rare_words: float, odds: QueryOdds
) -> Sequence[Floats | float]:
    """The signs of a match by tokens, in the order of `TokenOdds`.

    `rare_words` is how many of the rarest words would weigh as much as the query. A query of common
    words, such as a greeting, has most of them in many memories: matching it proves little. A few
    memories do not show which words are common.
    """
    known = odds.memories / (odds.memories + _ENOUGH_MEMORIES)
    proof = 1 - known * math.exp(-rare_words / _ENOUGH_WORDS)
    return (
        cosines - odds.excess,
        proof * (tokens - _TOKEN_EXCESS * odds.excess),
        proof * coverage,
        _nearest_by_chance(max(odds.memories, _FEWEST_MEMORIES)),
        float(odds.is_own),
        1.0,
    )


def find_fixed_odds(coverage: Floats, odds: QueryOdds) -> Floats:
    """What is added to the odds whatever the signs: for a follow-up, and for another language."""
    return _FOLLOW_UP_WEIGHT * odds.is_follow_up - _doubt_foreign(coverage, odds)


def estimate_relevance_by_tokens(
    cosines: Floats, tokens: Floats, coverage: Floats, rare_words: float, odds: QueryOdds
) -> Floats:
    """Relevance by meaning, tokens and words: the two kinds of meaning err differently."""
    signs = find_token_signs(cosines, tokens, coverage, rare_words, odds)
    weighed = (weight * sign for weight, sign in zip(astuple(TOKEN_ODDS), signs, strict=True))
    return _logistic(sum(weighed, find_fixed_odds(coverage, odds)))


_FOREIGN_DOUBT = 1.0
_SHARED_ENOUGH = 0.2


def _doubt_foreign(coverage: Floats, odds: QueryOdds) -> Floats:
    """What the odds of texts lose that share few words with a query in another language.

    A follow-up has few words to share.
    """
    is_doubtful = odds.is_foreign and not odds.is_follow_up
    return np.asarray(
        _FOREIGN_DOUBT * is_doubtful * (1 - np.minimum(coverage / _SHARED_ENOUGH, 1.0))
    )


def _nearest_by_chance(memories: int) -> float:
    """How near the nearest of so many memories is by chance, in units of their spread."""
    return math.sqrt(2 * math.log(memories))


def estimate_relevance_by_words(coverage: Floats, *, is_follow_up: bool = False) -> Floats:
    """Relevance by words alone, where there is no vector."""
    bonus = _FOLLOW_UP_WEIGHT * is_follow_up * (coverage > 0)
    return _logistic(_WORDS_ONLY_WEIGHT * (coverage - _WORDS_ENOUGH) + bonus)


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))


BM25_K1 = 1.2
BM25_B = 0.5


def inverse_document_frequency(documents: int, frequency: int) -> float:
    """Inverse document frequency; never negative."""
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def term_weight(counts: Numbers, lengths: Numbers, average: float) -> Floats:
    """The BM25 weight of a term by its count and the length of the text."""
    room: Floats = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(average, 1e-9))
    weighed: Floats = counts * (BM25_K1 + 1) / (counts + room)
    return weighed
