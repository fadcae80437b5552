"""Full text: BM25 over the terms of a query, per memory and per session."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from tacit.language.terms import QueryTerm, term_code
from tacit.search.corpus import Corpus, CorpusStatistics
from tacit.search.ranking import Flags, Floats, Integers, inverse_document_frequency, term_weight

_FEWEST_DOCUMENTS = 10
"""Fewer memories do not show which words are common: one that half of them hold may be rare."""

MOST_POSTINGS = 40_000
"""Beyond this many postings, common terms choose no candidates; they still add to scores."""


@dataclass(frozen=True, slots=True)
class TermMatch:
    """The rows that hold a term, in order, how often each does, and how rare the term is.

    `documents` counts all memories that hold it, even where the corpus is only an excerpt.
    """

    rows: Integers
    counts: Integers
    documents: int
    rarity: float
    weight: float
    is_stop_word: bool


class _HasFrequency(Protocol):
    @property
    def documents(self) -> int: ...


Term = TypeVar("Term", bound=_HasFrequency)


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """Scores of all rows by the rare terms; `scores_of` adds the common ones.

    `coverage` is the share of the query's weight that a row matches, without stop words: of all
    terms or of those that were said now, whichever is higher; `said_coverage` is of the latter
    alone. `sessions` are the scores of whole
    sessions, by their numbers. `rarities` say how rare each term is, by its stems.
    """

    scores: Floats
    coverage: Floats
    said_coverage: Floats
    sessions: Floats
    common: Sequence[TermMatch]
    rarities: Mapping[str, float]
    lengths: Integers
    average: float
    has_context: bool = False
    """Whether some terms come from the conversation before the message."""

    def scores_of(self, rows: Integers) -> Floats:
        """The scores of these rows by all terms."""
        total = self.scores[rows]
        for found in self.common:
            if not len(found.rows):
                continue
            places = np.searchsorted(found.rows, rows)
            held = found.rows[np.minimum(places, len(found.rows) - 1)] == rows
            counts = np.where(held, found.counts[np.minimum(places, len(found.rows) - 1)], 0)
            total = total + found.rarity * term_weight(counts, self.lengths[rows], self.average)
        return total


def score_terms(
    corpus: Corpus, terms: Sequence[QueryTerm], visible: Flags, most: int = MOST_POSTINGS
) -> LexicalScores:
    """Score every row against a query, with the statistics of the live workspace."""
    alive, lengths = corpus.columns.alive.data, corpus.columns.length.data
    documents, average = corpus.size()
    everything = [_find_term(corpus, term, alive, documents) for term in terms]
    rare, common = split_by_rarity(everything, most)
    scores = np.zeros(len(alive))
    for found in rare:
        weights = term_weight(found.counts, lengths[found.rows], average)
        scores[found.rows] += found.rarity * weights
    scores[~visible] = 0.0
    said = [found for found in everything if found.weight == 1.0]
    said_coverage = np.where(visible, _measure_coverage(said, rare, len(alive)), 0.0)
    coverage = said_coverage
    if len(said) < len(everything):
        of_all = _measure_coverage(everything, rare, len(alive))
        coverage = np.where(visible, np.maximum(of_all, said_coverage), 0.0)
    rarities = {
        stem: found.rarity / term.weight
        for term, found in zip(terms, everything, strict=True)
        for stem in term.alternatives
    }
    sessions = _score_sessions(corpus, rare)
    return LexicalScores(
        scores=scores,
        coverage=coverage,
        said_coverage=said_coverage,
        sessions=sessions,
        common=common,
        rarities=rarities,
        lengths=lengths,
        average=average,
        has_context=len(said) < len(everything),
    )


def _measure_coverage(asked: Sequence[TermMatch], rare: Sequence[TermMatch], rows: int) -> Floats:
    """The share of the query that each row holds, terms weighted by rarity."""
    whole = sum(found.rarity for found in asked if not found.is_stop_word)
    held = np.zeros(rows)
    for found in asked:
        if not found.is_stop_word and any(found is each for each in rare):
            held[found.rows] += found.rarity
    return held / max(whole, 1e-9)


def _find_term(corpus: Corpus, term: QueryTerm, alive: Flags, documents: int) -> TermMatch:
    """The live rows that hold a term under any of its stems.

    A word that is stored under several stems counts once: of the counts of its stems the highest.
    """
    found = [corpus.postings.find(term_code(stem)) for stem in term.alternatives]
    found = [each for each in found if len(each[0])]
    if len(found) > 1:
        rows, places = np.unique(np.concatenate([rows for rows, _ in found]), return_inverse=True)
        counts = np.zeros(len(rows), int)
        np.maximum.at(counts, places, np.concatenate([counts for _, counts in found]))
    elif found:
        rows, counts = found[0]
    else:
        rows, counts = np.zeros(0, np.int32), np.zeros(0, np.int32)
    if documents < len(alive):
        living = alive[rows]
        rows, counts = rows[living], counts[living]
    holding = len(rows) if corpus.statistics is None else _count_documents(corpus.statistics, term)
    known = max(documents, holding, _FEWEST_DOCUMENTS)
    rarity = term.weight * inverse_document_frequency(known, holding)
    return TermMatch(rows, counts, holding, rarity, term.weight, term.is_stop_word)


def _count_documents(statistics: CorpusStatistics, term: QueryTerm) -> int:
    return count_documents(statistics.document_frequencies, map(term_code, term.alternatives))


def count_documents(frequencies: Mapping[int, int], codes: Iterable[int]) -> int:
    """About how many memories hold a term under any of its stems, by their codes.

    Those that hold one of them often hold others too, so they are as many as hold the commonest.
    """
    return max((frequencies.get(code, 0) for code in codes), default=0)


def split_by_rarity(everything: Sequence[Term], most: int) -> tuple[list[Term], list[Term]]:
    """The rarest terms within the limit, at least one, and the common rest."""
    rare: list[Term] = []
    common: list[Term] = []
    total = 0
    for found in sorted(everything, key=lambda found: found.documents):
        total += found.documents
        if not found.documents:
            continue
        (common if rare and total > most else rare).append(found)
    return rare, common


def _score_sessions(corpus: Corpus, rare: Sequence[TermMatch]) -> Floats:
    """BM25 with a whole session as the text, by the number of the session."""
    count = len(corpus.columns.sessions)
    if corpus.statistics is not None and corpus.statistics.session_scores is not None:
        known = corpus.statistics.session_scores
        return np.array([known.get(name, 0.0) for name, _ in corpus.columns.sessions.items()])
    scores = np.zeros(count)
    if not count:
        return scores
    session = corpus.columns.session.data
    lengths, filled, average = corpus.sessions()
    for found in rare:
        own = session[found.rows]
        placed = own >= 0
        counts = np.bincount(own[placed], found.counts[placed], count)
        holding = np.flatnonzero(counts)
        weights = term_weight(counts[holding], lengths[holding], average)
        rarity = inverse_document_frequency(max(filled, len(holding)), len(holding))
        scores[holding] += found.weight * rarity * weights
    return scores
