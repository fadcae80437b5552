"""A search: embed the question, ask every source, gather candidates, rank them."""

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import numpy as np

from tacit.core.errors import TacitError
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import Embedder, model_of
from tacit.embedding.registry import EmbedderSet, LazyEmbedder
from tacit.language.query import SearchQuery
from tacit.language.terms import QueryTerm
from tacit.search import lexical
from tacit.search.candidates import (
    Candidates,
    SourceResult,
    find_named_speaker,
    gather_candidates,
    walk_graph,
)
from tacit.search.corpus import Corpus, CorpusCache
from tacit.search.database_excerpt import MOST_TERM_MATCHES, DatabaseExcerpt
from tacit.search.filter import Filter
from tacit.search.need import load_weights, weigh_vector
from tacit.search.query_embedding import EmbeddedQuery, QueryEmbedder
from tacit.search.ranking import (
    FOR_CONVERSATIONS,
    Flags,
    Floats,
    Integers,
    Weighing,
    fuse_reciprocal_ranks,
    score_parts,
    tie_breaking_boosts,
)
from tacit.search.results import Hit, SearchResult, SourceRank
from tacit.settings.search import Fusion, LateInteraction, SearchSettings
from tacit.store.generations import serving_model
from tacit.store.index import DatabaseIndex
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import tenant_of

NO_EMBEDDER = "vectors: no embedding model"
"""What every search reports where no embedding model is configured."""


_CANDIDATES_PER_RESULT = 4


_LEAST = 1e-9
_MOST_WORKSPACES = 2_000


_log = logging.getLogger("tacit.search")


NearMemories = list[tuple[str, float]]
"""Ids of memories and their cosines, best first."""


@dataclass(slots=True)
class _SearchTrace:
    """What a search left out, and how long each of its stages took."""

    degraded: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    _mark: float = field(default_factory=time.perf_counter)

    def leave_out(self, source: str, reason: str) -> None:
        self.degraded.append(f"{source}: {reason}")

    def stage(self, name: str) -> None:
        now = time.perf_counter()
        self.timings[name] = round((now - self._mark) * 1_000, 3)
        self._mark = now


@dataclass(frozen=True, slots=True)
class _ServingVectors:
    """The model whose vectors a transaction sees serving, and its embedder if it can be opened."""

    model: EmbeddingModel | None = None
    embedder: Embedder | None = None


class Searcher:
    """Searches workspaces of one store, each by the vectors of the model that serves it."""

    def __init__(self, store: Store, embedders: EmbedderSet) -> None:
        self._store = store
        self._embedders = embedders
        self._cache = CorpusCache()
        self._queries = QueryEmbedder()
        self._served: dict[str, Embedder] = {}
        """The embedder that served each workspace lately, to begin with before the next search."""
        self._activity = threading.Condition()
        self._searches = 0

    @property
    def has_embedder(self) -> bool:
        """Whether anything is found by its vector."""
        return self._embedders.configured is not None

    def wait_until_idle(self, seconds: float) -> None:
        """Wait until no search runs, but not longer than so many seconds."""
        with self._activity:
            self._activity.wait_for(lambda: self._searches == 0, seconds)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._activity:
            self._searches += 1
        try:
            yield
        finally:
            with self._activity:
                self._searches -= 1
                self._activity.notify_all()

    def close(self) -> None:
        """Stop embedding; an embedder that is stuck is not waited for."""
        self._queries.close()

    def search(
        self,
        workspace: str,
        question: SearchQuery,
        filter: Filter,
        settings: SearchSettings,
        weighing: Weighing = FOR_CONVERSATIONS,
        judged: Sequence[str] = (),
    ) -> SearchResult:
        """Find the best memories; a source that fails or is late is left out and named.

        The relevance of the memories that are to be `judged` is estimated whether or not they are
        found.
        """
        trace = _SearchTrace()
        terms = question.terms
        with self._counted(), self._store.read(workspace) as unit:
            serving = self._find_serving(unit, trace)
            model = serving.model
            pending = self._start_embedding(question, settings, serving)
            index = unit.index(model)
            excerpt = DatabaseExcerpt(index, terms, filter) if index else None
            corpus = excerpt.matches if excerpt else self._cache.get(unit, model)
            trace.stage("refresh")
            with corpus.lock:
                seen = corpus.revision
                visible, words = _score_corpus(corpus, terms, excerpt.filter if excerpt else filter)
            trace.stage("text")
            query = _await_query(pending, settings, trace)
            trace.stage("embedding")
            with corpus.lock:
                graph_scores = _reach_by_graph(unit, corpus, words, settings, trace)
            if excerpt:
                named = [*graph_scores, *judged]
                corpus = _complete_excerpt(excerpt, model, words, named, query, settings)
            with corpus.lock:
                if excerpt or corpus.revision != seen:
                    visible, words = _score_corpus(corpus, terms, filter)
                sources = _collect_sources(
                    corpus, words, graph_scores, query, visible, settings, trace
                )
                trace.stage("sources")
                speakers = find_named_speaker(terms, corpus)
                found = gather_candidates(
                    unit,
                    corpus,
                    sources,
                    words,
                    query,
                    speakers,
                    visible,
                    filter.now,
                    also=[row for id in judged if (row := corpus.row(id)) is not None],
                    with_neighbours=weighing.uses_neighbours,
                )
                _note_missing_tokens(query, found, trace)
                ranked = _rank_candidates(found, sources, settings, weighing)
                hits = _to_hits(unit, corpus, found, sources, ranked, settings)
                estimated = _find_relevance(corpus, found, judged)
            trace.stage("ranking")
        return SearchResult(
            hits=tuple(hits),
            degraded=tuple(trace.degraded),
            notes=tuple(trace.notes),
            timings_ms=trace.timings,
            judged=estimated,
            need_odds=weigh_vector(query, model) if found.signals.has_tokens.any() else None,
        )

    def load(self, workspace: str) -> None:
        """Load the model, if that is possible, and the workspace, as a first search would."""
        with self._store.read(workspace) as unit:
            serving = self._find_serving(unit, _SearchTrace())
        if isinstance(serving.embedder, LazyEmbedder):
            with suppress(TacitError):  # every search says that it is missing
                serving.embedder.load()
        load_weights()
        with self._store.read(workspace) as unit:
            model = self._find_serving(unit, _SearchTrace()).model
            if unit.index(model) is None:
                self._cache.get(unit, model)

    def anticipate(self, workspace: str, text: str, late_interaction: LateInteraction) -> None:
        """Begin to embed a text that will be searched for."""
        embedder = self._served.get(workspace)
        if embedder is not None:
            self._queries.anticipate(text, late_interaction, embedder)

    def serving_model(self, unit: UnitOfWork) -> EmbeddingModel | None:
        """The model of the vectors that `vectors` gives in the same transaction."""
        return self._find_serving(unit, _SearchTrace()).model

    def vectors(self, unit: UnitOfWork, ids: Sequence[str]) -> dict[str, Floats]:
        """The vectors of memories by the model that serves, as far as they have one."""
        model = self.serving_model(unit)
        corpus = self._cache.find(unit.workspace, model)
        if corpus is None:
            held = unit.vectors.get(ids, model) if model else {}
            return {id: np.asarray(vector, np.float32) for id, vector in held.items()}
        with corpus.lock:
            rows = {id: row for id in ids if (row := corpus.row(id)) is not None}
            return corpus.matrix.vectors(rows)

    def nearest(
        self,
        workspace: str,
        vectors: Sequence[Vector],
        model: EmbeddingModel | None,
        limit: int,
        least: float,
        filter: Filter,
    ) -> list[NearMemories]:
        """For each vector the memories that are near it, with their cosines, best first.

        The vectors are of this model; where another one serves, nothing is near. Other
        searches can run in between.
        """
        with self._store.read(workspace) as unit:
            if model is None or self.serving_model(unit) != model:
                return [[] for _ in vectors]
            index = unit.index(model)
            if index is not None:
                return [
                    find_near_in_database(unit, index, model, vector, filter, limit, least)
                    for vector in vectors
                ]
            corpus = self._cache.get(unit, model)
        return [find_near_in_memory(corpus, vector, filter, limit, least) for vector in vectors]

    def _find_serving(self, unit: UnitOfWork, trace: _SearchTrace) -> _ServingVectors:
        """What serves in a transaction.

        Before there are vectors, that is what serves the workspace that this one lies beside, or
        the embedder of the settings.
        """
        configured = self._embedders.configured
        if configured is None:
            trace.degraded.append(NO_EMBEDDER)
            return _ServingVectors()
        model = serving_model(unit)
        try:
            embedder = (
                self._served.get(tenant_of(unit.workspace), configured)
                if model is None
                else self._embedders.find(model)
            )
            if len(self._served) > _MOST_WORKSPACES:
                self._served.clear()
            self._served[unit.workspace] = embedder
            return _ServingVectors(model or model_of(embedder), embedder)
        except TacitError as error:
            trace.leave_out("vectors", str(error))
            return _ServingVectors(model)

    def _start_embedding(
        self, question: SearchQuery, settings: SearchSettings, serving: _ServingVectors
    ) -> "Future[EmbeddedQuery] | None":
        if serving.embedder is None:
            return None
        return self._queries.start(question, settings.late_interaction, serving.embedder)


def _await_query(
    pending: "Future[EmbeddedQuery] | None", settings: SearchSettings, trace: _SearchTrace
) -> EmbeddedQuery | None:
    """The embedded query; without it, the search goes on by words."""
    if pending is None:
        return None
    try:
        query = pending.result(settings.embedding_timeout_ms / 1_000)
    except TimeoutError:
        pending.cancel()
        trace.leave_out("vectors", "the embedding was late")
        return None
    except Exception as error:
        _log.warning("embedding the query failed: %s", error)
        trace.leave_out("vectors", f"embedding failed ({error})")
        return None
    if query.token_problem:
        trace.leave_out("tokens", query.token_problem)
    return query


def _note_missing_tokens(
    query: EmbeddedQuery | None, found: Candidates, trace: _SearchTrace
) -> None:
    """Say how many candidates have no token codes: those of new memories follow shortly."""
    lacking = int(np.count_nonzero(~found.signals.has_tokens))
    if query is not None and query.tokens and lacking:
        several = f"{lacking:,} of {len(found.rows):,} candidates"
        trace.notes.append(f"tokens: {several} have none yet and are ranked by their vectors")


def find_near_in_memory(
    corpus: Corpus, vector: Vector, filter: Filter, limit: int, least: float
) -> NearMemories:
    """The memories near a vector, in a workspace that is held in memory."""
    with corpus.lock:
        visible = corpus.columns.visible(filter)
        rows, cosines = corpus.matrix.nearest(_to_array(vector), visible, limit)
        ids = [corpus.ids[row] for row in rows.tolist()]
    return _keep_at_least(least, zip(ids, cosines.tolist(), strict=True))


def find_near_in_database(
    unit: UnitOfWork,
    index: DatabaseIndex,
    model: EmbeddingModel,
    vector: Vector,
    filter: Filter,
    limit: int,
    least: float,
) -> NearMemories:
    """The memories near a vector, in a workspace that the database searches."""
    ids = index.find_nearest(vector, filter.query(), limit)
    held = unit.vectors.get(ids, model)
    query = _to_array(vector)
    cosines = {id: float(_to_array(held[id]) @ query) for id in ids if id in held}
    return _keep_at_least(least, sorted(cosines.items(), key=lambda each: -each[1]))


def _keep_at_least(least: float, found: Iterable[tuple[str, float]]) -> NearMemories:
    return [(id, cosine) for id, cosine in found if cosine >= least]


def _to_array(vector: Vector) -> Floats:
    return np.asarray(vector, np.float32)


def _score_corpus(
    corpus: Corpus, terms: Sequence[QueryTerm], filter: Filter
) -> tuple[Flags, lexical.LexicalScores]:
    """Which rows are visible and how their words match; repeated if the corpus has changed."""
    visible = corpus.columns.visible(filter)
    most = lexical.MOST_POSTINGS if corpus.statistics is None else MOST_TERM_MATCHES
    return visible, lexical.score_terms(corpus, terms, visible, most)


def _complete_excerpt(
    excerpt: DatabaseExcerpt,
    model: EmbeddingModel | None,
    words: lexical.LexicalScores,
    named: Sequence[str],
    query: EmbeddedQuery | None,
    settings: SearchSettings,
) -> Corpus:
    """The corpus of everything that the sources will look at."""
    most = settings.max_results_per_source
    by_words = [excerpt.matches.ids[row] for row in _find_by_words(words, most).rows.tolist()]
    vector = None if query is None else query.whole.tolist()
    return excerpt.complete(model, words, [*by_words, *named], vector, most)


def _collect_sources(
    corpus: Corpus,
    words: lexical.LexicalScores,
    graph_scores: Mapping[str, float],
    query: EmbeddedQuery | None,
    visible: Flags,
    settings: SearchSettings,
    trace: _SearchTrace,
) -> dict[str, SourceResult]:
    """What each source finds, limited to the setting."""
    most = settings.max_results_per_source
    sources = {"text": _find_by_words(words, most)}
    if query is not None:
        sources["vectors"] = SourceResult(*corpus.matrix.nearest(query.whole, visible, most))
        lacking = corpus.count_without_vector(visible)
        if lacking:
            several = f"{lacking:,} of {np.count_nonzero(visible):,} memories"
            trace.leave_out("vectors", f"{several} have none of this model")
    if settings.graph_depth:
        sources["graph"] = _find_by_graph(corpus, graph_scores, visible, settings)
    return sources


def _find_by_words(words: lexical.LexicalScores, most: int) -> SourceResult:
    """The best rows by all terms, chosen among the best by the rare terms."""
    rows = _find_best(words.scores, _CANDIDATES_PER_RESULT * most).rows
    scores = words.scores_of(rows)
    order = np.argsort(-scores, kind="stable")[:most]
    return SourceResult(rows[order], scores[order])


def _find_best(scores: Floats, most: int) -> SourceResult:
    """Rows with the highest scores above zero; equal ones stay in order."""
    rows = np.flatnonzero(scores > 0)  # ten times faster on flags than on numbers
    if len(rows) > most:
        held = scores[rows]
        least = np.partition(held, len(held) - most)[len(held) - most]
        rows = rows[held >= least]
    rows = rows[np.argsort(-scores[rows], kind="stable")][:most]
    return SourceResult(rows, scores[rows])


def _reach_by_graph(
    unit: UnitOfWork,
    corpus: Corpus,
    words: lexical.LexicalScores,
    settings: SearchSettings,
    trace: _SearchTrace,
) -> dict[str, float]:
    """How strongly memories are associated with those that match the question's own words."""
    threshold = max(settings.graph_seed_threshold, _LEAST)
    if not settings.graph_depth or not words.coverage.max(initial=0.0) >= threshold:
        return {}
    seeds = _find_best(
        np.where(words.coverage >= settings.graph_seed_threshold, words.coverage, 0.0),
        settings.graph_seed_limit,
    )
    strengths = {corpus.ids[row]: score for row, score in _to_pairs(seeds)}
    try:
        return walk_graph(unit, strengths, settings.graph_depth)
    except Exception as error:
        _log.warning("walking the graph failed: %s", error)
        trace.leave_out("graph", f"failed ({error})")
        return {}


def _find_by_graph(
    corpus: Corpus, graph_scores: Mapping[str, float], visible: Flags, settings: SearchSettings
) -> SourceResult:
    rows = {row: score for id, score in graph_scores.items() if (row := corpus.row(id)) is not None}
    spread = np.zeros(len(visible))
    spread[list(rows)] = list(rows.values())
    return _find_best(np.where(visible, spread, 0.0), settings.max_results_per_source)


def _to_pairs(source: SourceResult) -> list[tuple[int, float]]:
    return list(zip(source.rows.tolist(), source.scores.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class _Ranking:
    """Candidates, best first, without those that score nothing."""

    order: Integers
    scores: Floats
    parts: Mapping[str, Floats]


def _rank_candidates(
    found: Candidates,
    sources: Mapping[str, SourceResult],
    settings: SearchSettings,
    weighing: Weighing,
) -> _Ranking:
    """Rank the candidates that may be hits; equal ones stay in the order they were written."""
    if settings.fusion is Fusion.RRF:
        lists = [found.places[source.rows] for source in sources.values()]
        parts: dict[str, Floats] = {
            "ranks": fuse_reciprocal_ranks(lists, len(found.rows), settings.rrf_k)
        }
    else:
        parts = dict(score_parts(found.signals, weighing))
    relevance: Floats = sum(parts.values(), np.zeros(len(found.rows)))
    parts |= tie_breaking_boosts(relevance[: found.answers], found.signals)
    scores: Floats = sum(parts.values(), np.zeros(len(found.rows)))
    order = np.argsort(-scores[: found.answers], kind="stable")
    return _Ranking(order[relevance[order] > 0], scores, parts)


def _to_hits(
    unit: UnitOfWork,
    corpus: Corpus,
    found: Candidates,
    sources: Mapping[str, SourceResult],
    ranked: _Ranking,
    settings: SearchSettings,
) -> list[Hit]:
    standings = {name: _to_source_ranks(source) for name, source in sources.items()}
    enough = ranked.order[ranked.scores[ranked.order] >= settings.min_score]
    chosen = enough[: settings.max_results].tolist()
    memories = unit.memories.get([corpus.ids[found.rows[place]] for place in chosen])
    return [
        Hit(
            memory=memories[corpus.ids[found.rows[place]]],
            score=float(ranked.scores[place]),
            relevance=float(found.signals.relevance[place]),
            alone=float(found.signals.alone[place]),
            sources={
                name: standing[int(found.rows[place])]
                for name, standing in standings.items()
                if int(found.rows[place]) in standing
            },
            parts={name: float(part[place]) for name, part in ranked.parts.items()},
        )
        for place in chosen
        if corpus.ids[found.rows[place]] in memories
    ]


def _find_relevance(corpus: Corpus, found: Candidates, judged: Sequence[str]) -> dict[str, float]:
    """The relevance of the memories that were to be judged, if the search knows them."""
    places = {id: int(found.places[row]) for id in judged if (row := corpus.row(id)) is not None}
    return {id: float(found.signals.relevance[place]) for id, place in places.items()}


def _to_source_ranks(source: SourceResult) -> dict[int, SourceRank]:
    return {
        row: SourceRank(rank, score) for rank, (row, score) in enumerate(_to_pairs(source), start=1)
    }
