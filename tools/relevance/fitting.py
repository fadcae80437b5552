"""Fit the weights of relevance, and measure them on who was left out."""

from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import NamedTuple

import numpy as np
from tools.relevance.examples import Example, Floats

from tacit.search.ranking import TOKEN_ODDS

SHIPPED: Floats = np.array(astuple(TOKEN_ODDS))
"""The weights of the package, in the order of `TokenOdds`."""

_RESTRAINT = 0.05
"""How small weights are held."""

_STEPS = 50
_CLOSE = 1e-8


class Shares(NamedTuple):
    """Of the messages that need nothing, and of the others, the share that gets a (right) line."""

    false: float
    right: float
    lines: float
    """Lines for a message that needs something."""


def fit_weights(examples: Sequence[Example]) -> Floats:
    """The weights that tell relevant texts apart, by Newton's method.

    The messages of a group count as much as those of any other, and all texts that were found for
    one as much as those for another.
    """
    signs = np.concatenate([each.signs for each in examples])
    fixed = np.concatenate([each.fixed for each in examples])
    relevant = np.concatenate([each.is_relevant for each in examples]).astype(float)
    counts = np.concatenate([np.full(len(each.fixed), 1 / len(each.fixed)) for each in examples])
    varies = signs.std(axis=0) > 0
    varies[-1] = True
    inputs, weights = signs[:, varies], np.zeros(int(varies.sum()))
    restraint = np.full(len(weights), _RESTRAINT)
    restraint[-1] = 0.0
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-inputs @ weights - fixed))
        slope = inputs.T @ (counts * (likely - relevant)) + restraint * weights
        bend = (inputs * (counts * likely * (1 - likely))[:, None]).T @ inputs + np.diag(restraint)
        step = np.linalg.solve(bend, slope)
        weights -= step
        if float(np.abs(step).max()) < _CLOSE:
            break
    found = np.zeros(signs.shape[1])
    found[varies] = weights
    return found


def estimate(example: Example, weights: Floats) -> Floats:
    """How relevant each text is that was found for a message."""
    return np.asarray(1 / (1 + np.exp(-example.signs @ weights - example.fixed)))


def leave_out_groups(
    examples: Sequence[Example], fit: Callable[[Sequence[Example]], Floats] = fit_weights
) -> list[Floats]:
    """Relevance by weights that were fitted without the group of each example."""
    fitted = {
        group: fit([each for each in examples if each.group != group])
        for group in dict.fromkeys(each.group for each in examples)
    }
    return [estimate(each, fitted[each.group]) for each in examples]


def find_shares(examples: Sequence[Example], relevance: Sequence[Floats], floor: float) -> Shares:
    """What passes a floor."""
    told = [(each, found >= floor) for each, found in zip(examples, relevance, strict=True)]
    other = [passes.any() for each, passes in told if not each.is_needed]
    needing = [(each, passes) for each, passes in told if each.is_needed]
    return Shares(
        float(np.mean(other)),
        float(np.mean([(passes & each.is_relevant).any() for each, passes in needing])),
        float(np.mean([passes.sum() for _, passes in needing])),
    )


def find_floor(examples: Sequence[Example], relevance: Sequence[Floats], false: float) -> float:
    """The floor that so large a share of the messages that need nothing passes."""
    best = [
        found.max() for each, found in zip(examples, relevance, strict=True) if not each.is_needed
    ]
    return float(np.quantile(best, 1 - false))
