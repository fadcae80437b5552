"""How well a model reads other languages, and how far its English has moved."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]


def find_translations(embed: Embed, pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """The share of sentences whose translation is nearest: from the language, and from English."""
    english, foreign = (embed([pair[side] for pair in pairs]) for side in (0, 1))
    scores = foreign @ english.T
    own = np.arange(len(pairs))
    there, back = (float((each.argmax(1) == own).mean()) for each in (scores, scores.T))
    return there, back


def compare_vectors(old: Floats, new: Floats) -> tuple[float, float]:
    """The cosine of the same texts' vectors by two models: its mean and its first percentile."""
    cosines = np.einsum("ij,ij->i", old, new)
    return float(cosines.mean()), float(np.percentile(cosines, 1))
