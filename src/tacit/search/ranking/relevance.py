"""How likely a memory is about a query at all, from 0 to 1, comparable between queries.

Scores of one search are relative to its own best, so they order hits and cannot tell that all of
them are beside the point. Relevance can: it is a logistic curve over the cosine and the share of
the query's weight that the memory's words cover; docs/measurements.md says how it was fitted. The
more memories there are, the nearer the nearest of them is by chance, as the largest of n draws
grows with sqrt(2 ln n).
"""

import numpy as np

from tacit.search.ranking.arrays import Floats

_COSINE = 17.6
_CHANCE = 2.1
_COVERAGE = 1.7
_BIAS = -1.36

_WORDS_ONLY = 15.0
_WORDS_ENOUGH = 0.3


def relevance(cosines: Floats, coverage: Floats, memories: int) -> Floats:
    """By meaning and words, among so many memories that have a vector."""
    chance = _CHANCE * np.sqrt(2 * np.log(max(memories, 2)))
    return _logistic(_COSINE * cosines - chance + _COVERAGE * coverage + _BIAS)


def relevance_by_words(coverage: Floats) -> Floats:
    """By words alone, where there is no vector."""
    return _logistic(_WORDS_ONLY * (coverage - _WORDS_ENOUGH))


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))
