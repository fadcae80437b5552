"""The rules of a turn, in order; each takes the state and returns a new one.

A new rule is a function here, or in a module of its own, and a line in `RULES`.
"""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from functools import lru_cache

from tacit.core.kinds import LEARNED_BY, QUOTE, Actor, MemoryType, Scope, Trust
from tacit.core.memory import Memory
from tacit.core.messages import is_human, text_of
from tacit.core.receipt import (
    NOTE_NOTHING_RELEVANT,
    NOTE_SAID,
    NOTE_SHOWN_BY_HOST,
    CandidateSource,
    Fate,
)
from tacit.language.statements.comparison import Comparison, compare_texts, may_be_near_duplicates
from tacit.language.summary.sentences import split_sentences
from tacit.language.terms import extract_terms
from tacit.language.transcript import write_transcript
from tacit.search.duplicates import ShownMemory, find_duplicates, wording_hash
from tacit.turn.block import BlockSection, MemoryLine
from tacit.turn.budget import BlockLimits, Offer, fit_offers
from tacit.turn.conflicts import admit_rivals, settle_conflicts
from tacit.turn.request import ADMITTED_TYPES, RequestKind
from tacit.turn.state import ScoredCandidate, TurnRule, TurnState

# The rules of a turn, in their order: each looks at the course and gives a new one.
#
# A new rule is a function here, or in a module of its own, and a line in STEPS.


FLOOR_SHARE = 0.25
"""Once the best hit is relevant, the others need this share of its score."""

OWN_SHARE = 0.1
"""And this share of the floor by themselves, unless what stands around them speaks for them."""

_AROUND = ("neighbours", "session", "graph")

_MARKS = re.compile(r"[\W_]+")


def admit_trusted(course: TurnState) -> TurnState:
    """Words of strangers stay out unless they are asked for."""
    if course.settings.inject_untrusted:
        return course
    return course.each(
        lambda each: each.ended(Fate.UNTRUSTED) if each.memory.trust is Trust.UNTRUSTED else each
    )


def admit_confident(course: TurnState) -> TurnState:
    """What is not sure enough stays out; a request of no kind asks for surer facts."""

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        least = course.settings.memory_confidence_threshold
        if each.found is CandidateSource.FACT and course.kind is RequestKind.GENERAL:
            least = max(least, course.settings.general_min_confidence)
        return each.ended(Fate.LOW_CONFIDENCE) if each.memory.confidence < least else each

    return course.each(decide)


def admit_important(course: TurnState) -> TurnState:
    """What is not important enough stays out; what is pinned is wanted as it is."""
    least = course.settings.min_importance
    return course.each(
        lambda each: (
            each.ended(Fate.BELOW_IMPORTANCE)
            if each.found is not CandidateSource.PINNED and each.memory.importance < least
            else each
        )
    )


def admit_types(course: TurnState) -> TurnState:
    """Facts must be of a type that suits the kind of request; hits are judged by relevance."""
    admitted = ADMITTED_TYPES[course.kind]
    return course.each(
        lambda each: (
            each.ended(Fate.IRRELEVANT_TYPE, note=str(course.kind))
            if each.found is CandidateSource.FACT and each.memory.type not in admitted
            else each
        )
    )


def admit_relevant(course: TurnState) -> TurnState:
    """The best hit must be relevant at all, and the others must not fall far behind it."""
    hits = [each for each in course.weighed if each.found is CandidateSource.CONTEXTUAL]
    best = max((each.relevance for each in hits), default=0.0)
    least = FLOOR_SHARE * max((each.score for each in hits), default=0.0)
    floor = course.settings.contextual_min_score

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        if each.found is not CandidateSource.CONTEXTUAL:
            return each
        if best < floor:
            return each.ended(Fate.BELOW_FLOOR, note=each.note or NOTE_NOTHING_RELEVANT)
        is_near = each.score >= least and (
            each.relevance >= OWN_SHARE * floor or _has_support(each)
        )
        return each if is_near or each.relevance >= floor else each.ended(Fate.BELOW_FLOOR)

    return course.each(decide)


def _has_support(each: ScoredCandidate) -> bool:
    """Whether what was said around a memory, or is linked to it, is evidence for it."""
    return any(each.signals.get(name, 0.0) > 0 for name in _AROUND)


def drop_said_here(course: TurnState) -> TurnState:
    """What was learned in this very session is not shown to it while its words are in view.

    Where a prompt shows a part of the conversation, nothing is shown that a person states there; a
    fact with a key is, since its value says little without it.
    """
    stated = _find_statements(course.visible or ())

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        is_learned = _is_learned_here(each.memory, course) and _is_in_view(each.memory, course)
        is_spoken = is_learned or (
            each.memory.key is None and is_stated(each.memory.content, stated)
        )
        return each.ended(Fate.SEEN_IN_WINDOW, note=NOTE_SAID) if is_spoken else each

    return course.each(decide)


def _is_learned_here(memory: Memory, course: TurnState) -> bool:
    return memory.origin.session == course.session and LEARNED_BY in memory.metadata


def _is_in_view(memory: Memory, course: TurnState) -> bool:
    """Whether the words of a memory are still there; a host keeps all until it begins anew."""
    if course.is_host_kept:
        return course.since is None or memory.created_at > course.since
    return _is_said(memory, course.said if course.visible is None else course.visible)


def _find_statements(messages: Sequence[object]) -> list[str]:
    """What people state in messages, sentence by sentence; what they ask is no statement."""
    own = [message for message in messages if is_human(message)]
    return [
        each.text for each in split_sentences(write_transcript(own, {})) if not each.is_question
    ]


def drop_shown_by_host(course: TurnState) -> TurnState:
    """What the host shows by itself is not shown again, but for what has to hold.

    What a host shows may be a file of the folder that one works in, which anybody can have written:
    what is said twice costs little, and what was left out binds nobody.
    """
    return course.each(
        lambda each: (
            each.ended(Fate.SEEN_IN_WINDOW, note=NOTE_SHOWN_BY_HOST)
            if not _is_binding(each) and is_shown_by_host(each.memory.content, course.shown)
            else each
        )
    )


def _is_binding(weighed: ScoredCandidate) -> bool:
    """Whether somebody wants a memory to be kept to: a constraint, a pin, a person's preference."""
    memory = weighed.memory
    if (
        memory.pinned
        or weighed.found is CandidateSource.PINNED
        or memory.type is MemoryType.CONSTRAINT
    ):
        return True
    is_own = memory.explicit and memory.source is Actor.USER
    return is_own and memory.type is MemoryType.PREFERENCE


def _is_said(memory: Memory, history: Iterable[object]) -> bool:
    """Whether somebody's message in a history has the words that a memory was learned from."""
    words = _plain(str(memory.metadata.get(QUOTE) or memory.content))
    return any(words in _plain(text_of(message)) for message in history if is_human(message))


def _plain(text: str) -> str:
    return _MARKS.sub(" ", text.casefold()).strip()


def drop_duplicates(course: TurnState) -> TurnState:
    """What the model has in view, in these words or in others, is not shown again."""
    known = [
        ShownMemory(entry.memory, entry.content_hash, course.seen.get(entry.memory))
        for entry in course.in_view
    ]
    standing = course.open
    fates = find_duplicates(
        [each.memory for each in standing],
        known,
        course.vectors,
        course.settings.semantic_threshold,
    )
    shown = {(each.id, each.wording) for each in known}
    shown_ids = {each.id for each in known} - {
        each.memory.id for each, fate in zip(standing, fates, strict=True) if fate is None
    }
    decided = {
        id(each): each if fate is None else _mark_duplicate(each, *fate, shown, shown_ids)
        for each, fate in zip(standing, fates, strict=True)
    }
    return replace(course, weighed=tuple(decided.get(id(each), each) for each in course.weighed))


def _mark_duplicate(
    each: ScoredCandidate, fate: Fate, by: str, shown: Set[tuple[str, bytes]], shown_ids: Set[str]
) -> ScoredCandidate:
    """A duplicate with its fate, and whether it repeats an earlier turn or only this batch.

    The words that an earlier turn showed of a memory may not be those that this batch shows of it.
    """
    is_repeat = by in shown_ids or (by, wording_hash(each.memory.content)) in shown
    other = None if by == each.memory.id else by
    return replace(each.ended(fate, other), is_repeat=is_repeat)


def limit_each_source(course: TurnState) -> TurnState:
    """At most so many facts, by scope, and so many hits, by score; what people said first."""
    left = {
        CandidateSource.PINNED: course.settings.max_total,
        CandidateSource.FACT: course.settings.fact_limit,
        CandidateSource.CONTEXTUAL: course.settings.search_limit,
    }

    kept = set()
    for each in _sort_trusted_first(course.open):
        left[each.found] -= 1
        if left[each.found] >= 0:
            kept.add(id(each))
    return course.each(lambda each: each if id(each) in kept else each.ended(Fate.OVER_SLOTS))


def fit_budget(course: TurnState) -> TurnState:
    """What the block has room for: pinned first, then facts, then hits.

    All that people said comes before what others did, so that these take no room while a person's
    words wait.
    """
    settings = course.settings
    limits = BlockLimits(
        slots=settings.max_total,
        tokens=settings.max_tokens,
        characters=settings.memory_context_max_chars,
    )
    offers = [
        Offer(MemoryLine(each.memory, each.conflict), _section(each))
        for each in _sort_trusted_first(_sort_by_priority(course))
    ]
    fitted = fit_offers(offers, limits, read_only_marker=settings.memory_read_only_marker)

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        refusal = fitted.refused.get(each.memory.id)
        return each if refusal is None else each.ended(Fate(refusal))

    return replace(
        course.each(decide),
        sections=fitted.sections,
        tokens=fitted.tokens,
        characters=fitted.characters,
    )


def _sort_trusted_first(weighed: Iterable[ScoredCandidate]) -> list[ScoredCandidate]:
    """What people stand behind, then the rest, each in its order."""
    return sorted(weighed, key=lambda each: each.memory.trust is not Trust.TRUSTED)


def _sort_by_priority(course: TurnState) -> list[ScoredCandidate]:
    standing = course.open
    facts = [each for each in standing if each.found is CandidateSource.FACT]
    others = [each for each in standing if each.found is not CandidateSource.FACT]
    pinned = [each for each in others if each.found is CandidateSource.PINNED]
    hits = [each for each in others if each.found is CandidateSource.CONTEXTUAL]
    places = {scope: place for place, scope in enumerate(course.settings.memory_scope_priority)}

    def place(each: ScoredCandidate) -> tuple[int, str, str]:
        scope = places.get(Scope(each.memory.scope), len(places))
        return scope, each.memory.key or "", each.memory.id

    return [*pinned, *sorted(facts, key=place), *hits]


def _section(each: ScoredCandidate) -> BlockSection:
    """The frame is for current facts that can be trusted; others stand among the hits."""
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
    admit_rivals,
    settle_conflicts,
    drop_said_here,
    drop_shown_by_host,
    drop_duplicates,
    limit_each_source,
    fit_budget,
)


def apply_rules(course: TurnState) -> TurnState:
    """The course after every step."""
    for step in RULES:
        course = step(course)
    return course


# What the model's host shows by itself: a memory that only repeats it need not be shown.


_PUNCTUATION = re.compile(r"[\W_]+")
_NEARLY = 0.8
"""Two texts with this share of their words in common say the same, unless they differ in a number,
a name or a negation."""

_LONGEST = 2_000
"""What is longer is no statement, and repeats another in the same words only."""


def is_shown_by_host(content: str, shown: Sequence[str]) -> bool:
    """Whether a statement stands among those that are shown, in these words or nearly."""
    if not _plain_cached(content):
        return False
    return any(
        _contains(content, line) or _is_near_repeat(content, line)
        for line in shown
        if _shares_words(content, line)
    )


def is_stated(content: str, sentences: Sequence[str]) -> bool:
    """Whether one of some sentences says the same as a statement, and says nothing else."""
    return bool(_plain_cached(content)) and any(
        _plain_cached(content) == _plain_cached(sentence) or _is_near_repeat(content, sentence)
        for sentence in sentences
        if _shares_words(content, sentence)
    )


def _contains(content: str, line: str) -> bool:
    return f" {_plain_cached(content)} " in f" {_plain_cached(line)} "


def _shares_words(content: str, line: str) -> bool:
    """Whether two texts have a word in common; long ones are not asked for their words."""
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
    return _PUNCTUATION.sub(" ", text.casefold()).strip()
