"""Logistic regression: the weights that tell examples apart, kept small."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SMALLEST_STEP = 1e-4
_MOST_STEPS = 30


class FittedWeights(NamedTuple):
    """Weights of a description, and what is added to their sum."""

    weights: Floats
    bias: float


def fit_weights(described: Floats, is_worth: NDArray[np.bool_], penalty: float) -> FittedWeights:
    """Fit by Newton's method; the penalty is on the squares of weights of equal spread."""
    centre, spread = described.mean(axis=0), described.std(axis=0) + 1e-6
    rows = np.hstack([(described - centre) / spread, np.ones((len(described), 1))])
    weights, ridge = np.zeros(rows.shape[1]), np.full(rows.shape[1], penalty)
    ridge[-1] = 0.0
    for _ in range(_MOST_STEPS):
        likelihoods = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (likelihoods - is_worth) + ridge * weights
        bend = (rows.T * (likelihoods * (1 - likelihoods))) @ rows + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if np.abs(step).max() < _SMALLEST_STEP:
            break
    own = weights[:-1] / spread
    return FittedWeights(own, float(weights[-1] - own @ centre))
