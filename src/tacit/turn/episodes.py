"""What was said earlier, as candidates of a turn: found, compared with memories, and cut to fit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tacit.core.kinds import State
from tacit.core.memory import Memory
from tacit.core.receipt import (
    NOTE_CONFLICTS,
    NOTE_IN_CONFLICT,
    NOTE_SAID_OTHERWISE,
    NOTE_WITHDRAWN,
    CandidateSource,
    Fate,
)
from tacit.search.duplicates import find_near_any, wording_hash
from tacit.search.filter import episode_filter
from tacit.search.later_words import says_several_things
from tacit.search.ranking import FOR_EPISODES
from tacit.search.results import SearchResult
from tacit.settings.config import override_settings
from tacit.settings.search import SearchSettings
from tacit.store.episodes import corrected_by, learned_from, replaced_by
from tacit.store.protocols.store import UnitOfWork
from tacit.store.workspaces import episodes_workspace
from tacit.turn.block import quote_other
from tacit.turn.candidates import score_hits
from tacit.turn.state import ScoredCandidate, TurnDependencies, TurnRequest, TurnState

_CANDIDATES_PER_LINE = 4


def may_see_episodes(request: TurnRequest) -> bool:
    """Whether a turn looks at episodes; one that asks for some types of memory does not."""
    is_asked = request.scopes is None or request.episode_owner[0] in request.scopes
    return is_asked and request.types is None


def search_episodes(
    dependencies: TurnDependencies,
    request: TurnRequest,
    settings: SearchSettings,
    state: TurnState,
    patience_ms: int,
) -> SearchResult:
    """Search what the speaker of a turn said earlier, in its project and in none."""
    most = _CANDIDATES_PER_LINE * state.settings.episode_lines
    chosen = override_settings(
        settings,
        {
            "max_results": most,
            "max_results_per_source": most,
            "embedding_timeout_ms": max(1, min(settings.embedding_timeout_ms, patience_ms)),
            "graph_depth": 0,
        },
    )
    return dependencies.searcher.search(
        episodes_workspace(dependencies.workspace),
        state.question,
        episode_filter((request.episode_owner,), request.project, state.now),
        chosen,
        FOR_EPISODES,
    )


def add_episodes(
    dependencies: TurnDependencies, request: TurnRequest, state: TurnState, result: SearchResult
) -> TurnState:
    """Add the episodes that were found to the candidates, with what the rules compare."""
    oldest = _oldest_kept(state.now, dependencies.episode_days())
    hits = [hit for hit in result.hits if oldest is None or hit.memory.created_at >= oldest]
    with dependencies.store.read(episodes_workspace(dependencies.workspace)) as unit:
        found = _follow_changes(unit, score_hits(unit, hits, state.question, request), state.now)
        ids = [each.memory.id for each in found]
        vectors = dependencies.searcher.vectors(
            unit, [*dict.fromkeys([*(entry.memory for entry in state.in_view), *ids])]
        )
        shown = [entry.memory for entry in state.in_view if entry.memory in vectors]
        near = find_near_any(shown, ids, vectors, state.settings.semantic_threshold)
        seen = unit.memories.get(near)
    with dependencies.store.read(dependencies.workspace) as unit:
        withdrawn = find_withdrawn(unit, [each.memory for each in found])
        corrections = _find_corrections(unit, found, withdrawn)
    episodes = [_to_candidate(each, withdrawn, corrections) for each in found]
    return replace(
        state,
        candidates=(*state.candidates, *episodes),
        vectors={**state.vectors, **vectors},
        seen={**state.seen, **seen},
    )


def _follow_changes(
    unit: UnitOfWork, found: Sequence[ScoredCandidate], now: datetime
) -> list[ScoredCandidate]:
    """Reject what later words replace, and let these count as much, found or not.

    Words that are replaced in part are shown with the later ones.
    """
    known = {each.memory.id: each for each in found}
    links = [id for each in found for id in (*replaced_by(each.memory), *corrected_by(each.memory))]
    wanted = {*links} - known.keys()
    rows = {id: each.memory for id, each in known.items()}
    rows |= unit.memories.get(sorted(wanted)) if wanted else {}
    standing = {id for id in links if is_live(rows.get(id), now)}
    for each in sorted(found, key=lambda each: (each.memory.created_at, each.memory.id)):
        old = known[each.memory.id]
        replaced = [id for id in replaced_by(each.memory) if id in standing]
        corrected = [id for id in corrected_by(each.memory) if id in standing]
        if replaced:
            new = rows[replaced[-1]]
            known[each.memory.id] = old.reject(Fate.SUPERSEDED, new.id, NOTE_SAID_OTHERWISE)
            known[new.id] = _lift(known.get(new.id), new, old)
        elif corrected:
            known[each.memory.id] = _quote_later(old, rows[corrected[-1]])
    return sorted(known.values(), key=lambda each: (-each.score, each.memory.id))


def _lift(found: ScoredCandidate | None, new: Memory, old: ScoredCandidate) -> ScoredCandidate:
    """Later words that count as much as those they replace, whether they were found or not."""
    lifted = found or replace(old, memory=new, signals={}, note=NOTE_CONFLICTS)
    return replace(
        lifted,
        score=max(lifted.score, old.score),
        relevance=max(lifted.relevance, old.relevance),
    )


def _quote_later(each: ScoredCandidate, later: Memory) -> ScoredCandidate:
    """Show a candidate with the later words that contradict it, if it is shown."""
    if not each.is_open:
        return each
    remark = quote_other(later, "said later")
    return replace(each, conflict=remark, by=later.id, note=NOTE_IN_CONFLICT)


def is_live(row: Memory | None, now: datetime) -> bool:
    """Whether the row of an episode is there and not forgotten."""
    return row is not None and row.state(now) is State.LIVE


def find_withdrawn(unit: UnitOfWork, rows: Sequence[Memory]) -> dict[str, str]:
    """The episodes from which a memory was learned that no longer holds, and that memory."""
    learned = {row.id: learned_from(row) for row in rows}
    ids = list({each.id for own in learned.values() for each in own})
    memories = unit.memories.get(ids) if ids else {}
    return {
        id: each.id
        for id, own in learned.items()
        for each in own
        if not _still_says(memories.get(each.id), each.wording)
    }


def find_withdrawn_episodes(dependencies: TurnDependencies, ids: Sequence[str]) -> frozenset[str]:
    """Those episodes of a block that were forgotten or erased, or whose memory no longer holds."""
    if not ids:
        return frozenset()
    with dependencies.store.read(episodes_workspace(dependencies.workspace)) as unit:
        rows = unit.memories.get(ids)
    with dependencies.store.read(dependencies.workspace) as unit:
        withdrawn = find_withdrawn(unit, list(rows.values()))
    standing = [id for id, row in rows.items() if not row.forgotten and id not in withdrawn]
    return frozenset(ids) - frozenset(standing)


def _still_says(memory: Memory | None, wording: str) -> bool:
    """Whether a memory is neither gone, forgotten nor superseded, and has its words of then.

    One that has expired was not taken back.
    """
    if memory is None or memory.forgotten or memory.superseded_by is not None:
        return False
    return wording_hash(memory.content).hex() == wording


def _find_corrections(
    unit: UnitOfWork, found: Sequence[ScoredCandidate], withdrawn: Mapping[str, str]
) -> dict[str, Memory]:
    """For episodes that say more than what was replaced since: the memory that replaced it."""
    several = {
        each.memory.id: withdrawn[each.memory.id]
        for each in found
        if each.memory.id in withdrawn and says_several_things(each.memory.content)
    }
    learned = unit.memories.get(list(several.values())) if several else {}
    after = {id: learned[by].superseded_by for id, by in several.items() if by in learned}
    known = unit.memories.get([id for id in after.values() if id]) if after else {}
    return {
        id: known[by]
        for id, by in after.items()
        if by in known and not learned[several[id]].forgotten and not known[by].forgotten
    }


def _to_candidate(
    hit: ScoredCandidate, withdrawn: Mapping[str, str], corrections: Mapping[str, Memory]
) -> ScoredCandidate:
    """A hit as an episode; the key of its row only tells messages apart."""
    episode = replace(hit, memory=replace(hit.memory, key=None), found=CandidateSource.EPISODE)
    by = withdrawn.get(episode.memory.id)
    if by is None:
        return episode
    correction = corrections.get(episode.memory.id)
    if correction is None or not episode.is_open:
        return episode.reject(Fate.SUPERSEDED, by, NOTE_WITHDRAWN)
    return _quote_later(episode, correction)


def _oldest_kept(now: datetime, days: int) -> datetime | None:
    return now - timedelta(days=days) if days else None
