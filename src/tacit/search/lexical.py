"""Full text: BM25 over the terms of a query, per memory and per session."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.ranking import bm25
from tacit.ranking.arrays import Flags, Floats, Integers
from tacit.search.corpus import Corpus
from tacit.text import QueryTerm, code

MOST_POSTINGS = 60_000
"""Beyond so many entries a query's commonest terms are left out: they cost most and tell least."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores of all rows; `coverage` is the share of the query's weight that a row matches."""

    scores: Floats
    coverage: Floats
    sessions: Floats


@dataclass(frozen=True, slots=True)
class _Found:
    rows: Integers
    counts: Integers
    rarity: float
    is_stop_word: bool


def score(corpus: Corpus, terms: Sequence[QueryTerm], visible: Flags) -> Lexical:
    """Score every row against a query; statistics are those of the live workspace."""
    columns = corpus.columns
    alive = columns.alive.data
    lengths = columns.length.data
    documents = int(np.count_nonzero(alive))
    average = float(lengths[alive].mean()) if documents else 0.0
    everything = [_find(corpus, term, alive, documents) for term in terms]
    found = _affordable(everything)
    scores, coverage = np.zeros(len(alive)), np.zeros(len(alive))
    for each in found:
        weights = bm25.weight(each.counts, lengths[each.rows], average)
        scores[each.rows] += each.rarity * weights
        if not each.is_stop_word:
            coverage[each.rows] += each.rarity
    whole = sum(each.rarity for each in everything if not each.is_stop_word)
    scores[~visible] = 0.0
    sessions = _sessions(corpus, found, alive)
    return Lexical(scores, np.where(visible, coverage / max(whole, 1e-9), 0.0), sessions)


def _find(corpus: Corpus, term: QueryTerm, alive: Flags, documents: int) -> _Found:
    """The live rows that hold a term under any of its stems."""
    found = [corpus.postings.find(code(stem)) for stem in term.alternatives]
    found = [each for each in found if len(each[0])]
    if len(found) > 1:
        rows, places = np.unique(np.concatenate([rows for rows, _ in found]), return_inverse=True)
        counts = np.bincount(places, np.concatenate([counts for _, counts in found])).astype(int)
    elif found:
        rows, counts = found[0]
    else:
        rows, counts = np.zeros(0, np.int32), np.zeros(0, np.int32)
    living = alive[rows]
    rows, counts = rows[living], counts[living]
    return _Found(rows, counts, bm25.rarity(documents, len(rows)), term.is_stop_word)


def _affordable(found: Sequence[_Found]) -> list[_Found]:
    """The rarest terms, as many as can be afforded, and at least one."""
    kept: list[_Found] = []
    total = 0
    for each in sorted(found, key=lambda each: len(each.rows)):
        total += len(each.rows)
        if kept and total > MOST_POSTINGS:
            break
        if len(each.rows):
            kept.append(each)
    return kept


def _sessions(corpus: Corpus, found: Sequence[_Found], alive: Flags) -> Floats:
    """BM25 with a whole session as the text, by the number of the session."""
    count = len(corpus.columns.sessions)
    scores = np.zeros(count)
    if not count:
        return scores
    session = corpus.columns.session.data
    within = alive & (session >= 0)
    lengths = np.bincount(session[within], corpus.columns.length.data[within], count)
    filled = int(np.count_nonzero(lengths))
    average = float(lengths.sum()) / max(filled, 1)
    for each in found:
        own = session[each.rows]
        placed = own >= 0
        counts = np.bincount(own[placed], each.counts[placed], count)
        holding = np.flatnonzero(counts)
        weights = bm25.weight(counts[holding], lengths[holding], average)
        scores[holding] += bm25.rarity(filled, len(holding)) * weights
    return scores
