"""Whose text a message is: a small network over what MiniLM makes of its tokens.

One layer of attention reads the states of all tokens of a message after the third layer of MiniLM,
where the words and their order still show. Its weights are made by `tools/authorship`.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

HEADS = 4
"""The heads of the layer of attention."""

_EPSILON = 1e-6


class AuthorshipReading(NamedTuple):
    """What the network makes of the tokens of messages, and the steps to it."""

    message: Floats
    """For each message the odds, as a logarithm, that it holds somebody else's text."""
    tokens: Floats
    """For each token the odds that it is somebody else's."""
    steps: Mapping[str, Floats]


def read_states(
    weights: Mapping[str, Floats],
    states: Floats,
    mask: Floats,
    kept: Mapping[str, Floats] | None = None,
) -> AuthorshipReading:
    """Read the states of messages (messages, tokens, width); `mask` is 1 where a token is.

    `states` have zero mean and equal spread, as `normalize` makes them. `kept` scales what training
    keeps of some steps, by their names.
    """
    kept = kept or {}

    def keep(name: str, values: Floats) -> Floats:
        return values * kept[name] if name in kept else values

    count, tokens, _ = states.shape
    states = keep("states", states)
    first = states @ weights["in.w"] + weights["in.b"]
    near = normalize(first)
    width = first.shape[2]
    shape = (count, tokens, HEADS, width // HEADS)
    query, key, value = (
        (near @ weights[f"{name}.w"] + weights[f"{name}.b"]).reshape(shape).transpose(0, 2, 1, 3)
        for name in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(shape[3])
    shares = softmax(scores - 1e9 * (1 - mask[:, None, None, :]))
    seen = (shares @ value).transpose(0, 2, 1, 3).reshape(count, tokens, width)
    second = first + keep("out", seen @ weights["out.w"] + weights["out.b"])
    there = normalize(second)
    grown = np.maximum(there @ weights["grow.w"] + weights["grow.b"], 0)
    third = second + keep("shrink", grown @ weights["shrink.w"] + weights["shrink.b"])
    last = normalize(third)
    weight = softmax(last @ weights["pool.w"] - 1e9 * (1 - mask))
    even = mask / mask.sum(axis=1, keepdims=True)
    pooled = np.concatenate([(share[:, None] @ last)[:, 0] for share in (weight, even)], axis=1)
    steps = {
        "states": states,
        "first": first,
        "near": near,
        "query": query,
        "key": key,
        "value": value,
        "shares": shares,
        "seen": seen,
        "second": second,
        "there": there,
        "grown": grown,
        "third": third,
        "last": last,
        "weight": weight,
        "even": even,
        "pooled": pooled,
    }
    return AuthorshipReading(
        pooled @ weights["message.w"] + weights["message.b"],
        last @ weights["token.w"] + weights["token.b"],
        steps,
    )


def normalize(rows: Floats) -> Floats:
    """Each row with mean 0 and spread 1."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    scaled: Floats = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
    return scaled


def softmax(scores: Floats) -> Floats:
    """Shares of 1 along the last axis."""
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = grown / grown.sum(axis=-1, keepdims=True)
    return shares
