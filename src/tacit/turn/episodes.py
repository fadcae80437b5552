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
        scored = score_hits(unit, hits, state.question, request)
        later = _load_later_words(unit, scored, state.now)
        found = _follow_replacements(scored, later)
        ids = [each.memory.id for each in found]
        vectors = dependencies.searcher.vectors(
            unit, [*dict.fromkeys([*(entry.memory for entry in state.in_view), *ids])]
        )
        shown = [entry.memory for entry in state.in_view if entry.memory in vectors]
        near = find_near_any(shown, ids, vectors, state.settings.semantic_threshold)
        seen = unit.memories.get(near)
    with dependencies.store.read(dependencies.workspace) as unit:
        withdrawn = find_withdrawn(unit, [*(each.memory for each in found), *later.values()])
        corrections = _find_corrections(unit, withdrawn)
    episodes = [
        _to_candidate(each, withdrawn, _find_news(each.memory, later, withdrawn, corrections))
        for each in found
    ]
    return replace(
        state,
        candidates=(*state.candidates, *episodes),
        vectors={**state.vectors, **vectors},
        seen={**state.seen, **seen},
    )


def _load_later_words(
    unit: UnitOfWork, found: Sequence[ScoredCandidate], now: datetime
) -> dict[str, Memory]:
    """The later episodes that replace what was found, whole or in part, unless forgotten."""
    known = {each.memory.id: each.memory for each in found}
    links = {id for row in known.values() for id in (*replaced_by(row), *corrected_by(row))}
    unknown = sorted(links - known.keys())
    rows = known | (unit.memories.get(unknown) if unknown else {})
    return {id: rows[id] for id in links if is_live(rows.get(id), now)}


def _follow_replacements(
    found: Sequence[ScoredCandidate], later: Mapping[str, Memory]
) -> list[ScoredCandidate]:
    """Reject what later words replace, and let these count as much, found or not."""
    known = {each.memory.id: each for each in found}
    for each in sorted(found, key=lambda each: (each.memory.created_at, each.memory.id)):
        replaced = [later[id] for id in replaced_by(each.memory) if id in later]
        if replaced:
            old, new = known[each.memory.id], replaced[-1]
            known[each.memory.id] = old.reject(Fate.SUPERSEDED, new.id, NOTE_SAID_OTHERWISE)
            known[new.id] = _lift(known.get(new.id), new, old)
    return sorted(known.values(), key=lambda each: (-each.score, each.memory.id))


def _lift(found: ScoredCandidate | None, new: Memory, old: ScoredCandidate) -> ScoredCandidate:
    """Later words that count as much as those they replace, whether they were found or not."""
    lifted = found or replace(old, memory=new, signals={}, note=NOTE_CONFLICTS)
    return replace(
        lifted,
        score=max(lifted.score, old.score),
        relevance=max(lifted.relevance, old.relevance),
    )


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


def _find_corrections(unit: UnitOfWork, withdrawn: Mapping[str, str]) -> dict[str, Memory]:
    """For withdrawn episodes: the memory that replaced what was learned from them, if any."""
    learned = unit.memories.get([*{*withdrawn.values()}]) if withdrawn else {}
    after = {
        id: learned[by].superseded_by
        for id, by in withdrawn.items()
        if by in learned and not learned[by].forgotten
    }
    known = unit.memories.get([id for id in after.values() if id]) if after else {}
    return {id: known[by] for id, by in after.items() if by in known and not known[by].forgotten}


def _find_news(
    row: Memory,
    later: Mapping[str, Memory],
    withdrawn: Mapping[str, str],
    corrections: Mapping[str, Memory],
) -> Memory | None:
    """What replaces one thing of several that an episode says: a memory, or the latest words.

    Later words that were withdrawn are not quoted, but what replaced them is.
    """
    if row.id in withdrawn:
        return corrections.get(row.id) if says_several_things(row.content) else None
    said = [later[id] for id in corrected_by(row) if id in later]
    told = [corrections.get(each.id) if each.id in withdrawn else each for each in said]
    return next((each for each in reversed(told) if each is not None), None)


def _to_candidate(
    hit: ScoredCandidate, withdrawn: Mapping[str, str], news: Memory | None
) -> ScoredCandidate:
    """A hit as an episode, shown with news about it; the key of its row only tells messages apart.

    One that is withdrawn is shown only where news say what of it is replaced.
    """
    episode = replace(hit, memory=replace(hit.memory, key=None), found=CandidateSource.EPISODE)
    by = withdrawn.get(episode.memory.id)
    if by is not None and news is None:
        return episode.reject(Fate.SUPERSEDED, by, NOTE_WITHDRAWN)
    if news is None or not episode.is_open:
        return episode
    remark = quote_other(news, "said later")
    return replace(episode, conflict=remark, quotes=(news.id,), by=news.id, note=NOTE_IN_CONFLICT)


def _oldest_kept(now: datetime, days: int) -> datetime | None:
    return now - timedelta(days=days) if days else None
