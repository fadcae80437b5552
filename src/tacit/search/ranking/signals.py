"""What is known of each candidate of a search, before it is one number."""

from dataclasses import dataclass

from tacit.search.ranking.arrays import Floats, Integers

ABSENT = -1


@dataclass(frozen=True, slots=True)
class Signals:
    """One row per candidate.

    `relevance` is comparable between queries, everything else within one. `dense` is the cosine
    above what the average memory has, `lexical` and `session` are BM25 as a share of the best,
    `speaker` is 1 where the query names who said it, `graph` is what arrives along associations.
    `around` holds, per candidate, the rows of what was said one and two places before and after
    it, or ABSENT.
    """

    relevance: Floats
    dense: Floats
    lexical: Floats
    session: Floats
    speaker: Floats
    graph: Floats
    around: Integers
    importance: Floats
    recency: Floats
