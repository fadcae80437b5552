"""Whether a message needs what is remembered: small talk and general questions mostly do not.

Estimated from how relevant the best is that was found, and from the message itself: whose things
it speaks of, whether it asks, and what its vector is like. The weights are fitted to people, by
`tools/need`.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from tacit.core.vectors import EmbeddingModel
from tacit.embedding.minilm.model_files import ENGLISH
from tacit.language.sentences import is_question
from tacit.language.small_talk import asks_for_something, fold_words
from tacit.language.topics import speaks_for_self, speaks_of_own, speaks_of_self
from tacit.search.query_embedding import EmbeddedQuery
from tacit.search.ranking import Floats

NEED_WEIGHTS = Path(__file__).with_name("need_weights.npz")
"""The weights of a vector and of traits, made by tools/need."""

MOST_READ = 8
"""So many of the most relevant lines are looked through for the names of a message."""

_ALSO_MEASURED = (ENGLISH.model.revision,)
"""Models beside the one that the weights are fitted to with which they were measured: the English
vectors of both are nearly the same."""

_MOST_WORDS = 40
_LEAST_RELEVANCE = 1e-3
_WORD = re.compile(r"[^\W_]{3,}")


@dataclass(frozen=True, slots=True)
class MessageTraits:
    """What a message is like: whose things it speaks of, whether it asks, and how long it is.

    Of its names, words with a capital that do not begin it, some may be in what was found, or none.
    """

    is_own: bool
    is_of_self: bool
    is_for_self: bool
    is_question: bool
    asks: bool
    is_follow_up: bool
    has_known_names: bool
    has_unknown_names: bool
    length: float

    @classmethod
    def of(cls, text: str, found: Iterable[str], *, is_follow_up: bool) -> Self:
        """Read the traits of a message, beside the most relevant lines that were found."""
        names = {word.casefold() for word in _WORD.findall(text)[1:] if word[0].isupper()}
        known = {word.casefold() for line in found for word in _WORD.findall(line)} if names else ()
        return cls(
            is_own=speaks_of_own(text),
            is_of_self=speaks_of_self(text),
            is_for_self=speaks_for_self(text),
            is_question=is_question(text),
            asks=asks_for_something(text),
            is_follow_up=is_follow_up,
            has_known_names=not names.isdisjoint(known),
            has_unknown_names=bool(names) and names.isdisjoint(known),
            length=min(len(fold_words(text)), _MOST_WORDS) / _MOST_WORDS,
        )


@dataclass(frozen=True, slots=True)
class NeedWeights:
    """The weights of a message's vector, and of the best relevance, the traits and one."""

    vector: Floats
    traits: Floats
    fitted_to: str
    """The revision of the model whose vectors they are for."""


@cache
def load_weights() -> NeedWeights:
    """Read the weights of the package, once."""
    with np.load(NEED_WEIGHTS) as learned:
        return NeedWeights(
            learned["vector"].astype(np.float32),
            learned["traits"].astype(float),
            str(learned["fitted_to"]),
        )


def weigh_vector(query: EmbeddedQuery | None, model: EmbeddingModel | None) -> float | None:
    """What the vector of a message adds to the odds of needing memory.

    Nothing is known of vectors of a model that the weights are not for, and of languages that it
    cannot read.
    """
    if query is None or model is None or query.is_foreign or query.is_unread:
        return None
    weights = load_weights()
    if model.revision not in (weights.fitted_to, *_ALSO_MEASURED):
        return None
    return float(np.asarray(query.said, np.float32) @ weights.vector)


def estimate_need(vector_odds: float, relevance: float, traits: MessageTraits) -> float:
    """How likely a message needs memory, from 0 to 1, given the best relevance that was found."""
    odds = vector_odds + float(np.dot(load_weights().traits, need_features(relevance, traits)))
    return 1 / (1 + math.exp(-odds))


def need_features(relevance: float, traits: MessageTraits) -> Sequence[float]:
    """What is weighed besides the vector; the last one is the bias."""
    known = min(max(relevance, _LEAST_RELEVANCE), 1 - _LEAST_RELEVANCE)
    return (math.log(known / (1 - known)), *map(float, astuple(traits)), 1.0)
