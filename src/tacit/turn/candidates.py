"""Candidates: pinned memories, search hits, current facts among them, and their conflicts."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from tacit.core.kinds import Scope, Sort, State, Trust
from tacit.core.memory import Memory, StatementComparison
from tacit.core.receipt import (
    MAX_UNSEEN,
    NOTE_CONFLICTS,
    NOTE_MARKED,
    CandidateSource,
    Fate,
    Unseen,
)
from tacit.language.query import SearchQuery
from tacit.language.terms import pack_term_codes
from tacit.search.duplicates import find_near_any
from tacit.search.filter import Filter
from tacit.search.results import Hit, SearchResult
from tacit.settings.config import override_settings
from tacit.settings.injection import InjectionSettings, PinnedSort
from tacit.settings.search import SearchSettings
from tacit.statements.decision import ALIKE
from tacit.statements.precedence import IdPair, are_in_conflict, find_conflicting_pairs
from tacit.store.conflict_links import load_compatible_pairs
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.turn.state import (
    ScoredCandidate,
    TurnDependencies,
    TurnRequest,
    TurnState,
    sort_by_source,
)

CANDIDATES_PER_HIT = 2
"""Each source of the search returns this many candidates per hit that may be injected."""

MOST_CANDIDATES = 1_000

_NO_AGENT = ""
_MOST_PINNED = 200
_MOST_CONFLICTING = 1_000
_SIMILAR_QUERY = 0.5
_ONLY_BESIDE: dict[str, Any] = {
    "score": 0.0,
    "relevance": 0.0,
    "fate": Fate.BELOW_FLOOR,
    "note": NOTE_CONFLICTS,
}
"""What a memory counts that is a candidate only because it conflicts with another."""

_SORTS = {PinnedSort.RECENT: Sort.RECENT, PinnedSort.IMPORTANCE: Sort.IMPORTANCE}


def find_pinned(
    unit: UnitOfWork, request: TurnRequest, settings: InjectionSettings, now: datetime
) -> list[ScoredCandidate]:
    """Find memories of pinned types, up to a limit per type, and those pinned themselves.

    Types are pinned only if `ambient_enabled`.
    """
    sort = _SORTS[settings.pinned_sort]
    types = settings.pinned_types if settings.ambient_enabled else ()
    found = [
        memory
        for type in filter(request.admits, types)
        for memory in _find_memories(
            unit, build_query(request, now, types=(type,), sort=sort, limit=settings.pinned_limit)
        )
    ]
    alone = build_query(request, now, pinned=True, sort=sort, limit=_MOST_PINNED)
    unique = {memory.id: memory for memory in (*_find_memories(unit, alone), *found)}
    return [
        ScoredCandidate(memory=memory, found=CandidateSource.PINNED) for memory in unique.values()
    ]


def search_candidates(
    dependencies: TurnDependencies,
    request: TurnRequest,
    settings: SearchSettings,
    question: SearchQuery,
    now: datetime,
    limit: int,
    seconds: float,
    judged: Sequence[str] = (),
) -> SearchResult:
    """Search for a question, with a time limit for its vector.

    If memories from agents leave too few places for those from people, people's memories are
    searched again by themselves and appended, so that volume cannot crowd them out.
    """
    patience = max(1, min(settings.embedding_timeout_ms, int(seconds * 1_000)))
    most = min(limit, MOST_CANDIDATES)
    chosen = override_settings(
        settings,
        {
            "max_results": most,
            "max_results_per_source": most,
            "embedding_timeout_ms": patience,
        },
    )
    visible = Filter(
        now=now,
        types=request.types,
        owners=request.owners,
        agent=request.agent or _NO_AGENT,
    )
    result = dependencies.searcher.search(
        dependencies.workspace, question, visible, chosen, judged=judged
    )
    trusted = sum(hit.memory.trust is Trust.TRUSTED for hit in result.hits)
    if len(result.hits) < most or trusted >= most // CANDIDATES_PER_HIT:
        return result
    by_people = replace(visible, trust=Trust.TRUSTED)
    more = dependencies.searcher.search(dependencies.workspace, question, by_people, chosen)
    known = {hit.memory.id for hit in result.hits}
    last = result.hits[-1].score
    added = [
        replace(hit, score=min(hit.score, last)) for hit in more.hits if hit.memory.id not in known
    ]
    return replace(result, hits=(*result.hits, *added))


def _find_memories(unit: UnitOfWork, query: Query) -> list[Memory]:
    """Run a query; if its limit leaves some out, what people said comes first."""
    found = unit.memories.find(query)
    if len(found) < query.limit or all(each.trust is Trust.TRUSTED for each in found):
        return found
    trusted = unit.memories.find(replace(query, trust=Trust.TRUSTED))
    others = [each for each in found if each.trust is not Trust.TRUSTED]
    return [*trusted, *others][: query.limit]


def count_unseen(
    dependencies: TurnDependencies, request: TurnRequest, now: datetime
) -> Unseen | None:
    """Count the memories of users that the turn's user does not see; None if not asked for."""
    if request.scopes is not None and Scope.USER not in request.scopes:
        return None
    with dependencies.store.read(dependencies.workspace) as unit:
        return unit.memories.unseen(request.speaker, request.agent or _NO_AGENT, now, MAX_UNSEEN)


def find_current_facts(
    hits: Iterable[ScoredCandidate], settings: InjectionSettings
) -> list[ScoredCandidate]:
    """Make facts of the hits that have a key; those of a scope that is not listed are left out."""
    listed = [each for each in hits if _is_read(each.memory, settings)]
    if not settings.fact_limit:
        return listed
    return [
        each if each.memory.key is None else replace(each, found=CandidateSource.FACT)
        for each in listed
    ]


def _is_read(memory: Memory, settings: InjectionSettings) -> bool:
    return memory.key is None or memory.scope in settings.memory_scope_priority


def score_hits(
    unit: UnitOfWork, hits: Iterable[Hit], question: SearchQuery, request: TurnRequest
) -> list[ScoredCandidate]:
    """Turn hits into candidates; a hit marked as not useful for a similar question scores lower."""
    listed = list(hits)
    discounts = _discounts(unit, [hit.memory.id for hit in listed], question, request)
    found = [_score_hit(hit, discounts.get(hit.memory.id, 0.0)) for hit in listed]
    return sorted(found, key=lambda each: (-each.score, each.memory.id))


def _score_hit(hit: Hit, discount: float) -> ScoredCandidate:
    signals = {f"{name}_rank": float(place.rank) for name, place in hit.sources.items()}
    return ScoredCandidate(
        memory=hit.memory,
        found=CandidateSource.CONTEXTUAL,
        score=hit.score * (1 - discount),
        relevance=hit.relevance * (1 - discount),
        alone=hit.alone * (1 - discount),
        signals={**signals, **{name: part for name, part in hit.parts.items() if part}},
        note=NOTE_MARKED if discount else "",
    )


def _discounts(
    unit: UnitOfWork, ids: Sequence[str], question: SearchQuery, request: TurnRequest
) -> dict[str, float]:
    """The discount of each memory, from marks that apply to this agent and user."""
    asked = pack_distinctive_terms(question)
    found: dict[str, float] = {}
    for mark in unit.marks.of(ids):
        if not mark.author.counts_for(request.agent, request.user):
            continue
        similarity = _overlap(asked, mark.terms)
        if similarity >= _SIMILAR_QUERY:
            found[mark.memory] = max(found.get(mark.memory, 0.0), similarity)
    return found


def pack_distinctive_terms(question: SearchQuery) -> bytes:
    """Pack the distinctive words of a question into codes, to recognise similar ones by."""
    own = [term for term in question.terms if term.weight == 1.0 and not term.is_stop_word]
    return pack_term_codes(sorted({term.alternatives[0] for term in own}))


def _overlap(first: bytes, second: bytes) -> float:
    """The share of codes that two questions have in common."""
    one, other = (
        {codes[start : start + 8] for start in range(0, len(codes), 8)} for codes in (first, second)
    )
    return len(one & other) / max(len(one | other), 1)


def add_conflicting(unit: UnitOfWork, state: TurnState, request: TurnRequest) -> TurnState:
    """Add memories that conflict with a candidate although no source returned them."""
    opponents = state.undecided
    known = {each.memory.id: each for each in opponents}
    pairs = unit.claims.rivals(list(known), _MOST_CONFLICTING)
    keys = {each.memory.key for each in known.values() if each.memory.key is not None}
    by_key = [
        memory
        for key in sorted(keys)
        for memory in _find_memories(unit, build_query(request, state.now, key=key))
    ]
    absent = unit.memories.get(sorted({other for _, other in pairs} - known.keys()))
    brought = {
        memory.id: memory
        for memory in (*absent.values(), *by_key)
        if memory.id not in known
        and _is_visible(memory, request, state.now)
        and _is_read(memory, state.settings)
    }
    settled = _find_compatible_pairs(unit, state, brought.values(), pairs)
    added = [
        replace(opponent, memory=memory, signals={}, note=NOTE_CONFLICTS)
        for memory in brought.values()
        if (opponent := _find_conflicting(memory, opponents, pairs, settled)) is not None
    ]
    # A pair within what was brought in counts as well, so that the newest of three wins.
    among = (
        unit.claims.rivals([each.memory.id for each in added], _MOST_CONFLICTING) if added else []
    )
    return replace(
        state,
        candidates=sort_by_source((*state.candidates, *added)),
        conflicting=(*pairs, *among),
        compatible=settled,
    )


def add_comparisons(unit: UnitOfWork, state: TurnState, request: TurnRequest) -> TurnState:
    """Add how candidates stand to other statements, and the memories among these, however unlike.

    Those are below the floor by themselves, and shown only beside what they conflict with.
    """
    if not state.settings.memory_detect_conflicts:
        return state
    opponents = {each.memory.id: each for each in state.undecided}
    compared = load_comparisons(unit, opponents)
    known = {each.memory.id for each in state.candidates}
    beside = {
        other: one
        for each in compared.values()
        for one, other in (each.ids, each.ids[::-1])
        if one in opponents and other not in known and each.likeness >= ALIKE
    }
    added = [
        replace(opponents[beside[id]], memory=memory, signals={}, **_ONLY_BESIDE)
        for id, memory in unit.memories.get(list(beside)).items()
        if _is_visible(memory, request, state.now) and _is_read(memory, state.settings)
    ]
    return replace(
        state,
        candidates=sort_by_source((*state.candidates, *added)),
        known_comparisons=compared,
        uncompared=frozenset(unit.uncompared.waiting(list(opponents))),
    )


def load_comparisons(unit: UnitOfWork, ids: Collection[str]) -> dict[IdPair, StatementComparison]:
    """How statements stand to others, without those that somebody declared to be both right."""
    found = unit.comparisons.of(list(ids)) if ids else []
    settled = load_compatible_pairs(unit, {id for each in found for id in each.ids})
    return {each.ids: each for each in found if (min(each.ids), max(each.ids)) not in settled}


def _find_compatible_pairs(
    unit: UnitOfWork, state: TurnState, brought: Iterable[Memory], pairs: Sequence[IdPair]
) -> frozenset[IdPair]:
    """The pairs that somebody declared compatible; read only if any compete."""
    memories = [*(each.memory for each in state.undecided), *brought]
    detect = state.settings.memory_detect_conflicts
    ids = {id for pair in find_conflicting_pairs(memories, pairs, detect=detect) for id in pair}
    return load_compatible_pairs(unit, ids)


def _find_conflicting(
    memory: Memory,
    candidates: Sequence[ScoredCandidate],
    pairs: Sequence[IdPair],
    settled: frozenset[IdPair],
) -> ScoredCandidate | None:
    """Find the first candidate that a memory conflicts with."""
    paired = {one for one, other in pairs if other == memory.id}
    for each in candidates:
        if (min(memory.id, each.memory.id), max(memory.id, each.memory.id)) in settled:
            continue
        same_key = memory.key is not None and memory.key == each.memory.key
        if same_key or (each.memory.id in paired and are_in_conflict(memory, each.memory)):
            return each
    return None


def _is_visible(memory: Memory, request: TurnRequest, now: datetime) -> bool:
    is_owned = memory.owner in request.owners and memory.agent in (None, request.agent)
    return is_owned and request.admits(memory.type) and memory.state(now) is State.LIVE


def add_vectors(dependencies: TurnDependencies, unit: UnitOfWork, state: TurnState) -> TurnState:
    """Add the vectors and shown memories by which duplicates are recognised."""
    shown = dict.fromkeys(entry.memory for entry in state.in_view)
    thought_of = dict.fromkeys(each.memory.id for each in state.undecided)
    vectors = dependencies.searcher.vectors(unit, [*shown, *thought_of])
    near = find_near_any(list(shown), list(thought_of), vectors, state.settings.semantic_threshold)
    return replace(state, seen=unit.memories.get(near), vectors=vectors)


def build_query(request: TurnRequest, now: datetime, **wanted: Any) -> Query:
    """A query for what a turn may see, with further conditions."""
    agent = request.agent or _NO_AGENT
    return Query(
        **{"now": now, "owners": request.owners, "types": request.types, "agent": agent, **wanted}
    )
