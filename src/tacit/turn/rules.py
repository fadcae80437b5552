"""The rules of a turn, in order: each looks at the state of the turn and returns a new one.

Among them: memories that cannot both be current, and which of them is shown.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache

from tacit.core.kinds import LEARNED_BY, QUOTE, Actor, MemoryType, Scope, Trust
from tacit.core.memory import Memory
from tacit.core.messages import is_human, text_of
from tacit.core.permissions import outranks
from tacit.core.receipt import (
    NOTE_CONFLICTS,
    NOTE_IN_CONFLICT,
    NOTE_MARKED,
    NOTE_NOTHING_RELEVANT,
    NOTE_SAID,
    NOTE_SHOWN_BY_HOST,
    CandidateSource,
    Fate,
)
from tacit.language.statements.comparison import Comparison, compare_texts, may_be_near_duplicates
from tacit.language.terms import extract_terms
from tacit.language.transcript import split_transcript, write_transcript
from tacit.search.conflicts import ConflictVerdict, IdPair, decide_conflicts, find_competing_pairs
from tacit.search.duplicates import MemoryInView, find_duplicates, wording_hash
from tacit.settings.injection import ConflictPolicy
from tacit.turn.block import BlockSection, MemoryLine, shorten
from tacit.turn.budget import BlockLimits, Offer, fit_offers
from tacit.turn.state import (
    ADMITTED_TYPES,
    RequestKind,
    ScoredCandidate,
    TurnRule,
    TurnState,
    sort_by_source,
)

# Conflicts: candidates that cannot both be current, and what happens to each.


_QUOTED_CHARACTERS = 120
_NOT_WANTED = (Fate.LOW_CONFIDENCE, Fate.IRRELEVANT_TYPE, Fate.BELOW_IMPORTANCE, Fate.BELOW_FLOOR)
"""The fates of a person's memory that is not shown and still counts against an agent's."""


def admit_conflicting(state: TurnState) -> TurnState:
    """Admit weak hits that contradict an admitted memory, so that both are compared.

    Otherwise the outdated one would be shown whenever its words are closer to the question. What
    somebody marked as not useful stays out.
    """
    admitted = {each.memory.id: each for each in state.undecided}
    weak = {
        each.memory.id: each
        for each in state.candidates
        if _is_weak(each) and each.memory.id not in admitted
    }
    pairs = _find_pairs(state, (*admitted.values(), *weak.values())) if weak else ()
    lifted: dict[str, ScoredCandidate] = {}
    while drawn := _lift_conflicting({**admitted, **lifted}, weak, pairs):
        lifted |= drawn
    if not lifted:
        return state
    everything = (
        lifted.get(each.memory.id, each) if _is_weak(each) else each for each in state.candidates
    )
    return replace(state, candidates=sort_by_source(everything))


def settle_conflicts(state: TurnState) -> TurnState:
    """Of memories that cannot both be current keep the current one; both or none if undecided.

    A memory marked as not useful is not shown, but can still be the current one; if the conflict is
    undecided, it does not count. An agent's memory that contradicts a person's is not shown even if
    the person's memory was rejected for another reason.
    """
    state = _drop_outranked(state)
    shown = {each.memory.id: each.memory for each in state.undecided}
    aside = {each.memory.id: each.memory for each in state.candidates if _is_marked(each)}
    verdicts = decide_conflicts(
        {**aside, **shown}.values(),
        state.conflicting,
        detect=state.settings.memory_detect_conflicts,
        compatible=state.compatible,
    )

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        verdict = verdicts.get(each.memory.id)
        return each if verdict is None else _apply_verdict(each, verdict, shown, state)

    return state.decide_each(decide)


def _drop_outranked(state: TurnState) -> TurnState:
    """Reject less trusted memories that contradict a more trusted one that is not shown."""
    doubted = [each.memory for each in state.undecided if each.memory.trust is not Trust.TRUSTED]
    if not doubted:
        return state
    aside = [each.memory for each in state.candidates if each.fate in _NOT_WANTED]
    known = {memory.id: memory for memory in (*doubted, *aside)}
    detect = state.settings.memory_detect_conflicts
    fallen = {
        loser: winner
        for pair in find_competing_pairs(known.values(), state.conflicting, detect=detect)
        for winner, loser in (pair, pair[::-1])
        if pair not in state.compatible and outranks(known[winner], known[loser])
    }

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        winner = fallen.get(each.memory.id)
        if winner is None:
            return each
        reason = f"{known[winner].trust} over {each.memory.trust}"
        return each.reject(Fate.SUPERSEDED, winner, reason)

    return state.decide_each(decide)


def _is_weak(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note != NOTE_MARKED


def _is_marked(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note == NOTE_MARKED


def _find_pairs(state: TurnState, candidates: Iterable[ScoredCandidate]) -> Sequence[IdPair]:
    """The pairs of candidates that contradict each other, in both orders."""
    memories = {each.memory.id: each.memory for each in candidates}
    detect = state.settings.memory_detect_conflicts
    found = find_competing_pairs(memories.values(), state.conflicting, detect=detect)
    return [
        side
        for one, other in found
        if (one, other) not in state.compatible
        for side in ((one, other), (other, one))
    ]


def _lift_conflicting(
    admitted: Mapping[str, ScoredCandidate],
    weak: Mapping[str, ScoredCandidate],
    pairs: Iterable[IdPair],
) -> dict[str, ScoredCandidate]:
    """The weak hits that contradict an admitted candidate, with its score."""
    found: dict[str, ScoredCandidate] = {}
    for one, other in pairs:
        if one in admitted and other in weak and other not in admitted:
            score = max(admitted[one].score, weak[other].score, found.get(other, weak[other]).score)
            found[other] = replace(weak[other], score=score, fate=None, note=NOTE_CONFLICTS)
    return found


def _apply_verdict(
    each: ScoredCandidate, verdict: ConflictVerdict, shown: Mapping[str, Memory], state: TurnState
) -> ScoredCandidate:
    if verdict.shadowed_by is not None:
        return each.reject(Fate.SHADOWED, verdict.shadowed_by, verdict.reason)
    if verdict.superseded_by is not None:
        return each.reject(Fate.SUPERSEDED, verdict.superseded_by, verdict.reason)
    level_with = tuple(id for id in verdict.level_with if id in shown)
    if not level_with:
        return each
    if state.settings.conflict_policy is ConflictPolicy.OMIT:
        return each.reject(Fate.CONFLICT_OMITTED, level_with[0], verdict.reason)
    opponents = [shown[id].content for id in level_with]
    quoted = ", ".join(f'"{shorten(content, _QUOTED_CHARACTERS)}"' for content in opponents)
    return replace(
        each,
        conflict=f"{quoted}, {verdict.reason}",
        quotes=level_with,
        by=level_with[0],
        note=NOTE_IN_CONFLICT,
    )


# The rules of a turn, in order; each takes the state and returns a new one.
#
# A new rule is a function here, or in a module of its own, and a line in `RULES`.


FLOOR_SHARE = 0.25
"""Once the best hit is relevant, the others need this share of its score."""

OWN_SHARE = 0.1
"""And this share of the floor by themselves, unless their context supports them."""

_AROUND = ("neighbours", "session", "graph")

_PUNCTUATION = re.compile(r"[\W_]+")


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
            if each.found is not CandidateSource.PINNED and each.memory.importance < least
            else each
        )
    )


def admit_types(state: TurnState) -> TurnState:
    """Reject facts whose type does not suit the kind of request; hits are judged by relevance."""
    admitted = ADMITTED_TYPES[state.kind]
    return state.decide_each(
        lambda each: (
            each.reject(Fate.IRRELEVANT_TYPE, note=str(state.kind))
            if each.found is CandidateSource.FACT and each.memory.type not in admitted
            else each
        )
    )


def admit_relevant(state: TurnState) -> TurnState:
    """Reject all hits if even the best is irrelevant, and otherwise those far behind the best."""
    hits = [each for each in state.candidates if each.found is CandidateSource.CONTEXTUAL]
    best = max((each.relevance for each in hits), default=0.0)
    least = FLOOR_SHARE * max((each.score for each in hits), default=0.0)
    floor = state.settings.contextual_min_score

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        if each.found is not CandidateSource.CONTEXTUAL:
            return each
        if best < floor:
            return each.reject(Fate.BELOW_FLOOR, note=each.note or NOTE_NOTHING_RELEVANT)
        is_near = each.score >= least and (
            each.relevance >= OWN_SHARE * floor or _has_support(each)
        )
        return each if is_near or each.relevance >= floor else each.reject(Fate.BELOW_FLOOR)

    return state.decide_each(decide)


def _has_support(each: ScoredCandidate) -> bool:
    """Whether the context of a memory, or a link to it, is evidence for it."""
    return any(each.signals.get(name, 0.0) > 0 for name in _AROUND)


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
    words = _plain(str(memory.metadata.get(QUOTE) or memory.content))
    return any(words in _plain(text_of(message)) for message in history if is_human(message))


def _plain(text: str) -> str:
    return _PUNCTUATION.sub(" ", text.casefold()).strip()


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
    )
    shown = {(each.id, each.wording) for each in known}
    shown_ids = {each.id for each in known} - {
        each.memory.id for each, fate in zip(standing, fates, strict=True) if fate is None
    }
    decided = {
        id(each): each if fate is None else _mark_duplicate(each, *fate, shown, shown_ids)
        for each, fate in zip(standing, fates, strict=True)
    }
    return replace(
        state, candidates=tuple(decided.get(id(each), each) for each in state.candidates)
    )


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
    """Limit pinned memories, facts and hits separately; what people said comes first."""
    left = {
        CandidateSource.PINNED: state.settings.max_total,
        CandidateSource.FACT: state.settings.fact_limit,
        CandidateSource.CONTEXTUAL: state.settings.search_limit,
    }

    kept = set()
    for each in _sort_trusted_first(state.undecided):
        left[each.found] -= 1
        if left[each.found] >= 0:
            kept.add(id(each))
    return state.decide_each(
        lambda each: each if id(each) in kept else each.reject(Fate.OVER_SLOTS)
    )


def fit_budget(state: TurnState) -> TurnState:
    """Keep what the block has room for: pinned memories first, then facts, then hits.

    Memories from people come before all others, which never take room from them.
    """
    settings = state.settings
    limits = BlockLimits(
        slots=settings.max_total,
        tokens=settings.max_tokens,
        characters=settings.memory_context_max_chars,
    )
    offers = [
        Offer(MemoryLine(each.memory, each.conflict), _section(each))
        for each in _sort_trusted_first(_sort_by_priority(state))
    ]
    fitted = fit_offers(offers, limits, read_only_marker=settings.memory_read_only_marker)

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        refusal = fitted.refused.get(each.memory.id)
        return each if refusal is None else each.reject(Fate(refusal))

    return replace(
        state.decide_each(decide),
        sections=fitted.sections,
        tokens=fitted.tokens,
        characters=fitted.characters,
    )


def _sort_trusted_first(candidates: Iterable[ScoredCandidate]) -> list[ScoredCandidate]:
    """Sort trusted candidates before the others, and keep the order within both."""
    return sorted(candidates, key=lambda each: each.memory.trust is not Trust.TRUSTED)


def _sort_by_priority(state: TurnState) -> list[ScoredCandidate]:
    standing = state.undecided
    facts = [each for each in standing if each.found is CandidateSource.FACT]
    others = [each for each in standing if each.found is not CandidateSource.FACT]
    pinned = [each for each in others if each.found is CandidateSource.PINNED]
    hits = [each for each in others if each.found is CandidateSource.CONTEXTUAL]
    places = {scope: place for place, scope in enumerate(state.settings.memory_scope_priority)}

    def place(each: ScoredCandidate) -> tuple[int, str, str]:
        scope = places.get(Scope(each.memory.scope), len(places))
        return scope, each.memory.key or "", each.memory.id

    return [*pinned, *sorted(facts, key=place), *hits]


def _section(each: ScoredCandidate) -> BlockSection:
    """The section of a candidate: untrusted facts stand among the hits."""
    if each.found is CandidateSource.PINNED:
        return BlockSection.PINNED
    if each.found is CandidateSource.FACT and each.memory.trust is Trust.TRUSTED:
        return BlockSection.FACTS
    return BlockSection.RELEVANT


RULES: tuple[TurnRule, ...] = (
    admit_trusted,
    admit_confident,
    admit_important,
    admit_types,
    admit_relevant,
    admit_conflicting,
    settle_conflicts,
    drop_said_here,
    drop_shown_by_host,
    drop_duplicates,
    limit_each_source,
    fit_budget,
)


def apply_rules(state: TurnState) -> TurnState:
    """Apply all rules in order."""
    for rule in RULES:
        state = rule(state)
    return state


# Comparison with what the host shows by itself


_NEARLY = 0.8
"""Two texts with this share of their words in common say the same, unless they differ in a number,
a name or a negation."""

_LONGEST = 2_000
"""A longer text is no statement, and repeats another only in the same words."""


def is_shown_by_host(content: str, shown: Sequence[str]) -> bool:
    """Whether a statement is among those shown, in the same or nearly the same words."""
    if not _plain_cached(content):
        return False
    return any(
        _contains(content, line) or _is_near_repeat(content, line)
        for line in shown
        if _shares_words(content, line)
    )


def is_stated(content: str, sentences: Sequence[str]) -> bool:
    """Whether a sentence says the same as a statement and nothing else."""
    return bool(_plain_cached(content)) and any(
        _plain_cached(content) == _plain_cached(sentence) or _is_near_repeat(content, sentence)
        for sentence in sentences
        if _shares_words(content, sentence)
    )


def _contains(content: str, line: str) -> bool:
    return f" {_plain_cached(content)} " in f" {_plain_cached(line)} "


def _shares_words(content: str, line: str) -> bool:
    """Whether two texts share a word; assumed for long texts."""
    return _is_long(content, line) or not _words(content).isdisjoint(_words(line))


def _is_long(content: str, line: str) -> bool:
    return max(len(content), len(line)) > _LONGEST


def _is_near_repeat(content: str, line: str) -> bool:
    if _is_long(content, line):
        return False
    words, others = _words(content), _words(line)
    if len(words & others) < _NEARLY * len(words | others):
        return False
    likeness = compare_texts(content, line)
    return likeness is Comparison.REPEATS or may_be_near_duplicates(content, line)


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(extract_terms(text))


@lru_cache(maxsize=4_096)
def _plain_cached(text: str) -> str:
    return _plain(text)
