"""Fitting the network over the states of tokens, by Adam, without more than NumPy."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from tacit.embedding.minilm.authorship import HEADS, AuthorshipReading, Floats, read_states

WIDTH = 64
EPOCHS = 12
BATCH = 64

_RATE = 1e-3
_RISE = 60
"""The learning rate rises for so many steps, and then falls to nothing."""

_DECAY = 0.05
_DROPPED = 0.2
_LEAST_SURE = 0.02
"""A message is taken for somebody else's with a likelihood of 1 less this at most."""

_LONGEST_GRADIENT = 1.0
_MOMENTS = (0.9, 0.999)

Weights = dict[str, Floats]


class ReadMessage(NamedTuple):
    """The states of a message's tokens, and whose they are: 1 others', 0 the person's, -1 open."""

    states: Floats
    owners: NDArray[np.int8]
    is_foreign: bool
    weight: float = 1.0


class MessageBatch(NamedTuple):
    """Messages side by side, padded."""

    states: Floats
    mask: Floats
    owners: Floats
    is_foreign: Floats
    weight: Floats

    @classmethod
    def of(cls, messages: Sequence[ReadMessage]) -> "MessageBatch":
        """Pad some messages to the length of the longest."""
        longest = max(len(each.states) for each in messages)
        states = np.zeros((len(messages), longest, messages[0].states.shape[1]), np.float32)
        mask, owners = np.zeros(states.shape[:2], np.float32), np.full(states.shape[:2], -1.0)
        for place, each in enumerate(messages):
            states[place, : len(each.states)] = each.states
            mask[place, : len(each.states)] = 1
            owners[place, : len(each.states)] = each.owners
        foreign = np.array([each.is_foreign for each in messages], np.float32)
        return cls(states, mask, owners, foreign, np.array([each.weight for each in messages]))


def draw_weights(inputs: int, width: int, rng: np.random.Generator) -> Weights:
    """Weights to begin with."""
    sizes = dict.fromkeys(("query", "key", "value", "out"), (width, width))
    sizes |= {"in": (inputs, width), "grow": (width, 2 * width), "shrink": (2 * width, width)}
    weights: Weights = {}
    for name, (rows, columns) in sizes.items():
        bound = 1 / np.sqrt(rows)
        weights[f"{name}.w"] = rng.uniform(-bound, bound, (rows, columns)).astype(np.float32)
        weights[f"{name}.b"] = np.zeros(columns, np.float32)
    for name, size in {"pool": width, "token": width, "message": 2 * width}.items():
        weights[f"{name}.w"] = rng.normal(0, 1 / np.sqrt(size), size).astype(np.float32)
    return weights | {f"{name}.b": np.zeros((), np.float32) for name in ("token", "message")}


def fit_weights(
    messages: Sequence[ReadMessage], *, width: int = WIDTH, epochs: int = EPOCHS, seed: int = 0
) -> Weights:
    """The weights that tell the messages apart."""
    rng = np.random.default_rng(seed)
    weights = draw_weights(messages[0].states.shape[1], width, rng)
    averages = {name: (np.zeros_like(each), np.zeros_like(each)) for name, each in weights.items()}
    batches = -(-len(messages) // BATCH)
    for step in track(range(epochs * batches), "Fitting"):
        if step % batches == 0:
            drawn = _draw_batches([len(each.states) for each in messages], batches, rng)
        batch = MessageBatch.of([messages[place] for place in drawn[step % batches]])
        slopes = find_slopes(weights, batch, _draw_kept(batch, width, rng))
        rate = _RATE * min(1, (step + 1) / _RISE) * (1 - step / (epochs * batches))
        _take_step(weights, slopes, averages, rate, step + 1)
    return weights


def _draw_batches(
    lengths: Sequence[int], batches: int, rng: np.random.Generator
) -> list[NDArray[np.int64]]:
    """The places of messages of similar length, in any order of the lengths."""
    near = np.array(lengths) * rng.uniform(0.8, 1.25, len(lengths))
    drawn = np.array_split(np.argsort(near), batches)
    return [drawn[place] for place in rng.permutation(batches)]


def _draw_kept(batch: MessageBatch, width: int, rng: np.random.Generator) -> Weights:
    count, tokens, inputs = batch.states.shape
    shapes = {
        "states": (count, 1, inputs),
        "out": (count, tokens, width),
        "shrink": (count, tokens, width),
    }
    return {
        name: (rng.random(shape, np.float32) > _DROPPED) / np.float32(1 - _DROPPED)
        for name, shape in shapes.items()
    }


def _take_step(
    weights: Weights,
    slopes: Mapping[str, Floats],
    averages: dict[str, tuple[Floats, Floats]],
    rate: float,
    step: int,
) -> None:
    length = float(np.sqrt(sum(float((each**2).sum()) for each in slopes.values())))
    scale = min(1.0, _LONGEST_GRADIENT / (length + 1e-9))
    first, second = _MOMENTS
    for name, slope in slopes.items():
        mean, square = averages[name]
        mean = first * mean + (1 - first) * slope * scale
        square = second * square + (1 - second) * (slope * scale) ** 2
        averages[name] = (mean, square)
        moved = mean / (1 - first**step) / (np.sqrt(square / (1 - second**step)) + 1e-8)
        decay = _DECAY if name.endswith(".w") else 0.0
        weights[name] = (weights[name] - rate * (moved + decay * weights[name])).astype(np.float32)


def find_loss(weights: Mapping[str, Floats], batch: MessageBatch) -> float:
    """The cross entropy of messages and of their tokens, without anything dropped."""
    read = read_states(weights, batch.states, batch.mask)
    goal, known = _find_goals(batch)
    tokens = _cross_entropy(read.tokens, batch.owners) * known
    return float((batch.weight * (_cross_entropy(read.message, goal) + tokens.sum(1))).mean())


def _find_goals(batch: MessageBatch) -> tuple[Floats, Floats]:
    """What the messages should be read as, and the weight of each token."""
    known = (batch.owners >= 0).astype(np.float64)
    share = known / np.maximum(known.sum(axis=1, keepdims=True), 1)
    return batch.is_foreign * (1 - 2 * _LEAST_SURE) + _LEAST_SURE, share


def _cross_entropy(odds: Floats, goal: Floats) -> Floats:
    found: Floats = np.logaddexp(0, odds) - odds * goal
    return found


def find_slopes(
    weights: Mapping[str, Floats], batch: MessageBatch, kept: Mapping[str, Floats]
) -> Weights:
    """How the loss changes with each weight."""
    read = read_states(weights, batch.states, batch.mask, kept)
    goal, known = _find_goals(batch)
    weight = (batch.weight / len(batch.weight)).astype(np.float32)
    message = (weight * (_to_likelihood(read.message) - goal)).astype(np.float32)
    tokens = weight[:, None] * known * (_to_likelihood(read.tokens) - batch.owners)
    return _SlopeFinder(weights, read, kept).find(message, tokens.astype(np.float32))


def _to_likelihood(odds: Floats) -> Floats:
    likelihood: Floats = 1 / (1 + np.exp(-odds))
    return likelihood


class _SlopeFinder:
    """Goes back through the steps of a reading."""

    def __init__(
        self,
        weights: Mapping[str, Floats],
        read: AuthorshipReading,
        kept: Mapping[str, Floats],
    ) -> None:
        self._weights = weights
        self._steps = read.steps
        self._kept = kept
        self._found: Weights = {}

    def find(self, message: Floats, tokens: Floats) -> Weights:
        """The slopes of all weights, from those of the odds."""
        third = self._leave_pooling(message, tokens)
        second = third + self._leave_growth(third)
        first = second + self._leave_attention(second)
        self._leave_linear("in", self._steps["states"], first, passes_on=False)
        return self._found

    def _leave_pooling(self, message: Floats, tokens: Floats) -> Floats:
        steps, found, width = self._steps, self._found, self._steps["last"].shape[2]
        last, weight = steps["last"], steps["weight"]
        found["message.w"], found["message.b"] = message @ steps["pooled"], message.sum()
        found["token.w"] = np.tensordot(tokens, last, axes=([0, 1], [0, 1]))
        found["token.b"] = tokens.sum()
        pooled = message[:, None] * self._weights["message.w"]
        by_weight, by_mean = pooled[:, None, :width], pooled[:, None, width:]
        shares = (last @ by_weight.transpose(0, 2, 1))[..., 0]
        scores = _leave_softmax(weight, shares)
        found["pool.w"] = np.tensordot(scores, last, axes=([0, 1], [0, 1]))
        slope = weight[..., None] * by_weight + steps["even"][..., None] * by_mean
        slope = slope + scores[..., None] * self._weights["pool.w"]
        slope = slope + tokens[..., None] * self._weights["token.w"]
        return _leave_normalization(steps["third"], last, slope)

    def _leave_growth(self, slope: Floats) -> Floats:
        steps = self._steps
        slope = slope * self._kept["shrink"] if "shrink" in self._kept else slope
        grown = self._leave_linear("shrink", steps["grown"], slope) * (steps["grown"] > 0)
        there = self._leave_linear("grow", steps["there"], grown)
        return _leave_normalization(steps["second"], steps["there"], there)

    def _leave_attention(self, slope: Floats) -> Floats:
        steps = self._steps
        query, key, value, shares = (steps[name] for name in ("query", "key", "value", "shares"))
        slope = slope * self._kept["out"] if "out" in self._kept else slope
        seen = self._leave_linear("out", steps["seen"], slope)
        count, tokens, width = seen.shape
        split = seen.reshape(count, tokens, HEADS, width // HEADS).transpose(0, 2, 1, 3)
        scores = _leave_softmax(shares, split @ value.transpose(0, 1, 3, 2))
        scores = scores / math.sqrt(width // HEADS)
        parts = {
            "query": scores @ key,
            "key": scores.transpose(0, 1, 3, 2) @ query,
            "value": shares.transpose(0, 1, 3, 2) @ split,
        }
        near = np.zeros_like(seen)
        for name, part in parts.items():
            joined = part.transpose(0, 2, 1, 3).reshape(seen.shape)
            near = near + self._leave_linear(name, steps["near"], joined)
        return _leave_normalization(steps["first"], steps["near"], near)

    def _leave_linear(
        self, name: str, before: Floats, slope: Floats, *, passes_on: bool = True
    ) -> Floats:
        rows, columns = before.shape[2], slope.shape[2]
        self._found[f"{name}.w"] = before.reshape(-1, rows).T @ slope.reshape(-1, columns)
        self._found[f"{name}.b"] = slope.sum(axis=(0, 1))
        return slope @ self._weights[f"{name}.w"].T if passes_on else slope


def _leave_softmax(shares: Floats, slope: Floats) -> Floats:
    left: Floats = shares * (slope - (shares * slope).sum(axis=-1, keepdims=True))
    return left


def _leave_normalization(before: Floats, after: Floats, slope: Floats) -> Floats:
    spread = np.sqrt(before.var(axis=-1, keepdims=True) + 1e-6)
    mean = slope.mean(axis=-1, keepdims=True)
    along = (slope * after).mean(axis=-1, keepdims=True)
    left: Floats = (slope - mean - after * along) / spread
    return left
