"""Two texts read together: how a later one relates to an earlier one.

The network is MiniLM with trained updates of its matrices (`tools/pair_reading`). It sees the
tokens of both texts at once, which tells more than the likeness of two vectors: "the read timeout
is 3 s" is about something else than "the connect timeout is 5 s", however alike they are. What it
makes of a statement beside its message, and of the statement alone, also tells whether that is
worth remembering (`tools/statement_worth`). What the third layer of the network that reads seven
languages makes of a whole message tells whether that holds somebody else's text
(`tools/authorship`).

Both run in single precision: in eight bits a likelihood moves by up to .4, and by as much again
between processors with and without instructions for eight bits, and what replaces what must not
depend on the machine.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.matrix_products import matrix_products
from tacit.embedding.embedder import ignore_progress
from tacit.embedding.minilm.authorship import AuthorshipReading, normalize, read_states
from tacit.embedding.minilm.embedder import load_or_build, open_session, to_input
from tacit.embedding.minilm.model_files import (
    AUTHORSHIP_WEIGHTS,
    ENGLISH,
    EXCHANGE_WEIGHTS,
    FITTED_TO,
    PAIR_UPDATES,
    SEVEN_LANGUAGES,
    STATEMENT_WEIGHTS,
    ModelCache,
)
from tacit.embedding.minilm.tokenizer import MessageTokens, MiniLMTokenizer
from tacit.embedding.opening import OpenedOnce
from tacit.runtime.native_calls import native_call
from tacit.statements.pair_reading import PAIR_RELATIONS

Floats = NDArray[np.float32]

_MOST_OF_MESSAGE = 3_900
"""Characters of each of two messages that are read as one: then no piece of it is left out."""


class MiniLMPairReader:
    """Reads pairs of texts; threads may share it."""

    def __init__(
        self,
        session: Any,
        tokens: MiniLMTokenizer,
        message_session: Any,
        message_tokens: MiniLMTokenizer,
    ) -> None:
        self._session = session
        self._tokens = tokens
        self._message_session = message_session
        self._message_tokens = message_tokens
        with np.load(PAIR_UPDATES) as trained:
            self._weights: Floats = trained["head.weight"].T
            self._bias: Floats = trained["head.bias"]
        with np.load(STATEMENT_WEIGHTS) as trained:
            self._statement_weights: Floats = trained["weights"]
            self._statement_bias = float(trained["bias"])
        self._authorship = _load_weights(AUTHORSHIP_WEIGHTS)
        self._exchange = _load_weights(EXCHANGE_WEIGHTS)

    @classmethod
    def open(cls) -> "MiniLMPairReader":
        """Load the model; it is fetched and built first if it is missing or broken."""
        return load_or_build(cls.load, ignore_progress)

    @classmethod
    def load(cls, cache: ModelCache) -> "MiniLMPairReader":
        """Load a model that is in the cache."""
        return cls(
            open_session(cache.pair_graph, threads=1),
            MiniLMTokenizer.load(cache.tokenizer(ENGLISH)),
            open_session(cache.message_graph, threads=1),
            MiniLMTokenizer.load(cache.tokenizer(SEVEN_LANGUAGES)),
        )

    def read_pairs(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """For each pair of an earlier and a later text how likely each relation is.

        Each is read by itself, which takes no longer than a batch.
        """
        found = np.empty((len(pairs), len(PAIR_RELATIONS)), np.float32)
        for place, (old, new) in enumerate(pairs):
            states = self._read_tokens(old, new)
            with matrix_products():
                found[place] = _to_shares(states[:1] @ self._weights + self._bias)
        return found

    def weigh_statements(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """For each pair of a message and a statement in it how likely that is worth remembering."""
        read = [self.describe_statement(*pair) for pair in pairs]
        scores = np.array([each @ self._statement_weights for each in read], np.float32)
        likelihoods: Floats = 1 / (1 + np.exp(-scores - self._statement_bias))
        return likelihoods

    def describe_statement(self, message: str, statement: str) -> Floats:
        """What the network makes of a statement beside its message, and of the statement alone."""
        beside, alone = self._read_tokens(message, statement), self._read_tokens(statement, "")
        return np.concatenate([beside[0], beside.mean(axis=0), alone[0], alone.mean(axis=0)])

    def weigh_authorship(self, text: str) -> float:
        """How likely a message holds a text that somebody else wrote."""
        read, _ = self._read_authorship(self._authorship, text)
        return _to_likelihood(read.message[0])

    def weigh_exchange(self, first: str, second: str) -> tuple[float, float]:
        """How likely each of two messages that follow each other is somebody else's text.

        They are read as one, since "what do I answer her?" tells whose the message before is.
        """
        first, second = first[:_MOST_OF_MESSAGE], second[-_MOST_OF_MESSAGE:]
        read, tokens = self._read_authorship(self._exchange, f"{first}\n{second}")
        odds = read.tokens[0, 1:-1]
        is_second = np.array([start > len(first) for start, _ in tokens.spans])
        before, after = (
            _to_likelihood(min(read.message[0], odds[part].mean())) if part.any() else 0.0
            for part in (~is_second, is_second)
        )
        return before, after

    def _read_authorship(
        self, weights: Mapping[str, Floats], text: str
    ) -> tuple[AuthorshipReading, MessageTokens]:
        states, tokens = self.describe_message(text)
        with matrix_products():
            ones = np.ones((1, len(states)), np.float32)
            return read_states(weights, states[None], ones), tokens

    def describe_message(self, text: str) -> tuple[Floats, MessageTokens]:
        """What the third layer makes of each token of a message, and the tokens."""
        tokens = self._message_tokens.of_message(text)
        return normalize(_run(self._message_session, tokens.ids)), tokens

    def _read_tokens(self, first: str, second: str) -> Floats:
        return _run(self._session, self._tokens.of_pair(first, second))


def _load_weights(path: Path) -> dict[str, Floats]:
    with np.load(path) as trained:
        names = [name for name in trained.files if name != FITTED_TO]
        return {name: trained[name].astype(np.float32) for name in names}


def _to_likelihood(odds: np.floating[Any]) -> float:
    return float(1 / (1 + np.exp(-odds)))


def _run(session: Any, tokens: Sequence[int]) -> Floats:
    ids, mask = to_input([tokens])
    with native_call():
        (states,) = session.run(["token_states"], {"ids": ids, "mask": mask})
    rows: Floats = states[0]
    return rows


def _to_shares(scores: Floats) -> Floats:
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = grown / grown.sum(axis=1, keepdims=True)
    return shares


class SharedPairReader:
    """The pair reader of a process, loaded when first needed."""

    def __init__(self) -> None:
        self._opening = OpenedOnce(MiniLMPairReader.open)

    def read_pairs(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """For each pair of an earlier and a later text how likely each relation is."""
        return self._opening.get().read_pairs(pairs)

    def weigh_statements(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """For each pair of a message and a statement in it how likely that is worth remembering."""
        return self._opening.get().weigh_statements(pairs)

    def weigh_authorship(self, text: str) -> float:
        """How likely a message holds a text that somebody else wrote."""
        return self._opening.get().weigh_authorship(text)

    def weigh_exchange(self, first: str, second: str) -> tuple[float, float]:
        """How likely each of two messages that follow each other is somebody else's text."""
        return self._opening.get().weigh_exchange(first, second)
