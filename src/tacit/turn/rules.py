"""The rules of a turn, in order: each looks at the state of the turn and returns a new one.

A new rule is a function here, or in a module of its own, and a line in `RULES`.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from tacit.core.kinds import LEARNED_BY, QUOTE, Actor, MemoryType, Trust
from tacit.core.memory import Memory
from tacit.core.messages import is_human, text_of
from tacit.core.receipt import (
    NOTE_SAID,
    NOTE_SHOWN_BY_HOST,
    CandidateSource,
    Fate,
)
from tacit.language.injection_blocks import join_blocks
from tacit.language.tokens import TextSize, find_counter
from tacit.language.transcript import split_transcript, write_transcript
from tacit.search.duplicates import MemoryInView, find_duplicates, wording_hash
from tacit.statements.self_statements import is_about_person, shared_author
from tacit.turn.block import BlockSection
from tacit.turn.budget import BlockLimits, FittedBlock, Offer, fit_offers
from tacit.turn.conflict_rules import admit_conflicting, follow_replacements, settle_conflicts
from tacit.turn.episode_rules import (
    cut_to_matching_sentences,
    drop_in_view,
    drop_repeated_memories,
    drop_repeated_passages,
    drop_restated_query,
    keep_latest_repeats,
    sort_episodes,
)
from tacit.turn.news_rules import admit_news
from tacit.turn.relevance_rules import admit_needed, admit_relevant, drop_told
from tacit.turn.standing_rules import fit_standing
from tacit.turn.state import (
    RequestKind,
    ScoredCandidate,
    TurnRule,
    TurnState,
    sort_by_source,
)
from tacit.turn.wording import is_shown_by_host, is_stated, plain_words

_WITH_OWN_PLACE = (CandidateSource.PINNED, CandidateSource.FACT, CandidateSource.STANDING)
"""Sources whose candidates have places of their own."""

_WITHOUT_IMPORTANCE = (CandidateSource.PINNED, CandidateSource.EPISODE)


def admit_trusted(state: TurnState) -> TurnState:
    """Reject untrusted memories, unless the settings admit them."""
    if state.settings.inject_untrusted:
        return state
    return state.decide_each(
        lambda each: each.reject(Fate.UNTRUSTED) if each.memory.trust is Trust.UNTRUSTED else each
    )


def admit_confident(state: TurnState) -> TurnState:
    """Reject memories of low confidence; a general request asks for surer facts."""

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        least = state.settings.memory_confidence_threshold
        if each.found is CandidateSource.FACT and state.kind is RequestKind.GENERAL:
            least = max(least, state.settings.general_min_confidence)
        return each.reject(Fate.LOW_CONFIDENCE) if each.memory.confidence < least else each

    return state.decide_each(decide)


def admit_important(state: TurnState) -> TurnState:
    """Reject memories of low importance, unless they are pinned."""
    least = state.settings.min_importance
    return state.decide_each(
        lambda each: (
            each.reject(Fate.BELOW_IMPORTANCE)
            if each.found not in _WITHOUT_IMPORTANCE and each.memory.importance < least
            else each
        )
    )


def drop_said_here(state: TurnState) -> TurnState:
    """Reject what was learned in this session while the words are still in view.

    If a prompt shows part of the conversation, whatever a person states there is rejected too,
    except facts with a key, whose value says little without it.
    """
    stated = _find_statements(state.visible or ())

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        is_learned = _is_learned_here(each.memory, state) and _is_in_view(each.memory, state)
        is_spoken = is_learned or (
            each.memory.key is None and is_stated(each.memory.content, stated)
        )
        return each.reject(Fate.SEEN_IN_WINDOW, note=NOTE_SAID) if is_spoken else each

    return state.decide_each(decide)


def _is_learned_here(memory: Memory, state: TurnState) -> bool:
    return memory.origin.session == state.session and LEARNED_BY in memory.metadata


def _is_in_view(memory: Memory, state: TurnState) -> bool:
    """Whether the words of a memory are still in view; a host keeps all until it starts anew."""
    if state.is_host_kept:
        return state.since is None or memory.created_at > state.since
    return _is_said(memory, state.said if state.visible is None else state.visible)


def _find_statements(messages: Sequence[object]) -> list[str]:
    """The sentences of people in messages that are no questions."""
    own = [message for message in messages if is_human(message)]
    return [
        each.text for each in split_transcript(write_transcript(own, {})) if not each.is_question
    ]


def drop_shown_by_host(state: TurnState) -> TurnState:
    """Reject what the host shows by itself, except memories that must be followed.

    A host may show a file of the working folder, which anybody can have written: saying a thing
    twice costs little, but a memory that is left out binds nobody.
    """
    return state.decide_each(
        lambda each: (
            each.reject(Fate.SEEN_IN_WINDOW, note=NOTE_SHOWN_BY_HOST)
            if not _is_binding(each) and is_shown_by_host(each.memory.content, state.shown)
            else each
        )
    )


def _is_binding(candidates: ScoredCandidate) -> bool:
    """Whether a memory must be followed: a constraint, a pin, or a person's preference."""
    memory = candidates.memory
    if (
        memory.pinned
        or candidates.found is CandidateSource.PINNED
        or memory.type is MemoryType.CONSTRAINT
    ):
        return True
    is_own = memory.explicit and memory.source is Actor.USER
    return is_own and memory.type is MemoryType.PREFERENCE


def _is_said(memory: Memory, history: Iterable[object]) -> bool:
    """Whether a person's message in a history has the words that a memory was learned from."""
    words = plain_words(str(memory.metadata.get(QUOTE) or memory.content))
    return any(words in plain_words(text_of(message)) for message in history if is_human(message))


def drop_duplicates(state: TurnState) -> TurnState:
    """Reject what the model has in view already, in the same words or others."""
    known = [
        MemoryInView(entry.memory, entry.content_hash, state.seen.get(entry.memory))
        for entry in state.in_view
    ]
    standing = state.undecided
    fates = find_duplicates(
        [each.memory for each in standing],
        known,
        state.vectors,
        state.settings.semantic_threshold,
        with_own_place={each.memory.id for each in standing if each.found in _WITH_OWN_PLACE},
    )
    shown = {(each.id, each.wording) for each in known}
    shown_ids = {each.id for each in known} - {
        each.memory.id for each, fate in zip(standing, fates, strict=True) if fate is None
    }
    best: dict[str, ScoredCandidate] = {}
    for each, fate in zip(standing, fates, strict=True):
        if fate is not None and (fate[1] not in best or best[fate[1]].score < each.score):
            best[fate[1]] = each
    decided = {
        id(each): (
            _count_as_much(each, best.get(each.memory.id))
            if fate is None
            else _mark_duplicate(each, *fate, shown, shown_ids)
        )
        for each, fate in zip(standing, fates, strict=True)
    }
    candidates = [decided.get(id(each), each) for each in state.candidates]
    return replace(state, candidates=sort_by_source(candidates) if best else tuple(candidates))


def _count_as_much(each: ScoredCandidate, other: ScoredCandidate | None) -> ScoredCandidate:
    """Let what is shown count as much as what it is shown for."""
    if other is None or other.score <= each.score:
        return each
    return replace(each, score=other.score, relevance=max(each.relevance, other.relevance))


def _mark_duplicate(
    each: ScoredCandidate, fate: Fate, by: str, shown: Set[tuple[str, bytes]], shown_ids: Set[str]
) -> ScoredCandidate:
    """Reject a duplicate, and note whether it repeats an earlier turn or only this batch.

    An earlier turn may have shown a memory in other words than this batch does.
    """
    is_repeat = by in shown_ids or (by, wording_hash(each.memory.content)) in shown
    other = None if by == each.memory.id else by
    return replace(each.reject(fate, other), is_repeat=is_repeat)


def limit_each_source(state: TurnState) -> TurnState:
    """Limit pinned memories, facts and hits separately; what people said comes first.

    Of facts, those of the first scope come first.
    """
    left = {
        CandidateSource.PINNED: state.settings.max_total,
        CandidateSource.FACT: state.settings.fact_limit,
        CandidateSource.CONTEXTUAL: state.settings.search_limit,
        CandidateSource.STANDING: state.settings.standing_lines,
        CandidateSource.EPISODE: state.settings.episode_lines,
    }

    kept = set()
    said = sort_episodes(
        (each for each in state.undecided if each.is_episode), state.settings.contextual_min_score
    )
    others = [each for each in state.undecided if not each.is_episode]
    facts = [each for each in others if each.found is CandidateSource.FACT]
    facts.sort(key=lambda each: (_scope_place(each, state), -each.score, each.memory.id))
    rest = [each for each in others if each.found is not CandidateSource.FACT]
    for each in _sort_trusted_first([*rest, *facts, *said]):
        left[each.found] -= 1
        if left[each.found] >= 0:
            kept.add(id(each))
    return state.decide_each(
        lambda each: each if id(each) in kept else each.reject(Fate.OVER_SLOTS)
    )


def fit_budget(state: TurnState) -> TurnState:
    """Keep what the block has room for: pinned memories, facts, hits, then what was said.

    Memories from people come before all others, which never take room from them. Standing rules
    have taken their room before. What passages that have room say as well leaves its room to
    others.
    """
    fitted = _fit_lines(state)
    fewer = drop_repeated_memories(state, fitted.refused)
    if len(fewer.undecided) < len(state.undecided):
        state, fitted = fewer, _fit_lines(fewer)

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        refusal = fitted.refused.get(each.memory.id)
        return each if refusal is None else each.reject(Fate(refusal))

    return replace(
        state.decide_each(decide),
        sections=fitted.sections,
        tokens=state.tokens + fitted.tokens,
        characters=state.characters + fitted.characters,
    )


def _fit_lines(state: TurnState) -> FittedBlock:
    settings = state.settings
    counter = find_counter(settings.token_counter)
    between = TextSize.of(join_blocks(["", ""]), counter) if state.standing.standing else TextSize()
    limits = BlockLimits(
        slots=settings.max_total - len(state.standing.standing),
        tokens=settings.max_tokens - state.tokens - between.tokens,
        characters=settings.memory_context_max_chars - state.characters - between.characters,
        counter=counter,
    )
    offers = [
        Offer(each.to_line(state.now, state.reader), _section(each, state))
        for each in _sort_trusted_first(_sort_by_priority(state))
    ]
    return fit_offers(offers, limits, has_preface=not state.standing.standing)


def _sort_trusted_first(candidates: Iterable[ScoredCandidate]) -> list[ScoredCandidate]:
    """Sort trusted candidates before the others, and keep the order within both."""
    return sorted(candidates, key=lambda each: each.memory.trust is not Trust.TRUSTED)


def _sort_by_priority(state: TurnState) -> list[ScoredCandidate]:
    standing = state.undecided
    facts = [each for each in standing if each.found is CandidateSource.FACT]
    others = [each for each in standing if each.found is not CandidateSource.FACT]
    pinned = [each for each in others if each.found is CandidateSource.PINNED]
    hits = [each for each in others if each.found is CandidateSource.CONTEXTUAL]
    said = sort_episodes(
        (each for each in others if each.is_episode), state.settings.contextual_min_score
    )
    facts.sort(key=lambda each: (_scope_place(each, state), each.memory.key or "", each.memory.id))
    return [*pinned, *facts, *hits, *said]


def _scope_place(each: ScoredCandidate, state: TurnState) -> int:
    """The place of a memory's scope in the configured order; one without a key may have none."""
    scopes = state.settings.memory_scope_priority
    return scopes.index(each.memory.scope) if each.memory.scope in scopes else len(scopes)


def _section(each: ScoredCandidate, state: TurnState) -> BlockSection:
    """The section of a candidate: facts that are not trusted stand among the hits.

    Only what a person wrote explicitly, and is in no conflict, is framed as authoritative; what
    another one wrote about a person is not.
    """
    if each.is_episode:
        return BlockSection.SAID
    if each.found is CandidateSource.PINNED:
        return BlockSection.PINNED
    if each.found is not CandidateSource.FACT or each.memory.trust is not Trust.TRUSTED:
        return BlockSection.RELEVANT
    is_of_another = shared_author(each.memory, state.reader) is not None
    is_doubted = each.conflict is not None or each.less_sure
    is_doubted = is_doubted or (is_of_another and is_about_person(each.memory))
    has_frame = state.settings.memory_read_only_marker
    is_framed = each.memory.explicit and not is_doubted and has_frame
    return BlockSection.FRAME if is_framed else BlockSection.FACTS


RULES: tuple[TurnRule, ...] = (
    admit_trusted,
    admit_confident,
    admit_important,
    drop_restated_query,
    drop_told,
    admit_needed,
    admit_relevant,
    admit_news,
    follow_replacements,
    admit_conflicting,
    settle_conflicts,
    drop_said_here,
    drop_in_view,
    drop_shown_by_host,
    keep_latest_repeats,
    drop_duplicates,
    cut_to_matching_sentences,
    drop_repeated_passages,
    fit_standing,
    limit_each_source,
    fit_budget,
)


def apply_rules(state: TurnState) -> TurnState:
    """Apply all rules in order."""
    for rule in RULES:
        state = rule(state)
    return state
