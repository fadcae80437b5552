"""What was said earlier, as candidates of a turn: found, compared with memories, and cut to fit."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta

from tacit.core.kinds import AGENTS, State, Trust
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
from tacit.search.ranking import FOR_EPISODES
from tacit.search.results import Replacement, SearchResult
from tacit.settings.config import override_settings
from tacit.settings.search import SearchSettings
from tacit.statements.common_words import says_several_things
from tacit.statements.precedence import IdPair, id_pair
from tacit.store.conflict_links import load_compatible_pairs
from tacit.store.episodes import corrected_by, learned_from, replaced_by
from tacit.store.ownership import EpisodeReach
from tacit.store.protocols.store import UnitOfWork
from tacit.store.workspaces import episodes_workspace
from tacit.turn.block import quote, quote_other
from tacit.turn.candidates import load_comparisons, score_hits
from tacit.turn.state import ScoredCandidate, TurnDependencies, TurnRequest, TurnState

_CANDIDATES_PER_LINE = 4

_TOUCHED_SHARE = 0.1
"""News about what was said are told if they have this share of the floor by themselves."""


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
    reached = EpisodeReach(dependencies.store, dependencies.workspace, dependencies.reach)
    hits = [hit for hit in hits if reached.sees(hit.memory)]
    with dependencies.store.read(episodes_workspace(dependencies.workspace)) as unit:
        scored = score_hits(unit, hits, state.question, request)
        later = _load_later_words(unit, scored, state.now)
        later = {id: row for id, row in later.items() if reached.sees(row)}
    rows = [*(each.memory for each in scored), *later.values()]
    with dependencies.store.read(dependencies.workspace) as unit:
        learned = _load_learned(unit, rows)
        compatible = find_compatible_words(unit, rows)
    floor = state.settings.contextual_min_score
    found = _follow_replacements(scored, later, compatible, floor)
    ids = [each.memory.id for each in found]
    with dependencies.store.read(episodes_workspace(dependencies.workspace)) as unit:
        vectors = dependencies.searcher.vectors(
            unit, [*dict.fromkeys([*(entry.memory for entry in state.in_view), *ids])]
        )
        shown = [entry.memory for entry in state.in_view if entry.memory in vectors]
        near = find_near_any(shown, ids, vectors, state.settings.semantic_threshold)
        seen = unit.memories.get(near)
        uncompared = unit.uncompared.waiting(ids)
    withdrawn = _select_withdrawn(rows, learned)
    least = _TOUCHED_SHARE * floor
    touched = {each.memory.id: each.memory for each in found if each.relevance >= least}
    with dependencies.store.read(dependencies.workspace) as unit:
        corrections = _find_corrections(unit, withdrawn)
        compared = load_comparisons(unit, ids) if state.settings.memory_detect_conflicts else {}
    episodes = [
        replace(
            _to_candidate(
                each, withdrawn, _find_news(each.memory, touched, withdrawn, corrections)
            ),
            learned=_learned_contents(each.memory, learned),
        )
        for each in found
    ]
    return replace(
        state,
        candidates=(*state.candidates, *episodes),
        need_odds=result.need_odds,
        vectors={**state.vectors, **vectors},
        seen={**state.seen, **seen},
        known_comparisons={**state.known_comparisons, **compared},
        compatible=state.compatible | compatible,
        uncompared=state.uncompared | uncompared,
    )


def _load_later_words(
    unit: UnitOfWork, found: Sequence[ScoredCandidate], now: datetime
) -> dict[str, Memory]:
    """The later episodes that replace what was found, whole or in part, unless forgotten."""
    known = {each.memory.id: each.memory for each in found}
    links = {id for row in known.values() for id in (*replaced_by(row), *corrected_by(row))}
    unknown = sorted(links - known.keys())
    rows = known | (unit.memories.get(unknown) if unknown else {})
    return {id: rows[id] for id in links if may_replace_words(rows.get(id), now)}


def _follow_replacements(
    found: Sequence[ScoredCandidate],
    later: Mapping[str, Memory],
    compatible: Set[IdPair],
    floor: float,
) -> list[ScoredCandidate]:
    """Reject what later words replace, and let these count as much, found or not.

    They quote what they replace, if that is relevant.
    """
    known = {each.memory.id: each for each in found}
    for each in sorted(found, key=lambda each: (each.memory.created_at, each.memory.id)):
        replaced = [
            later[id]
            for id in replaced_by(each.memory)
            if id in later and id_pair(each.memory, later[id]) not in compatible
        ]
        if replaced:
            old, new = known[each.memory.id], replaced[-1]
            known[each.memory.id] = old.reject(Fate.SUPERSEDED, new.id, NOTE_SAID_OTHERWISE)
            known[new.id] = _lift(known.get(new.id), new, old)
            if old.relevance >= floor:
                known[new.id] = replace(
                    known[new.id], replaces=quote(old.memory), quotes=(old.memory.id,)
                )
    return sorted(known.values(), key=lambda each: (-each.score, each.memory.id))


def _lift(found: ScoredCandidate | None, new: Memory, old: ScoredCandidate) -> ScoredCandidate:
    """Later words that count as much as those they replace, whether they were found or not."""
    lifted = found or replace(old, memory=new, signals={}, note=NOTE_CONFLICTS)
    return replace(
        lifted,
        score=max(lifted.score, old.score),
        relevance=max(lifted.relevance, old.relevance),
    )


def may_replace_words(row: Memory | None, now: datetime) -> bool:
    """Whether an episode is there, not forgotten, and surely its speaker's words."""
    return row is not None and row.state(now) is State.LIVE and row.trust is Trust.TRUSTED


def find_compatible_words(unit: UnitOfWork, rows: Sequence[Memory]) -> frozenset[IdPair]:
    """Pairs of an episode and a memory or another episode that are both right.

    Somebody declared that of the memories that were learned from them, smaller id first.
    """
    sources: dict[str, list[str]] = {}
    for row in rows:
        for each in learned_from(row):
            sources.setdefault(each.id, []).append(row.id)
    pairs = load_compatible_pairs(unit, sorted(sources))
    found = set()
    for pair in pairs:
        ours, theirs = ([id, *sources.get(id, ())] for id in pair)
        found |= {(min(one, other), max(one, other)) for one in ours for other in theirs}
    return frozenset(found)


def find_replacements(
    unit: UnitOfWork, rows: Sequence[Memory], later: Mapping[str, Memory]
) -> tuple[frozenset[str], dict[str, Replacement]]:
    """Which episodes are hidden, and what took the place of what others say.

    One is hidden if a memory that was learned from it was forgotten. `later` are the later words
    that are still there.
    """
    learned = _load_learned(unit, rows)
    compatible = find_compatible_words(unit, [*rows, *later.values()])
    hidden, replaced = set(), {}
    for row in rows:
        for id in replaced_by(row):
            if id in later and id_pair(row, later[id]) not in compatible:
                replaced[row.id] = Replacement(by=id, at=later[id].created_at)
        for each in learned_from(row):
            memory = learned.get(each.id)
            if memory is None or memory.forgotten:
                hidden.add(row.id)
            elif memory.superseded_by is not None:
                at = memory.valid_to or memory.updated_at
                replaced[row.id] = Replacement(by=memory.superseded_by, at=at)
            elif not _still_says(memory, each.wording):
                replaced[row.id] = Replacement(by=memory.id, at=memory.updated_at)
    return frozenset(hidden), replaced


def find_withdrawn(unit: UnitOfWork, rows: Sequence[Memory]) -> dict[str, str]:
    """The episodes from which a memory was learned that no longer holds, and that memory."""
    return _select_withdrawn(rows, _load_learned(unit, rows))


def _load_learned(unit: UnitOfWork, rows: Sequence[Memory]) -> dict[str, Memory]:
    """The memories that were learned from episodes, by their ids."""
    ids = list({each.id for row in rows for each in learned_from(row)})
    return unit.memories.get(ids) if ids else {}


def _select_withdrawn(rows: Sequence[Memory], learned: Mapping[str, Memory]) -> dict[str, str]:
    return {
        row.id: each.id
        for row in rows
        for each in learned_from(row)
        if not _is_of_agent(learned.get(each.id))
        and not _still_says(learned.get(each.id), each.wording)
    }


def _is_of_agent(memory: Memory | None) -> bool:
    """Whether an agent made a memory of a person's words, which it may take back itself."""
    return memory is not None and memory.source in AGENTS and memory.trust is not Trust.TRUSTED


def _learned_contents(row: Memory, learned: Mapping[str, Memory]) -> tuple[str, ...]:
    """What the memories say that were learned from an episode and still hold."""
    own = [(learned.get(each.id), each.wording) for each in learned_from(row)]
    return tuple(
        memory.content for memory, wording in own if memory and _still_says(memory, wording)
    )


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
    touched: Mapping[str, Memory],
    withdrawn: Mapping[str, str],
    corrections: Mapping[str, Memory],
) -> Memory | None:
    """What replaces one thing of several that an episode says: a memory, or the latest words.

    Of later words only those count that the message touches: the others are news about what it
    does not ask for. Later words that were withdrawn are not quoted, but what replaced them is.
    """
    if row.id in withdrawn:
        return corrections.get(row.id) if says_several_things(row.content) else None
    said = [touched[id] for id in corrected_by(row) if id in touched]
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
    remark, quotes = quote_other(news, "said later"), (*episode.quotes, news.id)
    return replace(episode, conflict=remark, quotes=quotes, by=news.id, note=NOTE_IN_CONFLICT)


def _oldest_kept(now: datetime, days: int) -> datetime | None:
    return now - timedelta(days=days) if days else None
