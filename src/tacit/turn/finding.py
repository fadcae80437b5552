"""Finds candidates for a turn and lets the rules decide about them, stage after stage."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from tacit.core.receipt import CandidateSource, Fate
from tacit.search.searcher import NO_EMBEDDER
from tacit.settings.injection import InjectionSettings
from tacit.settings.search import SearchSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.candidates import (
    CANDIDATES_PER_HIT,
    MOST_CANDIDATES,
    add_comparisons,
    add_conflicting,
    add_vectors,
    find_current_facts,
    find_pinned,
    score_hits,
    search_candidates,
)
from tacit.turn.conflict_rules import choose_comparisons, count_uncompared
from tacit.turn.episodes import add_episodes, may_see_episodes, search_episodes
from tacit.turn.rules import apply_rules
from tacit.turn.stages import TurnStages
from tacit.turn.standing import find_standing
from tacit.turn.standing_rules import admit_applicable
from tacit.turn.state import ScoredCandidate, TurnDependencies, TurnRequest, TurnState

NOT_COMPARED = "comparisons: {} written lately, and not compared with others yet"
"""The note of a turn that considers what still waits to be compared."""

BY_STRUCTURE = "comparisons: no local model reads statements, so only their structure was compared"
"""The note of a turn where there is no such model."""

_HITS = (CandidateSource.FACT, CandidateSource.CONTEXTUAL)

_FOLLOWS = "vectors:"
"""What was just said gets its vectors in a moment; that a model is missing, the search says."""

_EMBEDDING_SHARE = 0.75
_REFUSED_FOR_ROOM = (Fate.OVER_SLOTS, Fate.OVER_TOKENS, Fate.OVER_CHARS)


@dataclass(frozen=True, slots=True)
class CandidateFinder:
    """Finds what may be shown in one turn."""

    _dependencies: TurnDependencies
    _request: TurnRequest
    _settings: InjectionSettings
    _search: SearchSettings
    _stages: TurnStages
    _now: datetime

    def find_and_decide(
        self, state: TurnState, *, with_search: bool
    ) -> tuple[TurnState, TurnState]:
        """Find candidates and decide about them; search for more while duplicates leave room.

        Returns the state before and after the rules.
        """
        known = self._stages.run(
            "pinned", lambda: self._find_without_search(state, with_search), state
        )
        self._stages.end("pinned")
        if not with_search:
            return known, apply_rules(known)
        limit = CANDIDATES_PER_HIT * self._settings.search_limit
        await_episodes = self._start_episodes(known)
        said: TurnState | None = None
        while True:
            found = self._add_search_hits(known, limit)
            if said is None:  # what was said is searched once, beside the memories
                said = await_episodes()
            found = _join_episodes(found, said)
            decided = apply_rules(found)
            self._stages.end("rules")
            if self._is_enough(found, decided, limit):
                return self._follow_comparisons(found, decided)
            limit *= 2

    def _follow_comparisons(
        self, found: TurnState, decided: TurnState
    ) -> tuple[TurnState, TurnState]:
        """Decide again if some candidates say otherwise than earlier ones.

        What could not be told of how they stand to each other is noted.
        """
        if not found.settings.memory_detect_conflicts:
            return found, decided
        chosen = choose_comparisons(decided, found.known_comparisons)
        if not all(each.by_model for each in chosen.values()):
            self._stages.notes.append(BY_STRUCTURE)
        count = count_uncompared(decided)
        if count and self._dependencies.searcher.has_embedder:
            are = "candidate was" if count == 1 else "candidates were"
            self._stages.notes.append(NOT_COMPARED.format(f"{count:,} {are}"))
        if not chosen:
            return found, decided
        grown = replace(found, comparisons=chosen)
        return grown, apply_rules(grown)

    def _start_episodes(self, state: TurnState) -> Callable[[], TurnState]:
        """Begin to search what was said; the function that is returned waits for it.

        It returns the state with what was found, or as it is if there is none, or no time.
        """
        if not self._settings.episode_lines or not may_see_episodes(self._request):
            return lambda: state

        def work() -> tuple[TurnState, tuple[str, ...]]:
            patience = int(self._stages.deadline.seconds * _EMBEDDING_SHARE * 1_000)
            result = search_episodes(
                self._dependencies, self._request, self._search, state, patience
            )
            if not result.hits:
                return state, ()
            grown = add_episodes(self._dependencies, self._request, state, result)
            left_out = [each for each in result.degraded if not each.startswith(_FOLLOWS)]
            return grown, tuple(f"episodes: {each}" for each in left_out)

        try:
            wait = self._stages.deadline.start(work, self._dependencies.pool)
        except TimeoutError:
            self._stages.degraded.append("episodes: late")
            return lambda: state
        return lambda: self._await_episodes(wait, state)

    def _await_episodes(
        self, wait: Callable[[], tuple[TurnState, tuple[str, ...]]], state: TurnState
    ) -> TurnState:
        nothing: tuple[TurnState, tuple[str, ...]] = (state, ())
        found, degraded = self._stages.note_problems("episodes", wait, nothing)
        told = self._stages.degraded
        told.extend(each for each in degraded if each not in told)
        self._stages.end("episodes")
        return found

    def _find_without_search(self, state: TurnState, with_rules: bool) -> TurnState:
        """Add pinned memories and standing rules, which come from the store alone.

        Standing rules come only with a message that asks for something.
        """
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            found = find_pinned(unit, self._request, self._settings, self._now)
            if with_rules and self._settings.standing_lines:
                found += find_standing(
                    unit, self._request, self._settings, state.in_view, self._now
                )
            grown = admit_applicable(replace(state, candidates=tuple(found)))
            return self._add_context(unit, grown) if grown.undecided else grown

    def _add_search_hits(self, known: TurnState, limit: int) -> TurnState:
        """Add search hits; the state stays as it is if the search fails or is late."""

        def work() -> tuple[TurnState, tuple[str, ...]]:
            result = search_candidates(
                self._dependencies,
                self._request,
                self._search,
                known.question,
                self._now,
                limit,
                self._stages.deadline.seconds * _EMBEDDING_SHARE,
                [each.memory.id for each in known.candidates if each.is_standing],
            )
            judged = [_judge(each, result.judged) for each in known.candidates]
            with self._dependencies.store.read(self._dependencies.workspace) as unit:
                scored = score_hits(unit, result.hits, known.question, self._request)
                hits = find_current_facts(scored, self._settings)
                grown = replace(known, candidates=(*judged, *hits), need_odds=result.need_odds)
                return self._add_context(unit, admit_applicable(grown)), result.degraded

        nothing: tuple[TurnState, tuple[str, ...]] = (known, ())
        found, degraded = self._stages.run("search", work, nothing)
        for each in degraded:
            told = self._stages.notes if each == NO_EMBEDDER else self._stages.degraded
            if each not in told:
                told.append(each)
        self._stages.end("search")
        return found

    def _add_context(self, unit: UnitOfWork, state: TurnState) -> TurnState:
        """Add what conflicts with candidates, how they compare, and what reveals duplicates."""
        rivals = add_conflicting(unit, state, self._request)
        compared = add_comparisons(unit, rivals, self._request)
        return add_vectors(self._dependencies, unit, compared)

    def _is_enough(self, found: TurnState, decided: TurnState, limit: int) -> bool:
        """Whether the search can stop: enough hits, no more to come, or no time left."""
        hits = [each for each in decided.candidates if each.found in _HITS]
        standing = [each for each in hits if each.is_open or each.fate in _REFUSED_FOR_ROOM]
        came = sum(each.found in _HITS for each in found.candidates)
        ended = came < limit or limit >= MOST_CANDIDATES
        below = any(each.fate is Fate.BELOW_FLOOR for each in hits)
        return (
            ended or below or len(standing) >= self._settings.search_limit
        ) or self._stages.deadline.has_passed


def _judge(each: ScoredCandidate, relevance: Mapping[str, float]) -> ScoredCandidate:
    """A standing rule with its relevance, as far as the search could tell."""
    found = relevance.get(each.memory.id)
    return replace(each, relevance=found) if each.is_standing and found is not None else each


def _join_episodes(found: TurnState, said: TurnState) -> TurnState:
    """The candidates of a search together with the episodes of another state."""
    episodes = [each for each in said.candidates if each.is_episode]
    if not episodes:
        return found
    return replace(
        found,
        candidates=(*found.candidates, *episodes),
        need_odds=said.need_odds if found.need_odds is None else found.need_odds,
        vectors={**found.vectors, **said.vectors},
        seen={**found.seen, **said.seen},
        known_comparisons={**found.known_comparisons, **said.known_comparisons},
        uncompared=found.uncompared | said.uncompared,
        compatible=found.compatible | said.compatible,
    )
