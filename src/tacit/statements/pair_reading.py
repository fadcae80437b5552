"""Reading two texts together: which model does, and how its answers are named."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class PairRelation(StrEnum):
    """How a later text relates to an earlier one."""

    REPLACES = "replaces"
    SAME = "same"
    ADDS = "adds"
    UNRELATED = "unrelated"
    UNREAL = "unreal"
    """It tells of the past, a wish, a possibility or one exception, so the earlier one stands."""


PAIR_RELATIONS = tuple(PairRelation)
"""The relations in the order of the numbers that a reader returns."""


class PairReader(Protocol):
    """Reads pairs of texts."""

    def read_pairs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """For each pair of an earlier and a later text how likely each relation is (pairs, 5)."""

    def weigh_statements(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """For each pair of a message and a statement in it how likely that is worth remembering."""

    def weigh_authorship(self, text: str) -> float:
        """How likely a message holds a text that somebody else wrote."""

    def weigh_exchange(self, first: str, second: str) -> tuple[float, float]:
        """How likely each of two messages that follow each other is somebody else's text."""
