"""The memories that a search looks at closely, and what is known of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from tacit.core.times import to_micros
from tacit.search.corpus.corpus import Corpus
from tacit.search.lexical import Lexical
from tacit.search.ranking.arrays import Flags, Floats, Integers
from tacit.search.ranking.relevance import relevance, relevance_by_words
from tacit.search.ranking.signals import ABSENT, Signals

_DAY_MICROS = 86_400_000_000
_FRESH_DAYS = 30.0


@dataclass(frozen=True, slots=True)
class Source:
    """What one source gave: rows of the corpus, best first, and its own scores."""

    rows: Integers
    scores: Floats


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a query points: by what was said now alone, and with what it leans on."""

    said: Floats
    whole: Floats


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows of the corpus and their signals; the first `answers` of them may be hits.

    The rest are there because they were said around a candidate and speak for it. `places` leads
    from a row of the corpus to its place here, or to ABSENT.
    """

    rows: Integers
    answers: int
    signals: Signals
    places: Integers


def gather(
    corpus: Corpus,
    sources: Mapping[str, Source],
    lexical: Lexical,
    query: Aim | None,
    speakers: Sequence[int],
    visible: Flags,
    now: datetime,
) -> Candidates:
    """Bring together what the sources gave with what was said around it."""
    given = np.unique(np.concatenate([source.rows for source in sources.values()]).astype(int))
    answers = _with_neighbours(corpus, given, visible)
    beyond = np.setdiff1d(_with_neighbours(corpus, answers, visible), answers)
    rows = np.concatenate([answers, beyond])
    places = np.full(len(visible) + 1, ABSENT)
    places[rows] = np.arange(len(rows))
    around = places[corpus.around(rows, visible)]
    cosines = None if query is None else corpus.matrix.cosines(rows, query.whole)
    signals = Signals(
        relevance=_relevance(corpus, rows, cosines, query, lexical),
        dense=_dense(corpus, rows, cosines, query),
        lexical=_share(lexical.scores_of(rows)),
        session=_session(corpus, rows, lexical.sessions),
        speaker=np.isin(corpus.columns.speaker.data[rows], speakers).astype(float),
        graph=_spread(sources.get("graph"), places, len(rows)),
        around=around,
        importance=corpus.columns.importance.data[rows].astype(float),
        recency=_recency(corpus.columns.updated.data[rows], now),
    )
    return Candidates(rows, len(answers), signals, places)


def _relevance(
    corpus: Corpus, rows: Integers, cosines: Floats | None, query: Aim | None, words: Lexical
) -> Floats:
    """What leans on other words must not count less than the words that were said."""
    coverage = words.coverage[rows]
    by_words = relevance_by_words(coverage)
    if cosines is None or query is None:
        return by_words
    if query.said is not query.whole:
        cosines = np.maximum(cosines, corpus.matrix.cosines(rows, query.said))
    by_meaning = relevance(cosines, coverage, corpus.matrix.filled)
    return np.where(corpus.matrix.known(rows), by_meaning, by_words)


def _with_neighbours(corpus: Corpus, rows: Integers, visible: Flags) -> Integers:
    around = corpus.around(rows, visible)
    return np.unique(np.concatenate([rows, around[around != ABSENT]]))


def _dense(corpus: Corpus, rows: Integers, cosines: Floats | None, query: Aim | None) -> Floats:
    """How much nearer than the average memory; nothing where there is no vector."""
    if cosines is None or query is None:
        return np.zeros(len(rows))
    nearer = cosines - corpus.matrix.background(query.whole)
    return np.where(corpus.matrix.known(rows), np.maximum(nearer, 0.0), 0.0)


def _share(scores: Floats) -> Floats:
    """Scores as a share of the best."""
    best = float(scores.max(initial=0.0))
    return scores / best if best > 0 else np.zeros(len(scores))


def _session(corpus: Corpus, rows: Integers, sessions: Floats) -> Floats:
    own = corpus.columns.session.data[rows]
    padded = np.append(_share(sessions), 0.0)
    return np.asarray(padded[np.where(own < 0, len(sessions), own)])


def _spread(source: Source | None, places: Integers, size: int) -> Floats:
    """Scores of a source at the places of its rows."""
    spread = np.zeros(size)
    if source is not None:
        spread[places[source.rows]] = source.scores
    return spread


def _recency(updated: Integers, now: datetime) -> Floats:
    days = np.maximum(to_micros(now) - updated, 0) / _DAY_MICROS
    return np.asarray(np.exp(-days / _FRESH_DAYS))
