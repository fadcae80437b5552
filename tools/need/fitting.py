"""Fit the weights of need: a logistic regression whose weights are held small, and no others."""

from collections.abc import Sequence

import numpy as np
from tools.need.examples import Example, Floats

from tacit.embedding.minilm.model_files import SEVEN_LANGUAGES
from tacit.search.need import NeedWeights

_VECTOR_RESTRAINT, _FEATURE_RESTRAINT = 60.0, 1.0
"""How small weights are held: there are about as many numbers in a vector as there are people's
questions, and few others."""

_STEPS = 30
_CLOSE = 1e-8


def fit_weights(examples: Sequence[Example]) -> NeedWeights:
    """The weights that tell examples apart, by Newton's method: there is one best answer."""
    vectors = np.stack([each.vector for each in examples]).astype(np.float64)
    features = np.stack([each.features for each in examples])
    inputs = np.hstack([vectors * np.sqrt(vectors.shape[1]), features])
    needed = np.array([each.is_needed for each in examples], np.float64)
    restraint = np.full(inputs.shape[1], _FEATURE_RESTRAINT)
    restraint[: vectors.shape[1]] = _VECTOR_RESTRAINT
    restraint[-1] = 0.0
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (likely - needed) + restraint * weights
        curve = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + np.diag(restraint)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if float(np.abs(step).max()) < _CLOSE:
            break
    size = vectors.shape[1]
    return NeedWeights(
        weights[:size] * np.sqrt(size), weights[size:], SEVEN_LANGUAGES.model.revision
    )


def find_likelihoods(weights: NeedWeights, examples: Sequence[Example]) -> Floats:
    """How likely each example needs memory."""
    vectors = np.stack([each.vector for each in examples])
    features = np.stack([each.features for each in examples])
    odds = vectors @ weights.vector + features @ weights.traits
    return np.asarray(1 / (1 + np.exp(-odds)))


def leave_out_groups(examples: Sequence[Example]) -> Floats:
    """How likely each example needs memory, by weights that were fitted without its group."""
    groups = np.array([each.group for each in examples])
    found = np.zeros(len(examples))
    for group in dict.fromkeys(groups.tolist()):
        others = [each for each in examples if each.group != group]
        left = [each for each in examples if each.group == group]
        found[groups == group] = find_likelihoods(fit_weights(others), left)
    return found
