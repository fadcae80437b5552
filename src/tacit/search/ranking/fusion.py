"""From several signals to one order.

The weights are in units of cosine, found by cross-validation over conversations; docs/search.md has
what each part brings.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from tacit.search.ranking.arrays import Floats, Integers
from tacit.search.ranking.signals import ABSENT, Signals

LEXICAL = 0.5
SESSION = 0.25
SPEAKER = 0.1
GRAPH = 0.3
NEAR = 0.3
"""The share that what was said directly before and after a candidate speaks for it."""
FAR = 0.15
"""The share of what was said two places away."""

BOOST = 0.01
"""What importance and what recency can add, each, as a share of the best score."""


def parts(signals: Signals) -> Mapping[str, Floats]:
    """What each signal adds to each candidate's score."""
    own = signals.dense + LEXICAL * signals.lexical
    return {
        "dense": signals.dense,
        "lexical": LEXICAL * signals.lexical,
        "neighbours": _neighbours(own, signals.around),
        "session": SESSION * signals.session,
        "speaker": SPEAKER * signals.speaker,
        "graph": GRAPH * signals.graph,
    }


def reciprocal_ranks(sources: Sequence[Integers], candidates: int, k: int) -> Floats:
    """Reciprocal rank fusion of lists of candidates, best first; ranks count from 1."""
    total = np.zeros(candidates)
    for source in sources:
        total[source] += 1 / (k + np.arange(1, len(source) + 1))
    return total


def boosts(scores: Floats, signals: Signals) -> Mapping[str, Floats]:
    """Additions small enough to break ties and never to beat relevance."""
    span = float(scores.max(initial=0.0))
    return {
        "importance": BOOST * span * signals.importance,
        "recency": BOOST * span * signals.recency,
    }


def _neighbours(own: Floats, around: Integers) -> Floats:
    """What was said around a candidate is evidence for it."""
    padded = np.append(own, 0.0)
    beside = padded[np.where(around == ABSENT, len(own), around)]
    spoken: Floats = beside @ np.array([FAR, NEAR, NEAR, FAR])
    return spoken
