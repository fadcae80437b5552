"""The memories that a search considers: where they come from, and the signals of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

import numpy as np

from tacit.core.kinds import Relation
from tacit.core.times import to_micros
from tacit.language.terms import QueryTerm, extract_terms
from tacit.search.corpus import Corpus
from tacit.search.late_interaction import TokenScores, score_by_tokens
from tacit.search.lexical import LexicalScores
from tacit.search.query_embedding import EmbeddedQuery
from tacit.search.ranking import (
    ABSENT,
    Flags,
    Floats,
    Integers,
    QueryOdds,
    Signals,
    estimate_relevance,
    estimate_relevance_by_tokens,
    estimate_relevance_by_words,
    measure_excess,
)
from tacit.store.protocols.store import UnitOfWork

_DAY_MICROS = 86_400_000_000


_FRESH_DAYS = 30.0


RELATION_WEIGHTS: Mapping[Relation, float] = MappingProxyType(
    {
        Relation.UPDATES: 1.5,
        Relation.CAUSED_BY: 1.3,
        Relation.RESULT_OF: 1.3,
        Relation.RELATED_TO: 1.0,
        Relation.PART_OF: 0.8,
        Relation.CONTRADICTS: 0.5,
    }
)
"""How much a relation counts; any other is no evidence that two memories belong together."""


FOLLOWED_RELATIONS = frozenset({Relation.RELATED_TO, Relation.PART_OF})
"""Only these relations are followed further than one step."""


@dataclass(frozen=True, slots=True)
class SourceResult:
    """What one source found: rows of the corpus, best first, and its own scores."""

    rows: Integers
    scores: Floats


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows of the corpus and their signals; the first `answers` of them may be hits.

    The others were said around a candidate and are evidence for it. `places` maps a row of the
    corpus to its place here, or to ABSENT.
    """

    rows: Integers
    answers: int
    signals: Signals
    places: Integers


def gather_candidates(
    unit: UnitOfWork,
    corpus: Corpus,
    sources: Mapping[str, SourceResult],
    lexical: LexicalScores,
    query: EmbeddedQuery | None,
    speakers: Sequence[int],
    visible: Flags,
    now: datetime,
    *,
    also: Sequence[int],
    with_neighbours: bool,
) -> Candidates:
    """Combine what the sources found with what was said around it, and compute all signals.

    The rows of `also` are no hits, but get their signals.
    """
    given = np.unique(np.concatenate([source.rows for source in sources.values()]).astype(int))
    answers = _add_neighbours(corpus, given, visible) if with_neighbours else given
    around_them = _add_neighbours(corpus, answers, visible) if with_neighbours else answers
    others = np.union1d(around_them, np.array(also, int))
    rows = np.concatenate([answers, np.setdiff1d(others, answers)])
    places = np.full(len(visible) + 1, ABSENT)
    places[rows] = np.arange(len(rows))
    around = places[corpus.neighbours(rows, visible)]
    cosines = None if query is None else corpus.matrix.cosines(rows, query.whole)
    tokens = score_by_tokens(unit, corpus, rows, query, lexical)
    relevance, alone = _estimate_relevance(corpus, rows, cosines, query, lexical, tokens)
    signals = Signals(
        relevance=relevance,
        alone=alone,
        dense=_score_vectors(corpus, rows, cosines, query),
        tokens=_above_average(tokens),
        has_tokens=tokens.has,
        lexical=_scale_to_best(lexical.scores_of(rows)),
        session=_score_sessions(corpus, rows, lexical.sessions),
        speaker=np.isin(corpus.columns.speaker.data[rows], speakers).astype(float),
        graph=_place_scores(sources.get("graph"), places, len(rows)),
        around=around,
        importance=corpus.columns.importance.data[rows].astype(float),
        recency=_score_recency(corpus.columns.updated.data[rows], now),
    )
    return Candidates(rows, len(answers), signals, places)


def _estimate_relevance(
    corpus: Corpus,
    rows: Integers,
    cosines: Floats | None,
    query: EmbeddedQuery | None,
    words: LexicalScores,
    tokens: TokenScores,
) -> tuple[Floats, Floats]:
    """Relevance to the whole query, and to what was said now alone.

    Adding context to a query must not make a row less relevant than what was said alone. Vectors of
    what the model cannot read are no evidence.
    """
    if cosines is None or query is None or query.is_unread:
        coverage, said_coverage = words.coverage[rows], words.said_coverage[rows]
        is_follow_up = words.has_context
        by_words = estimate_relevance_by_words(coverage, is_follow_up=is_follow_up)
        return by_words, estimate_relevance_by_words(said_coverage)

    def estimate(
        nearness: Floats, token_scores: Floats, coverage: Floats, odds: QueryOdds
    ) -> Floats:
        by_meaning = np.where(
            tokens.has,
            estimate_relevance_by_tokens(nearness, token_scores, coverage, tokens.rare_words, odds),
            estimate_relevance(nearness, coverage, odds),
        )
        by_words = estimate_relevance_by_words(coverage, is_follow_up=odds.is_follow_up)
        return np.where(corpus.matrix.has_vectors(rows), by_meaning, by_words)

    odds = QueryOdds(
        memories=corpus.matrix.filled,
        excess=measure_excess(
            corpus.matrix.sample_cosines(query.said), is_foreign=query.is_foreign
        ),
        is_own=query.is_own,
        is_foreign=query.is_foreign,
    )
    if query.said is query.whole:
        found = estimate(cosines, tokens.whole, words.coverage[rows], odds)
        return found, found
    said = corpus.matrix.cosines(rows, query.said)
    alone = estimate(said, tokens.said, words.said_coverage[rows], odds)
    best = np.maximum(tokens.whole, tokens.said)
    follow_up = replace(odds, is_follow_up=True)
    return estimate(np.maximum(cosines, said), best, words.coverage[rows], follow_up), alone


_PRIOR_COUNT = 20
_PRIOR_SCORE = 0.15


def _above_average(tokens: TokenScores) -> Floats:
    """How much better each candidate matches the query's tokens than the average candidate.

    A prior of a few ordinary texts is added: one candidate alone would be its own average.
    """
    total = float(tokens.whole.sum(where=tokens.has)) + _PRIOR_COUNT * _PRIOR_SCORE
    average = total / (np.count_nonzero(tokens.has) + _PRIOR_COUNT)
    return np.where(tokens.has, np.maximum(tokens.whole - average, 0), 0)


def _add_neighbours(corpus: Corpus, rows: Integers, visible: Flags) -> Integers:
    around = corpus.neighbours(rows, visible)
    return np.unique(np.concatenate([rows, around[around != ABSENT]]))


def _score_vectors(
    corpus: Corpus, rows: Integers, cosines: Floats | None, query: EmbeddedQuery | None
) -> Floats:
    """How much nearer each row is than the average memory; 0 where there is no vector."""
    if cosines is None or query is None:
        return np.zeros(len(rows))
    nearer = cosines - corpus.matrix.background(query.whole)
    return np.where(corpus.matrix.has_vectors(rows), np.maximum(nearer, 0.0), 0.0)


def _scale_to_best(scores: Floats) -> Floats:
    """Scores as a share of the best."""
    best = float(scores.max(initial=0.0))
    return scores / best if best > 0 else np.zeros(len(scores))


def _score_sessions(corpus: Corpus, rows: Integers, sessions: Floats) -> Floats:
    own = corpus.columns.session.data[rows]
    padded = np.append(_scale_to_best(sessions), 0.0)
    return np.asarray(padded[np.where(own < 0, len(sessions), own)])


def _place_scores(source: SourceResult | None, places: Integers, size: int) -> Floats:
    """Scores of a source at the places of its rows."""
    spread = np.zeros(size)
    if source is not None:
        spread[places[source.rows]] = source.scores
    return spread


def _score_recency(updated: Integers, now: datetime) -> Floats:
    days = np.maximum(to_micros(now) - updated, 0) / _DAY_MICROS
    return np.asarray(np.exp(-days / _FRESH_DAYS))


def walk_graph(unit: UnitOfWork, seeds: Mapping[str, float], depth: int) -> dict[str, float]:
    """How strongly each memory is associated with the seeds, over at most `depth` steps."""
    reached: dict[str, float] = {}
    walked = dict(seeds)
    frontier = dict(seeds)
    found = unit.associations.within(list(seeds), depth, FOLLOWED_RELATIONS) if seeds else []
    edges = [edge for edge in found if edge.relation in RELATION_WEIGHTS]
    for _ in range(depth):
        if not frontier:
            break
        onward: dict[str, float] = {}
        for edge in edges:
            for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
                if here not in frontier or there in seeds:
                    continue
                strength = frontier[here] * edge.weight * RELATION_WEIGHTS[edge.relation]
                reached[there] = max(reached.get(there, 0.0), strength)
                if edge.relation in FOLLOWED_RELATIONS and there not in walked:
                    onward[there] = max(onward.get(there, 0.0), strength)
        walked |= onward
        frontier = onward
    return reached


def find_named_speaker(query: Sequence[QueryTerm], corpus: Corpus) -> list[int]:
    """The number of the one speaker that the query names; none if it names several."""
    asked = {alternative for term in query for alternative in term.alternatives}
    named = [
        number
        for name, number in corpus.columns.names["speaker"].items()
        if (own := extract_terms(name)) and asked.issuperset(own)
    ]
    return named if len(named) == 1 else []
