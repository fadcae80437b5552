"""BM25: how much a text that holds a term speaks for it."""

import math

from tacit.search.ranking.arrays import Floats, Numbers

K1 = 1.2
B = 0.5


def rarity(documents: int, frequency: int) -> float:
    """Inverse document frequency; never negative."""
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def weight(counts: Numbers, lengths: Numbers, average: float) -> Floats:
    """How often a term occurs, with diminishing returns, against the length of the text."""
    room: Floats = K1 * (1 - B + B * lengths / max(average, 1e-9))
    weighed: Floats = counts * (K1 + 1) / (counts + room)
    return weighed
